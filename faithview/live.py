"""Log what a live application answers, from Python: `from faithview import log_answer`."""

import os
import threading
import weakref
from collections.abc import Mapping, MutableMapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from faithview.domain.arguments import described
from faithview.domain.errors import InvalidInput
from faithview.domain.live import DEFAULT_APPLICATION, LogLimits, LogRecord
from faithview.services.live.logger import AnswerLog, LogCounts, flush_all, flush_at_exit, forget_all

if TYPE_CHECKING:
    from faithview.domain.sample import Chunk
    from faithview.services.container import Store
    from faithview.store.database import Database

__all__ = ["LogCounts", "LogLimits", "configure_log", "flush_log", "log_answer", "log_counts"]

# What the queue holds at most, unless `configure_log` says otherwise.
CAPACITY = 20_000
CHARACTERS = 100_000_000
# What a number or a time counts as, in characters.
_OTHER_VALUE = 8

_lock = threading.Lock()
_is_written_at_exit = False
_by_url: dict[str | None, AnswerLog] = {}
_by_store: "weakref.WeakKeyDictionary[Store, AnswerLog]" = weakref.WeakKeyDictionary()


def log_answer(
    answer: str,
    context: "str | Chunk | Mapping[str, Any] | Sequence[str | Chunk | Mapping[str, Any]]",
    question: str | None = None,
    *,
    id: str | None = None,
    at: datetime | None = None,
    segment: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    store: "Store | str | None" = None,
    application: str = DEFAULT_APPLICATION,
) -> bool:
    """Log an answer for `faithview watch` to judge; the caller waits for microseconds and never gets an error.

    The answer goes into a queue in memory, and a thread writes it to the store within about 0.1 s. When the process
    ends, what is in the queue is written first. A process that is killed loses what it still held.

    Args:
        answer: what the application answered.
        context: the chunks that were retrieved for it: a text, a `Chunk`, a mapping with `text` (or `content`, or
            `page_content`) and maybe `id`, `rank`, `score` and `metadata`, or a list of these.
        question: what was asked.
        id: your own id of this answer, unique within the application: logged twice, it is stored once. None gives it
            one.
        at: when it was given, with a time zone; None is now.
        segment: a part of the traffic that gets figures of its own, such as a language or a customer.
        metadata: what else to keep with it, as JSON can hold it. Never put keys or passwords there. Lists and mappings
            inside it, and inside the metadata of chunks, must not be changed after the call.
        store: the store, or its SQLAlchemy URL; None is that of FAITHVIEW_PROJECT or
            FAITHVIEW_DB, else a file in the user's data folder.
        application: which application answers; each has its own runs.

    Returns:
        Whether the answer is in the queue. An answer is dropped if the queue is full and refused if it is not text.
        `log_counts` counts both. The Python log says at most once a minute that answers were dropped, and gives each
        kind of reason for a refusal once.

    Example:
        >>> from faithview import log_answer
        >>> log_answer("Refunds take 14 days.", ["Refunds take 14 days."], store="sqlite:///answers.db")
        True
    """
    try:
        log = _log_of(store)
    except Exception as error:  # noqa: BLE001 - a border: logging must never break the application; the store is none
        _log_of(None).refuse(f"It could not be logged: {error}")
        return False
    try:
        if not isinstance(answer, str):
            log.refuse(f"The answer must be a string, not {type(answer).__name__}.")
            return False
        given_at = datetime.now(UTC) if at is None else at
        kept = dict(metadata) if isinstance(metadata, Mapping) else metadata or None
        record = LogRecord(answer, _copied(context), question, id, given_at, segment, kept, application)
        return log.log(record, _size_of(record))
    except Exception as error:  # noqa: BLE001 - as above, and without its words, which may quote a text
        log.refuse(f"It could not be logged ({type(error).__name__}).")
        return False


def flush_log(timeout: float = 10.0) -> bool:
    """Wait until every answer that this process has logged is stored.

    Args:
        timeout: the most seconds to wait.

    Returns:
        Whether every answer is stored.

    Example:
        >>> from faithview import flush_log, log_answer
        >>> log_answer("Refunds take 14 days.", ["Refunds take 14 days."], store="sqlite:///answers.db")
        True
        >>> flush_log()
        True
    """
    return flush_all(timeout)


def log_counts(store: "Store | str | None" = None) -> LogCounts:
    """Return what became of the answers that this process has logged to that store.

    Args:
        store: as for `log_answer`.

    Returns:
        How many answers were logged, wait, are stored, were refused or dropped.

    Raises:
        InvalidInput: `store` is neither an open store nor a URL.

    Example:
        >>> from faithview import flush_log, log_answer, log_counts, open_store
        >>> with open_store("sqlite:///answers.db") as store:
        ...     log_answer("Refunds take 14 days.", ["Refunds take 14 days."], store=store)
        ...     flush_log()
        ...     log_counts(store).stored
        True
        True
        1
    """
    return _log_of(store).counts


def configure_log(
    store: "Store | str | None" = None,
    *,
    capacity: int = CAPACITY,
    characters: int = CHARACTERS,
    limits: LogLimits | None = None,
) -> None:
    """Set the size of the queue to a store and the longest texts, before the first answer is logged to it.

    Args:
        store: as for `log_answer`.
        capacity: the most answers that wait in the queue.
        characters: the most characters in the queue: answers with their questions, chunks and metadata.
        limits: the longest texts of an answer that are stored; None takes the defaults of `LogLimits`.

    Raises:
        InvalidInput: a number is below 1, or an answer was logged to that store already.

    Example:
        >>> from faithview import LogLimits, configure_log, log_answer, open_store
        >>> with open_store("sqlite:///answers.db") as store:
        ...     configure_log(store, capacity=1_000, limits=LogLimits(answer=10_000))
        ...     log_answer("Refunds take 14 days.", ["Refunds take 14 days."], store=store)
        True
    """
    if capacity < 1 or characters < 1:
        raise InvalidInput(f"The queue must hold at least 1 answer and 1 character, not {capacity} and {characters}.")
    with _lock:
        if store in _logs_like(store):
            raise InvalidInput("Answers are logged to this store already; call configure_log before the first one.")
        _add_log(store, capacity=capacity, characters=characters, limits=limits or LogLimits())


def _log_of(store: "Store | str | None") -> AnswerLog:
    logs = _logs_like(store)
    if store not in logs:
        with _lock:
            if store not in logs:
                _add_log(store)
    return logs[store]


def _logs_like(store: "Store | str | None") -> "MutableMapping[Any, AnswerLog]":
    """Return where the log of such a store is kept; one of an open store goes when the store does."""
    if store is None or isinstance(store, str):
        return _by_url
    if not hasattr(store, "db"):  # `Store` has it, whose module is not imported here
        raise InvalidInput(f"`store` must be an open store or a store's URL, not {described(store)}.")
    return _by_store


def _add_log(
    store: "Store | str | None",
    *,
    capacity: int = CAPACITY,
    characters: int = CHARACTERS,
    limits: LogLimits = LogLimits(),  # noqa: B008 - it cannot be changed
) -> None:
    global _is_written_at_exit
    if not _is_written_at_exit:
        flush_at_exit()
        _is_written_at_exit = True
    # The thread opens connections of its own: those of an open store are not to be shared with it.
    where = store if store is None or isinstance(store, str) else store.db
    log = AnswerLog(partial(_open, where), capacity=capacity, characters=characters, limits=limits)
    _logs_like(store)[store] = log


def _open(where: "str | Database | None") -> "Store":
    from faithview.services.container import Store, build
    from faithview.services.projects import settings_of

    return build(settings_of(where)) if where is None or isinstance(where, str) else Store(where.reopened())


def _copied(context: Any) -> Any:
    """Return a context that the application can no longer change, except for metadata inside it."""
    if isinstance(context, list | tuple):
        return tuple([dict(chunk) if isinstance(chunk, Mapping) else chunk for chunk in context])
    return dict(context) if isinstance(context, Mapping) else context


def _size_of(value: Any) -> int:
    """Return the characters of all texts in a value; another value counts as a few."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_size_of, value)) + sum(map(_size_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_size_of, value))
    # A `Chunk`, whose module is not imported here.
    return _size_of((value.text, value.metadata)) if hasattr(value, "chunk_id") else _OTHER_VALUE


def _after_fork() -> None:
    """Begin without logs in a forked process: the threads of the parent's are not there, and may have held locks."""
    global _lock, _is_written_at_exit
    _lock, _is_written_at_exit = threading.Lock(), False
    _by_url.clear()
    _by_store.clear()
    forget_all()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
