"""Logged answers: stored as they come, counted, and rid of their texts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update

from faithview.domain.audit import Action
from faithview.domain.live.logged_answer import Backlog, Fate, LoggedAnswer
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.schema.live import LoggedAnswerRow


def append(db: Database, answers: Sequence[LoggedAnswer], *, now: datetime) -> int:
    """Store the answers whose ids are new within their application, in one transaction; return how many."""
    rows = [_values(answer, now) for answer in answers]
    insert = dialect.insert_ignore(db.dialect_name)(LoggedAnswerRow, ["application", "external_id"])
    stored = 0
    with db.bookkeep() as connection:
        for batch in dialect.batches(rows):
            stored += len(connection.execute(insert.returning(LoggedAnswerRow.id), list(batch)).all())
    return stored


def list_backlogs(db: Database, *, application: str | None = None) -> list[Backlog]:
    """Return for each application, or for one, what waits and what was decided, by name."""
    row = LoggedAnswerRow
    query = (
        select(row.application, row.fate, func.count().label("answers"), func.min(row.id).label("first"))
        .group_by(row.application, row.fate)
        .order_by(row.application)
    )
    if application is not None:
        query = query.where(dialect.equals(row.application, application))
    counts: dict[str, dict[str, int]] = {}
    first: dict[str, int] = {}
    with db.read() as connection:
        for found in connection.execute(query):
            counts.setdefault(found.application, {})[found.fate] = found.answers
            if found.fate == Fate.WAITING:
                first[found.application] = found.first
        is_first = dialect.is_among(row.id, list(first.values()), dialect=db.dialect_name)
        oldest = select(row.application, row.logged_at).where(is_first)
        oldest_at = {found.application: found.logged_at for found in connection.execute(oldest)} if first else {}
    return [
        Backlog(
            application=name,
            waiting=fates.get(Fate.WAITING, 0),
            taken=fates.get(Fate.TAKEN, 0),
            skipped=fates.get(Fate.SKIPPED, 0),
            oldest_at=oldest_at.get(name),
        )
        for name, fates in counts.items()
    ]


def remove_texts(db: Database, *, before: datetime, application: str | None = None) -> int:
    """Remove the texts of skipped answers that were logged before then; return how many answers had any."""
    row = LoggedAnswerRow
    chosen = [row.fate == Fate.SKIPPED, row.answer.is_not(None), row.logged_at < before]
    if application is not None:
        chosen.append(dialect.equals(row.application, application))
    with db.write() as connection:
        removed = connection.execute(update(row).where(*chosen).values(NO_TEXTS)).rowcount
        if removed:
            record(connection, Action.LOG_EMPTIED, subject=application, items=removed)
    return removed


# What a row without its texts holds in their place.
NO_TEXTS: dict[str, Any] = {"question": None, "answer": None, "chunks": None, "extra": None}


def _values(answer: LoggedAnswer, now: datetime) -> dict[str, object]:
    sample = answer.sample
    return {
        "application": answer.application,
        "external_id": sample.key,
        "at": sample.timestamp or now,
        "logged_at": now,
        "question": sample.question,
        "answer": sample.answer,
        "chunks": [[c.chunk_id, c.text, c.rank, c.score, dict(c.metadata)] for c in sample.chunks],
        "segment": sample.segment,
        "extra": dict(sample.extra),
        "fate": Fate.WAITING,
    }
