"""The queue between an application and the store: appending takes microseconds, and a thread writes to the store.

The application's thread only appends a tuple. Everything else (checking, JSON, SQL) is done by one background thread
per store, in batches. A forked process starts with an empty queue and its own thread; the parent writes what was in the
queue.
"""

import atexit
import logging
import os
import re
import sys
import threading
import uuid
import weakref
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from faithview.domain.live import LogLimits, LogRecord

if TYPE_CHECKING:  # the first call of `log_answer` must not wait for SQL libraries, so the thread imports them
    from faithview.services.container import Store

_log = logging.getLogger(__name__)

# How often an idle thread checks whether its log can still be used.
_LOOK_EVERY_S = 5.0
# Records in one transaction.
_BATCH = 500
# How long a record waits to be written together with others.
_GATHER_S = 0.1
# How long the thread waits after a store error; doubled up to the maximum.
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 30.0
# How often the application's log gets a warning about lost records or a store that cannot be used.
_WARN_EVERY_S = 60.0
# How long a process waits at exit until the queue is stored.
EXIT_WAIT_S = 10.0
# Reasons that differ only in numbers and quoted texts are one kind; a few kinds are counted separately.
_IN_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d,.]*\d|\d")
_MOST_REASONS = 50
_OTHER = "other reasons"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCounts:
    """Counts of the answers that this process has logged, by outcome.

    `logged` counts the answers put into the queue: `waiting` are still in it, `stored` are in the store, `known` had an
    id that was logged before, and `refused` could not be used. `reasons` counts them by reason; reasons that differ
    only in numbers and quoted texts are counted under the first of them. `dropped` were not queued because the queue
    was full. `refused` also counts answers that were rejected immediately because of a wrong type.
    """

    logged: int
    waiting: int
    stored: int
    known: int
    refused: int
    dropped: int
    reasons: Mapping[str, int]


@dataclass(slots=True)
class _Counters:
    logged: int = 0
    stored: int = 0
    known: int = 0
    refused: int = 0
    dropped: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


class AnswerLog:
    """A bounded queue of records and the thread that writes them to one store."""

    def __init__(
        self,
        open_store: "Callable[[], Store]",
        *,
        capacity: int,
        characters: int,
        limits: LogLimits,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        """Set how the thread opens the store, and the limits of the queue.

        Args:
            open_store: opens the store; called in the thread, and again after a fork.
            capacity: the maximum number of records.
            characters: the maximum number of characters in all records' texts.
            limits: the maximum lengths of the texts of one record.
            is_wanted: whether the application can still log here. If not, the thread ends and closes the store that it
                opened.
        """
        self._is_wanted = is_wanted
        self._open_store = open_store
        self._capacity = capacity
        self._characters = characters
        self._limits = limits
        self._begin()
        _LOGS.add(self)

    def _begin(self) -> None:
        """Start empty and with new locks, as a new process must: a thread of the parent may have held the old ones."""
        self._lock = threading.Lock()
        self._queue: deque[tuple[LogRecord, int]] = deque()
        self._size = 0
        self._unwritten = 0
        self._counters = _Counters()
        self._thread: threading.Thread | None = None
        self._has_some = threading.Event()
        self._has_many = threading.Event()
        self._is_idle = threading.Event()
        self._is_idle.set()
        self._is_urgent = threading.Event()
        self._kinds: dict[str, str] = {}
        self._warned_at = -_WARN_EVERY_S

    def log(self, record: LogRecord, size: int) -> bool:
        """Put a record into the queue; return False if the queue is full.

        Args:
            record: the record. Its lists and mappings must not change afterwards.
            size: the characters of its texts.
        """
        with self._lock:
            number = len(self._queue) + 1
            if number > self._capacity or (self._size + size > self._characters and number > 1):
                self._counters.dropped += 1
                return False
            self._queue.append((record, size))
            self._size += size
            self._counters.logged += 1
            if number == 1:
                self._is_idle.clear()
        if self._thread is None:
            self._start()
        if not self._has_some.is_set():
            self._has_some.set()
        if number >= _BATCH and not self._has_many.is_set():
            self._has_many.set()
        return True

    def refuse(self, reason: str) -> None:
        """Count a record that cannot be used; the first of each kind of reason goes to the application's log."""
        kind = _IN_PARTICULAR.sub("", reason)
        with self._lock:
            self._counters.refused += 1
            known = kind in self._kinds or len(self._kinds) >= _MOST_REASONS
            if not known:
                self._kinds[kind] = reason
            self._counters.reasons[self._kinds.get(kind, _OTHER)] += 1
        if not known:
            _log.warning("A logged answer was refused: %s Others like it are counted, not reported.", reason)

    def flush(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds until everything logged so far is stored; return whether it is."""
        if self._is_idle.is_set():
            return True
        self._is_urgent.set()
        self._has_some.set()
        self._has_many.set()
        return self._is_idle.wait(timeout)

    @property
    def counts(self) -> LogCounts:
        """The counts of the records so far."""
        with self._lock:
            c = self._counters
            return LogCounts(
                logged=c.logged,
                waiting=len(self._queue) + self._unwritten,
                stored=c.stored,
                known=c.known,
                refused=c.refused,
                dropped=c.dropped,
                reasons=dict(c.reasons),
            )

    def _start(self) -> None:
        with self._lock:
            if self._thread is not None:
                return
            thread = threading.Thread(target=self._write_on, name="faithview-log", daemon=True)
            try:
                thread.start()
            except RuntimeError as error:  # the system cannot start a thread; the next answer tries again
                self._warn("Logged answers are waiting because no thread can be started to store them: %s", error)
                return
            self._thread = thread
        _flush_at_exit()

    def _write_on(self) -> None:
        store: Store | None = None
        wait = _FIRST_WAIT_S
        batch: list[LogRecord] = []
        dropped = 0
        while True:
            if not batch:
                while not self._has_some.wait(_LOOK_EVERY_S):
                    if self._is_over():
                        if store is not None:
                            store.close()
                        return
                if not self._is_urgent.is_set():
                    self._has_many.wait(_GATHER_S)
                batch = self._next_batch()
            try:
                store = store or self._open_store()
                self._store(store, batch)
                batch, wait = [], _FIRST_WAIT_S
                self._end_batch()
            except Exception as error:  # noqa: BLE001 - the thread must live on; the error is logged and the batch kept
                self._warn("Logged answers cannot be stored: %s They are kept and retried.", error)
                self._is_urgent.wait(wait)
                self._is_urgent.clear()
                wait = min(2 * wait, _LONGEST_WAIT_S)
            lost = self._counters.dropped
            if lost > dropped and self._warn(
                "%s logged answers were dropped so far, because the queue was full: the store is too slow or cannot be "
                "used.",
                f"{lost:,}",
            ):
                dropped = lost

    def _is_over(self) -> bool:
        """Return whether the thread may end: nothing waits and the log can no longer be used."""
        if self._is_wanted():
            return False
        with self._lock:
            if self._queue:
                return False
            self._thread = None
            return True

    def _next_batch(self) -> list[LogRecord]:
        with self._lock:
            taken = [self._queue.popleft() for _ in range(min(_BATCH, len(self._queue)))]
            self._size -= sum(size for _, size in taken)
            self._unwritten = len(taken)
            if len(self._queue) < _BATCH:
                self._has_many.clear()
        # Ids are assigned before the first try: if it fails after storing the records, the second try recognises them.
        return [
            record if record.record_id is not None else record._replace(record_id=uuid.uuid4().hex)
            for record, _ in taken
        ]

    def _store(self, store: "Store", batch: list[LogRecord]) -> None:
        """Store a batch and remove stored records from it; after an error it contains the others."""
        from faithview.services.live.append import append_answers, append_in_parts

        if not batch:
            return
        for part in append_in_parts(partial(append_answers, store, limits=self._limits), tuple(batch)):
            count = part.stored + part.known + len(part.refused)
            del batch[:count]
            with self._lock:
                self._counters.stored += part.stored
                self._counters.known += part.known
                self._unwritten -= count
            for refusal in part.refused:
                self.refuse(refusal.reason)

    def _end_batch(self) -> None:
        with self._lock:
            self._unwritten = 0
            if not self._queue:
                self._has_some.clear()
                self._is_urgent.clear()
                self._is_idle.set()

    def _warn(self, text: str, value: object) -> bool:
        """Write to the application's log, at most once a minute."""
        if monotonic() - self._warned_at < _WARN_EVERY_S:
            return False
        self._warned_at = monotonic()
        _log.warning(text, value)
        return True


# All logs of this process.
_LOGS: "weakref.WeakSet[AnswerLog]" = weakref.WeakSet()
_exit_is_registered = False


def flush_all(timeout: float = EXIT_WAIT_S) -> bool:
    """Wait at most `timeout` seconds until every log of this process is stored; return whether it is."""
    end = monotonic() + timeout
    are_written = [log.flush(max(0.0, end - monotonic())) for log in list(_LOGS)]
    return all(are_written)


def _flush_at_exit() -> None:
    """Write the queue at the end of the process; processes of `multiprocessing` do not run `atexit`."""
    global _exit_is_registered
    if _exit_is_registered:
        return
    _exit_is_registered = True
    atexit.register(_flush_and_say)
    multiprocessing = sys.modules.get("multiprocessing.util")
    if multiprocessing is not None:
        multiprocessing.Finalize(None, _flush_and_say, exitpriority=0)


def _flush_and_say() -> None:
    if flush_all():
        return
    left = sum(log.counts.waiting for log in list(_LOGS))
    with suppress(Exception):  # the log's stream may be closed by now
        _log.warning("The process ended with %s logged answers that could not be stored.", f"{left:,}")


def _after_fork() -> None:
    global _exit_is_registered
    _exit_is_registered = False
    for log in list(_LOGS):
        log._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
