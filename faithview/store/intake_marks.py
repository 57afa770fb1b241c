"""The mark of a run whose file is still being read: the reader, its progress, and why it stopped.

A process that stores rows in more than one transaction sets the mark in the first and removes it in the last. If the
reader of a mark has ended, rows of the file are missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select, update

from faithview.domain.errors import NotFound, RunConflict
from faithview.domain.run import is_sign_of_life
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.runs import RunIntakeRow, RunRow

# A reader writes rows, which updates its heartbeat, several times per second. After this time it counts as ended: long
# enough for a machine that sleeps briefly and for a batch of very long rows.
_LEASE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """A run's mark.

    Attributes:
        run_id: the run.
        reader: the process that reads, as `services.runs.intake` names it.
        alive_at: its last heartbeat.
        done: how many rows are stored with their results, labels and notes.
        error: why reading stopped; None while it continues, and if the reader was killed.
        origin: how to open the file again (`services.dataset_files`); None if no other process can.
    """

    run_id: str
    reader: str
    alive_at: datetime
    done: int
    error: str | None
    origin: Mapping[str, Any] | None

    def is_read_on(self, now: datetime) -> bool:
        """Return whether more rows may come."""
        return self.error is None and is_sign_of_life(self.alive_at, now, lease=_LEASE)

    @property
    def words(self) -> str:
        """The missing rows, as sentences."""
        why = f" {self.error}" if self.error else ""
        return f"Its file was not read to the end: the rows after the first {self.done:,} are missing.{why}"


def load_intakes(connection: Connection, run_ids: Sequence[str]) -> dict[str, Intake]:
    """Return the marks of these runs by id; runs that have all their rows have none."""
    row = RunIntakeRow
    # One query for many runs, because few runs have a mark.
    wanted = row.run_id.in_(run_ids) if len(run_ids) <= dialect.BATCH_SIZE else row.run_id.is_not(None)
    return {
        found.run_id: Intake(
            run_id=found.run_id,
            reader=found.reader,
            alive_at=found.alive_at,
            done=found.done,
            error=found.error,
            origin=found.origin,
        )
        for found in connection.execute(select(row.__table__).where(wanted))
    }


def find_intake(db: Database, run_id: str) -> Intake | None:
    """Return a run's mark; None for a run that has all its rows."""
    with db.read() as connection:
        return load_intakes(connection, [run_id]).get(run_id)


def take_intake(db: Database, intake: Intake, *, reader: str, now: datetime) -> None:
    """Make this reader continue where another one stopped.

    Raises:
        RunConflict: another process has continued.
    """
    row = RunIntakeRow
    taken = (
        update(row)
        .where(row.run_id == intake.run_id, row.reader == intake.reader, row.alive_at == intake.alive_at)
        .values(reader=reader, alive_at=now, error=None)
    )
    with db.bookkeep() as connection:
        if connection.execute(taken).rowcount != 1:
            raise RunConflict(f"The file of run {intake.run_id} is being read by another process; wait for it.")


def advance(connection: Connection, run_id: str, *, reader: str, done: int, now: datetime) -> None:
    """Record, in the reader's own transaction, that `done` rows are complete with labels and notes.

    Raises:
        NotFound: the run was deleted, or another process now reads its file; nothing may be written.
    """
    marked = connection.execute(
        update(RunIntakeRow)
        .where(RunIntakeRow.run_id == run_id, RunIntakeRow.reader == reader)
        .values(alive_at=now, done=done)
    )
    if marked.rowcount != 1:
        raise NotFound(f"Run {run_id} was deleted, or another process now reads its file.")


def stop_intake(db: Database, run_id: str, *, error: str) -> None:
    """Record why reading stopped; does nothing for a complete or deleted run."""
    with db.bookkeep() as connection:
        connection.execute(update(RunIntakeRow).where(RunIntakeRow.run_id == run_id).values(error=error))
        connection.execute(update(RunRow).where(RunRow.id == run_id).values(revision=RunRow.revision + 1))
