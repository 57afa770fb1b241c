"""Store the rows of a run in batches, with the labels and notes of imported rows.

Each batch is a short transaction. A repeated import does not store duplicates: labels and notes are stored in the same
transaction as the mark that says that their rows are complete, so a process that continues a killed import starts at
the first row whose labels and notes are missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from faithview.domain.label import Label, Note
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Sample
from faithview.store import dialect, runs
from faithview.store.database import Database
from faithview.store.intake_marks import advance
from faithview.store.labels import insert_labels
from faithview.store.notes import insert_note
from faithview.store.reviews import apply_earlier_labels
from faithview.store.runs import insert_run
from faithview.store.samples import insert_samples, load_rows_hash
from faithview.store.schema.runs import RunIntakeRow, RunRow


def begin_rows(
    db: Database,
    run: Run,
    samples: Sequence[Sample],
    *,
    reader: str,
    origin: Mapping[str, Any] | None,
    done: int,
    now: datetime,
) -> Run:
    """Store a new run with its first rows and its mark, and return the stored run; `done` is as in `Intake`."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        run = insert_run(connection, run, rows=len(samples))
        insert_samples(connection, run.run_id, samples, dialect_name=db.dialect_name)
        mark = {"run_id": run.run_id, "reader": reader, "alive_at": now, "done": done}
        connection.execute(insert(RunIntakeRow), {**mark, "origin": origin})
        return run


def add_rows(
    db: Database, run_id: str, samples: Sequence[Sample], *, first: int, reader: str, done: int, now: datetime
) -> None:
    """Store further rows of a run, with positions from `first`; `done` is as in `Intake`.

    Raises:
        NotFound: the run was deleted, or another process now reads its file; nothing was written.
    """
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        advance(connection, run_id, reader=reader, done=done, now=now)
        insert_samples(connection, run_id, samples, dialect_name=db.dialect_name, first=first)
        connection.execute(
            update(RunRow)
            .where(RunRow.id == run_id)
            .values(rows=RunRow.rows + len(samples), revision=RunRow.revision + 1)
        )


def end_rows(db: Database, run: Run) -> Run:
    """Remove the mark of a run that has all its rows, and store the facts that are now known.

    These are its times, the number of left-out rows and the hash of its rows.
    """
    with db.bookkeep() as connection:
        return close_rows(connection, run)


def close_rows(connection: Connection, run: Run) -> Run:
    """Do what `end_rows` does in the caller's transaction."""
    dialect.lock(connection, dialect.RUNS_LOCK)
    run = replace(run, rows_hash=load_rows_hash(connection, run.run_id))
    connection.execute(delete(RunIntakeRow).where(RunIntakeRow.run_id == run.run_id))
    connection.execute(
        update(RunRow)
        .where(RunRow.id == run.run_id)
        .values(
            as_of=run.as_of,
            rows_left_out=run.rows_left_out,
            rows_hash=run.rows_hash,
            revision=RunRow.revision + 1,
        )
    )
    return run


def count_rows(db: Database, run_id: str) -> int:
    """Return how many rows of a run are stored."""
    with db.read() as connection:
        return connection.execute(select(RunRow.rows).where(RunRow.id == run_id)).scalar_one_or_none() or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplesWork:
    """The labels, as (row position, label), and notes of some rows, in the order in which they were given."""

    labels: Sequence[tuple[int, Label]] = ()
    notes: Sequence[Note] = ()


def add_work(db: Database, run_id: str, work: PeoplesWork, *, reader: str, done: int, now: datetime) -> None:
    """Store labels and notes up to row `done`, together with the mark that says so.

    Raises:
        NotFound: the run was deleted, another process now imports it, or a claim does not exist; nothing was written.
    """
    with db.write() as connection:
        advance(connection, run_id, reader=reader, done=done, now=now)
        insert_labels(connection, [(run_id, position, label) for position, label in work.labels])
        for note in work.notes:
            insert_note(connection, note)


def end_import(db: Database, run: Run, *, worker: str, now: datetime) -> Run:
    """Complete a run that has all its rows, and return what `end_rows` does."""
    apply_earlier_labels(db, run.run_id)
    with db.bookkeep() as connection:
        ended = close_rows(connection, run)
        runs.finish(connection, run.run_id, worker=worker, status=RunStatus.COMPLETE, now=now)
        return ended
