"""Complete runs that nobody has checked for alerts yet: their worker does that next, and may have ended before it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update

from faithview.domain.run import RunStatus
from faithview.store.database import Database
from faithview.store.schema.runs import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchecked:
    """A complete run that its worker has not checked for alerts yet."""

    run_id: str
    worker: str
    finished_at: datetime


def complete_run(db: Database, run_id: str, *, worker: str, now: datetime) -> None:
    """Complete a run that stays its worker's until `note_checked`; does nothing if it belongs to another worker."""
    with db.bookkeep() as connection:
        connection.execute(
            update(RunRow)
            .where(RunRow.id == run_id, RunRow.worker == worker)
            .values(status=RunStatus.COMPLETE, finished_at=now, error=None, revision=RunRow.revision + 1)
        )


def list_unchecked(db: Database) -> list[Unchecked]:
    """Return the complete runs that were not checked for alerts yet, oldest first."""
    query = (
        select(RunRow.id, RunRow.worker, RunRow.finished_at)
        .where(RunRow.status == RunStatus.COMPLETE, RunRow.worker.is_not(None), RunRow.finished_at.is_not(None))
        .order_by(RunRow.finished_at, RunRow.id)
    )
    with db.read() as connection:
        return [
            Unchecked(run_id=row.id, worker=row.worker, finished_at=row.finished_at)
            for row in connection.execute(query)
        ]


def note_checked(db: Database, run_id: str, *, worker: str) -> None:
    """Record that a complete run was checked for alerts; does nothing if another worker has it by now."""
    with db.bookkeep() as connection:
        connection.execute(update(RunRow).where(RunRow.id == run_id, RunRow.worker == worker).values(worker=None))
