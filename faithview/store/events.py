"""Events that users recorded, and the columns of the runs' rows that say how their answers were made."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.event import Event, EventKind
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.comparison import EventRow
from faithview.store.schema.runs import SampleRow

# How many rows of a run are read: many of a short run, and only a few of a long one.
_POSITIONS = tuple(2**power for power in range(20))


def add_event(db: Database, event: Event, *, now: datetime, created_by: str | None) -> int:
    """Store an event and return its id; the runs around it are not stored, because they change."""
    with db.write() as connection:
        record(connection, Action.EVENT_ADDED, subject=event.label, detail=event.at.isoformat())
        return connection.execute(
            insert(EventRow).returning(EventRow.id),
            {
                "at": event.at,
                "kind": event.kind,
                "label": event.label,
                "kb_version": event.kb_version,
                "created_at": now,
                "created_by": created_by,
            },
        ).scalar_one()


def delete_event(db: Database, event_id: int) -> None:
    """Delete an event; raises NotFound."""
    with db.write() as connection:
        deleted = delete(EventRow).where(EventRow.id == event_id).returning(EventRow.label)
        label = connection.execute(deleted).scalar()
        if label is None:
            raise NotFound(f"There is no event {event_id}; `faithview event list` lists them.")
        record(connection, Action.EVENT_DELETED, subject=label)


def list_events(db: Database) -> list[Event]:
    """Return the stored events, oldest first, without the runs around them."""
    with db.read() as connection:
        rows = connection.execute(select(EventRow.__table__).order_by(EventRow.at, EventRow.id)).all()
    return [
        Event(event_id=row.id, at=row.at, kind=EventKind(row.kind), label=row.label, kb_version=row.kb_version)
        for row in rows
    ]


def sample_extras(db: Database, run_ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the extra columns of at most twenty rows of each run, spread over it."""
    query = select(SampleRow.run_id, SampleRow.extra).where(
        dialect.among(SampleRow.run_id, run_ids), SampleRow.position.in_(_POSITIONS)
    )
    extras: dict[str, list[dict[str, Any]]] = {run_id: [] for run_id in run_ids}
    with db.read() as connection:
        for row in connection.execute(query):
            extras[row.run_id].append(row.extra)
    return extras
