"""Store the answers that live applications log. `log_answer`, `faithview serve` and the receiver of spans use it."""

import json
import logging
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import InvalidInput, StoreError
from faithview.domain.live import LONGEST_APPLICATION, Appended, LoggedAnswer, LogLimits, LogRecord, Refusal
from faithview.domain.sample import Sample, find_unstorable, has_unstorable, type_of
from faithview.services.container import Store
from faithview.store import live

_log = logging.getLogger(__name__)

LIMITS = LogLimits()


def append_answers(store: Store, records: Iterable[LogRecord], *, limits: LogLimits = LIMITS) -> Appended:
    """Check a batch of logged answers and store those that are new, in one transaction.

    This does not judge; `faithview watch` does. Pass records that arrived together, up to a few hundred at a time,
    because a transaction costs more than a record. The call blocks until the database is done, so use a thread
    (`asyncio.to_thread`) in an event loop. Many threads and processes may call it.

        appended = append_answers(services, [LogRecord(answer=..., context=[...], record_id=..., application=...)])
        appended.stored, appended.known, [(refusal.index, refusal.reason) for refusal in appended.refused]

    It is idempotent: a record whose `record_id` is known within its application changes nothing and counts as known,
    so a batch can be sent again after an error. A record that cannot be used is refused with the reason, and the others
    are still stored.

    Args:
        store: the store.
        records: the answers; `LogRecord` describes their fields.
        limits: the maximum lengths of stored texts.

    Raises:
        StoreError: the store cannot be used. Send the same records again; those that are stored count as known then.
    """
    now = datetime.now(UTC)
    answers: list[tuple[int, LoggedAnswer]] = []
    refused: list[Refusal] = []
    for index, record in enumerate(records):
        try:
            answers.append((index, read_record(record, now=now, limits=limits)))
        except InvalidInput as error:
            record_id = record.record_id if isinstance(record.record_id, str) else None
            refused.append(Refusal(index=index, record_id=record_id, reason=str(error)))
    given = len(answers) + len(refused)
    stored = _store(store, answers, refused, now=now)
    refused.sort(key=lambda refusal: refusal.index)
    return Appended(stored=stored, known=given - stored - len(refused), refused=tuple(refused))


def _store(store: Store, answers: list[tuple[int, LoggedAnswer]], refused: list[Refusal], *, now: datetime) -> int:
    """Store answers and return how many were new; one that the database does not take is refused."""
    try:
        return live.append(store.db, [answer for _, answer in answers], now=now)
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - it must not keep the others out, and its message may quote a text
        if len(answers) > 1:
            return sum(_store(store, [one], refused, now=now) for one in answers)
        _log.error("A logged answer could not be stored: %s", type(error).__name__)
        [(index, answer)] = answers
        reason = f"The record could not be stored ({type(error).__name__})."
        refused.append(Refusal(index=index, record_id=answer.sample.key, reason=reason))
        return 0


def read_record(record: LogRecord, *, now: datetime, limits: LogLimits = LIMITS) -> LoggedAnswer:
    """Return a record in its stored form.

    Raises:
        InvalidInput: a field does not have the type that `LogRecord` gives, or a text is too long or cannot be stored.
    """
    application, key = record.application, record.record_id
    if not isinstance(application, str):
        raise InvalidInput(f"The application must be a string, not {type_of(application)}.")
    if not application.strip() or find_unstorable(application) is not None:
        raise InvalidInput(f"The application {application!r} is empty or contains a character that cannot be stored.")
    if key is None or key == "":
        key = uuid.uuid4().hex
    elif isinstance(key, bool) or not isinstance(key, str | int | uuid.UUID):
        raise InvalidInput(f"The id must be a string or a whole number, not {type_of(key)}.")
    sample = replace(
        Sample.of(record.answer, record.context, question=record.question, key=str(key)),
        segment=record.segment,
        timestamp=now if record.at is None else _read_time(record.at),
        extra=_read_metadata("metadata", record.metadata, limits.metadata),
    )
    if sample.timestamp is not None and not is_plausible(sample.timestamp):
        raise InvalidInput(f"The time {sample.timestamp} is too early or too late for an answer.")
    for name, length, most in (
        ("application", len(application), LONGEST_APPLICATION),
        ("answer", len(sample.answer), limits.answer),
        ("question", len(sample.question or ""), limits.question),
        ("context", sum(len(chunk.text) for chunk in sample.chunks), limits.context),
    ):
        if length > most:
            raise InvalidInput(f"The {name} has {length:,} characters; at most {most:,} are stored.")
    if len(sample.chunks) > limits.chunks:
        raise InvalidInput(f"The context has {len(sample.chunks):,} chunks; at most {limits.chunks:,} are stored.")
    chunks = tuple(
        replace(chunk, metadata=_read_metadata(f"metadata of chunk {number}", chunk.metadata, limits.metadata))
        for number, chunk in enumerate(sample.chunks, start=1)
    )
    return LoggedAnswer(application=application.strip(), sample=replace(sample, chunks=chunks))


def _read_time(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise InvalidInput(f"The time {value[:40]!r} cannot be read; write it as 2026-05-06T12:00:00Z.") from None


def _read_metadata(name: str, value: object, longest: int) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"The {name} must be a mapping, not {type_of(value)}.")
    try:
        # Read back: keys become strings, and later changes by the application have no effect.
        text = json.dumps(dict(value), allow_nan=False)
        read: dict[str, Any] = json.loads(text)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise InvalidInput(f"The {name} cannot be written as JSON: {error}.") from None
    if len(text) > longest:
        raise InvalidInput(f"The {name} has {len(text):,} characters as JSON, and at most {longest:,} are stored.")
    if has_unstorable(read):
        raise InvalidInput(f"The {name} has a text with a NUL character or an incomplete character; remove it.")
    return read
