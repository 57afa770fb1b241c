"""The rows of a run, stored batch by batch, each in a transaction that others can wait for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.dataset_versions import Content, load_content, place_in_dataset
from faithview.store.runs.intake.marks import advance
from faithview.store.runs.runs import insert_run
from faithview.store.runs.samples import insert_samples
from faithview.store.runs.series import place_stored_run
from faithview.store.schema.runs import RunIntakeRow, RunRow


def begin_rows(
    db: Database,
    run: Run,
    samples: Sequence[Sample],
    *,
    reader: str,
    origin: Mapping[str, Any] | None,
    dataset: str | None,
    done: int,
    now: datetime,
) -> Run:
    """Store a new run with the first of its rows and its mark, and return it as it is stored.

    Without a series it gets the one that these rows belong to. `dataset` and `done` are as in `Intake`.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        run = insert_run(connection, run, rows=len(samples))
        insert_samples(connection, run.run_id, samples, dialect_name=db.dialect_name)
        mark = {"run_id": run.run_id, "reader": reader, "alive_at": now, "done": done}
        connection.execute(insert(RunIntakeRow), {**mark, "origin": origin, "dataset": dataset})
        return run if run.series else replace(run, series=place_stored_run(connection, run))


def add_rows(
    db: Database, run_id: str, samples: Sequence[Sample], *, first: int, reader: str, done: int, now: datetime
) -> None:
    """Store further rows of a run, whose positions count from `first`; `done` is as in `Intake`.

    Raises:
        NotFound: the run was deleted, or another process reads its file by now; nothing was written.
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
    """Remove the mark of a run that has all its rows, and store what is known of it by now.

    That are its times, how many rows were left out and which version of a data set its rows are.
    """
    content = content_of(db, run.run_id)
    with db.bookkeep() as connection:
        return close_rows(connection, run, content)


def content_of(db: Database, run_id: str) -> Content:
    """Return what `close_rows` needs; read outside its transaction, for hashing many rows takes seconds."""
    with db.read() as connection:
        return load_content(connection, run_id)


def close_rows(connection: Connection, run: Run, content: Content) -> Run:
    """Do what `end_rows` does in a transaction of the caller's."""
    dialect.lock(connection, dialect.RUNS_LOCK)
    mark = delete(RunIntakeRow).where(RunIntakeRow.run_id == run.run_id).returning(RunIntakeRow.dataset)
    marked = connection.execute(mark).first()
    connection.execute(
        update(RunRow)
        .where(RunRow.id == run.run_id)
        .values(as_of=run.as_of, rows_left_out=run.rows_left_out, revision=RunRow.revision + 1)
    )
    if marked is None:  # the run was deleted meanwhile
        return run
    return replace(run, dataset=place_in_dataset(connection, run, content, named=marked.dataset))


def count_rows(db: Database, run_id: str) -> int:
    """Return how many rows of a run are stored."""
    with db.read() as connection:
        return connection.execute(select(RunRow.rows).where(RunRow.id == run_id)).scalar_one_or_none() or 0
