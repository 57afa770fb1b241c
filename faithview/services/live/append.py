"""Store the answers that live applications log, and count those that wait to be judged.

`log_answer`, `faithview serve` and the receiver of spans all use this module.

"""

import json
import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import InvalidInput, StoreError
from faithview.domain.live import LONGEST_APPLICATION, Appended, LoggedAnswer, LogLimits, LogRecord, Refusal
from faithview.domain.sample import Chunk, Sample, find_unstorable, has_unstorable, read_chunk, type_of
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
        StoreError: the store cannot be used; nothing was stored.
    """
    now = datetime.now(UTC)
    answers: list[LoggedAnswer] = []
    refused: list[Refusal] = []
    for index, record in enumerate(records):
        try:
            answers.append(read_record(record, now=now, limits=limits))
        except InvalidInput as error:
            record_id = record.record_id if isinstance(record.record_id, str) else None
            refused.append(Refusal(index=index, record_id=record_id, reason=str(error)))
    stored = live.append(store.db, answers, now=now) if answers else 0
    return Appended(stored=stored, known=len(answers) - stored, refused=tuple(refused))


def append_in_parts(
    append: Callable[[Sequence[LogRecord]], Appended], records: Sequence[LogRecord]
) -> Iterator[Appended]:
    """Store records even if the database rejects one of them; yield the outcome of each part.

    The parts are in the order of the records and cover all of them; if the database accepts all, there is one part. A
    rejected record is its own part, which is refused. Indices count within a part.

    Raises:
        StoreError: the store cannot be used; the parts yielded so far are stored.
    """
    try:
        appended = append(records)
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - tried again in halves; what is left of it is counted and logged
        if len(records) > 1:
            half = len(records) // 2
            yield from append_in_parts(append, records[:half])
            yield from append_in_parts(append, records[half:])
            return
        # Without the error's message, which may quote a text.
        _log.error("A logged answer could not be stored: %s", type(error).__name__)
        record_id = records[0].record_id if isinstance(records[0].record_id, str) else None
        reason = f"The record could not be stored ({type(error).__name__})."
        appended = Appended(stored=0, known=0, refused=(Refusal(index=0, record_id=record_id, reason=reason),))
    yield appended


def read_record(record: LogRecord, *, now: datetime, limits: LogLimits = LIMITS) -> LoggedAnswer:
    """Return a record in its stored form.

    Raises:
        InvalidInput: a field does not have the type that `LogRecord` gives, or a text is too long or cannot be stored.
    """
    chunks = _read_chunks(record.context, limits)
    return LoggedAnswer(
        application=_application(record.application),
        sample=Sample(
            answer=_checked_text("answer", record.answer, limits.answer),
            chunks=chunks,
            question=None if record.question is None else _checked_text("question", record.question, limits.question),
            key=_record_id(record.record_id),
            segment=None if record.segment is None else _checked_text("segment", record.segment, limits.question),
            timestamp=_checked_time(record.at, now),
            extra=_read_metadata("metadata", record.metadata, limits.metadata),
        ),
    )


def _checked_text(name: str, value: object, longest: int) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"The {name} must be a string, not {type_of(value)}.")
    if len(value) > longest:
        raise InvalidInput(f"The {name} has {len(value):,} characters; at most {longest:,} are stored.")
    return value


def _application(value: object) -> str:
    name = _checked_text("application", value, LONGEST_APPLICATION)
    if not name.strip() or find_unstorable(name) is not None:
        raise InvalidInput(f"The application {name!r} is empty or contains a character that cannot be stored.")
    return name.strip()


def _record_id(value: object) -> str:
    if value is None or value == "":
        return uuid.uuid4().hex
    if isinstance(value, bool) or not isinstance(value, str | int | uuid.UUID):
        raise InvalidInput(f"The id must be a string or a whole number, not {type_of(value)}.")
    return str(value)


def _checked_time(value: object, now: datetime) -> datetime:
    if value is None:
        return now
    moment = _read_moment(value) if isinstance(value, str) else value
    if not isinstance(moment, datetime):
        raise InvalidInput(f"The time must be a datetime or a text in ISO 8601, not {type_of(value)}.")
    if moment.utcoffset() is None:
        raise InvalidInput(f"The time {moment} has no time zone; add one, for example UTC.")
    if not is_plausible(moment):
        raise InvalidInput(f"The time {moment} is too early or too late for an answer.")
    return moment


def _read_moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"The time {text[:40]!r} cannot be read; write it as 2026-05-06T12:00:00Z.") from None


def _read_chunks(context: object, limits: LogLimits) -> tuple[Chunk, ...]:
    items: Sequence[object]
    if isinstance(context, str | Chunk | Mapping):
        items = (context,)
    elif isinstance(context, Sequence) and not isinstance(context, bytes | bytearray):
        items = context
    else:
        raise InvalidInput(f"The context must be a string, a chunk or a list of these, not {type_of(context)}.")
    if len(items) > limits.chunks:
        raise InvalidInput(f"The context has {len(items):,} chunks; at most {limits.chunks:,} are stored.")
    chunks = tuple(_chunk(item, number, limits) for number, item in enumerate(items, start=1))
    length = sum(len(chunk.text) for chunk in chunks)
    if length > limits.context:
        raise InvalidInput(f"The context has {length:,} characters; at most {limits.context:,} are stored.")
    return chunks


def _chunk(item: object, number: int, limits: LogLimits) -> Chunk:
    chunk = read_chunk(item, number)
    return replace(
        chunk,
        text=_checked_text(f"text of chunk {number}", chunk.text, limits.context),
        chunk_id=_checked_text(f"id of chunk {number}", chunk.chunk_id, limits.question),
        metadata=_read_metadata(f"metadata of chunk {number}", chunk.metadata, limits.metadata),
    )


def _read_metadata(name: str, value: object, longest: int) -> dict[str, Any]:
    if value is None or value == {}:
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
