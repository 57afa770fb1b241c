"""The queue between an application and the store: logging takes microseconds, and a thread writes to the store.

The application's thread only puts a record into the queue. Everything else (checking, JSON, SQL) is done by one
background thread per store, in batches; it ends when nothing was logged for a while, and begins again with the next
answer. A forked process has none of its parent's logs (`faithview/live.py`): the parent writes what was in its queues.
"""

import atexit
import logging
import queue
import re
import sys
import threading
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, sleep
from typing import TYPE_CHECKING

from faithview.domain.live import LogLimits, LogRecord

if TYPE_CHECKING:  # the first call of `log_answer` must not wait for SQL libraries, so the thread imports them
    from faithview.services.container import Store

_log = logging.getLogger(__name__)

# Records in one transaction, and how long one waits for others.
_BATCH = 500
_GATHER_S = 0.1
# After a store error.
_RETRY_S = 1.0
# After so long without an answer the thread closes the store and ends.
_IDLE_S = 5.0
# How often the application's log gets a warning about lost records or a store that cannot be used.
_WARN_EVERY_S = 60.0
# How long a process waits at exit until the queue is stored.
EXIT_WAIT_S = 10.0
# Reasons that differ only in numbers and quoted texts are one kind.
_IN_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d,.]*\d|\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCounts:
    """Counts of the answers that this process has logged, by outcome.

    `logged` counts the answers put into the queue: `waiting` are not stored yet, `stored` are in the store, `known` had
    an id that was logged before, and `refused` could not be used. `reasons` counts them by reason, with "…" for numbers
    and quoted texts. `dropped` were not queued because the queue
    was full. `refused` also counts answers that were rejected immediately because of a wrong type.
    """

    logged: int
    waiting: int
    stored: int
    known: int
    refused: int
    dropped: int
    reasons: Mapping[str, int]


class AnswerLog:
    """A bounded queue of records and the thread that writes them to one store."""

    def __init__(self, open_store: "Callable[[], Store]", *, capacity: int, characters: int, limits: LogLimits) -> None:
        """Set how the thread opens the store, and the limits of the queue.

        Args:
            open_store: opens the store; called in the thread, which closes it.
            capacity: the maximum number of records.
            characters: the maximum number of characters in all records' texts.
            limits: the maximum lengths of the texts of one record.
        """
        self._open_store = open_store
        self._capacity = capacity
        self._characters = characters
        self._limits = limits
        self._queue: queue.SimpleQueue[tuple[LogRecord, int]] = queue.SimpleQueue()
        self._changed = threading.Condition()  # what is below is read and written while it is held
        self._waiting = self._size = 0
        self._counts: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._thread: threading.Thread | None = None
        self._warned_at = -_WARN_EVERY_S
        _LOGS.add(self)

    def log(self, record: LogRecord, size: int) -> bool:
        """Put a record into the queue; return False if the queue is full.

        Args:
            record: the record. Its lists and mappings must not change afterwards.
            size: the characters of its texts.
        """
        with self._changed:
            if self._waiting and (self._waiting >= self._capacity or self._size + size > self._characters):
                self._counts["dropped"] += 1
                return False
            self._queue.put((record, size))
            self._waiting += 1
            self._size += size
            self._counts["logged"] += 1
            if self._thread is None:
                thread = threading.Thread(target=self._write, name="faithview-log", daemon=True)
                with suppress(RuntimeError):  # the system cannot start a thread; the next answer tries again
                    thread.start()
                    self._thread = thread
        return True

    def refuse(self, reason: str) -> None:
        """Count a record that cannot be used; the first of each kind of reason goes to the application's log."""
        kind = _IN_PARTICULAR.sub("…", reason)
        with self._changed:
            self._counts["refused"] += 1
            self._reasons[kind] += 1
            is_new = self._reasons[kind] == 1
        if is_new:
            _log.warning("A logged answer was refused: %s Others like it are counted, not reported.", reason)

    def flush(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds until everything logged so far is stored; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting, timeout)

    @property
    def counts(self) -> LogCounts:
        """The counts of the records so far."""
        with self._changed:
            named = {name: self._counts[name] for name in ("logged", "stored", "known", "refused", "dropped")}
            return LogCounts(**named, waiting=self._waiting, reasons=dict(self._reasons))

    def _write(self) -> None:
        """Write the queue, until nothing comes any more."""
        store: Store | None = None
        while True:
            try:
                batch = [self._queue.get(timeout=_IDLE_S)]
            except queue.Empty:
                with self._changed:
                    if self._waiting:
                        continue
                    self._thread = None
                if store is not None:
                    store.close()
                return
            if self._queue.qsize() < _BATCH:
                sleep(_GATHER_S)
            with suppress(queue.Empty):
                while len(batch) < _BATCH:
                    batch.append(self._queue.get_nowait())
            # With ids before the first try: if it fails after storing the records, the second try recognises them.
            records = [r if r.record_id is not None else r._replace(record_id=uuid.uuid4().hex) for r, _ in batch]
            while True:
                try:
                    store = store or self._open_store()
                    self._store(store, records, size=sum(size for _, size in batch))
                    break
                except Exception as error:  # noqa: BLE001 - the thread must live on; the error is logged
                    self._warn("Logged answers cannot be stored: %s They are kept and retried.", error)
                    sleep(_RETRY_S)

    def _store(self, store: "Store", records: list[LogRecord], *, size: int) -> None:
        from faithview.services.live.append import append_answers

        appended = append_answers(store, records, limits=self._limits)
        for refusal in appended.refused:
            self.refuse(refusal.reason)
        with self._changed:
            self._counts["stored"] += appended.stored
            self._counts["known"] += appended.known
            self._waiting -= len(records)
            self._size -= size
            dropped = self._counts["dropped"]
            self._changed.notify_all()
        if dropped:
            self._warn("%s logged answers were dropped so far, because the queue was full.", f"{dropped:,}")

    def _warn(self, text: str, value: object) -> None:
        """Write to the application's log, at most once a minute."""
        if monotonic() - self._warned_at >= _WARN_EVERY_S:
            self._warned_at = monotonic()
            _log.warning(text, value)


# All logs of this process.
_LOGS: "weakref.WeakSet[AnswerLog]" = weakref.WeakSet()


def flush_all(timeout: float = EXIT_WAIT_S) -> bool:
    """Wait at most `timeout` seconds until every log of this process is stored; return whether it is."""
    end = monotonic() + timeout
    are_written = [log.flush(max(0.0, end - monotonic())) for log in list(_LOGS)]
    return all(are_written)


def flush_at_exit() -> None:
    """Write the queues when this process ends; processes of `multiprocessing` do not run `atexit`."""
    atexit.register(_flush_and_say)
    multiprocessing = sys.modules.get("multiprocessing.util")
    if multiprocessing is not None:
        multiprocessing.Finalize(None, _flush_and_say, exitpriority=0)


def forget_all() -> None:
    """Forget the logs of the parent in a forked process."""
    _LOGS.clear()


def _flush_and_say() -> None:
    if not flush_all():
        left = sum(log.counts.waiting for log in list(_LOGS))
        with suppress(Exception):  # the log's stream may be closed by now
            _log.warning("The process ended with %s logged answers that could not be stored.", f"{left:,}")
