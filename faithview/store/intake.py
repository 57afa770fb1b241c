"""Store the rows of a run in batches, with the labels, notes and spot-checks of imported rows.

Each batch is a short transaction. A repeated import does not store duplicates: labels and notes are stored in the same
transaction as the mark that says that their rows are complete, so a process that continues a killed import starts at
the first row whose labels and notes are missing. Spot-checks, with the labels of all answers with drawn claims, are
stored in the transaction that completes the run, because an estimate must not use part of a sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from faithview.domain.label import Label, LabelKind, Note
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Sample
from faithview.domain.spot_check import DrawnClaim, SpotCheck
from faithview.store import dialect, runs
from faithview.store.database import Database
from faithview.store.dataset_versions import Content, load_content, place_in_dataset
from faithview.store.intake_marks import advance
from faithview.store.labels import insert_labels
from faithview.store.notes import insert_note
from faithview.store.runs import insert_run
from faithview.store.samples import insert_samples
from faithview.store.schema.review import AssignmentRow
from faithview.store.schema.runs import RunIntakeRow, RunRow
from faithview.store.series import place_stored_run
from faithview.store.spot_checks import insert_spot_check


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
    """Store a new run with its first rows and its mark, and return the stored run.

    Without a series it gets the series of these rows. `dataset` and `done` are as in `Intake`.
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

    These are its times, the number of left-out rows and its data set version.
    """
    content = content_of(db, run.run_id)
    with db.bookkeep() as connection:
        return close_rows(connection, run, content)


def content_of(db: Database, run_id: str) -> Content:
    """Return the content for `close_rows`; called outside its transaction, because hashing many rows takes seconds."""
    with db.read() as connection:
        return load_content(connection, run_id)


def close_rows(connection: Connection, run: Run, content: Content) -> Run:
    """Do what `end_rows` does in the caller's transaction."""
    dialect.lock(connection, dialect.RUNS_LOCK)
    mark = delete(RunIntakeRow).where(RunIntakeRow.run_id == run.run_id).returning(RunIntakeRow.dataset)
    marked = connection.execute(mark).first()
    connection.execute(
        update(RunRow)
        .where(RunRow.id == run.run_id)
        .values(as_of=run.as_of, rows_left_out=run.rows_left_out, revision=RunRow.revision + 1)
    )
    if marked is None:  # the run was deleted
        return run
    return replace(run, dataset=place_in_dataset(connection, run, content, named=marked.dataset))


def count_rows(db: Database, run_id: str) -> int:
    """Return how many rows of a run are stored."""
    with db.read() as connection:
        return connection.execute(select(RunRow.rows).where(RunRow.id == run_id)).scalar_one_or_none() or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLabel:
    """A label on the row at a position; `spot_check` is the `key` of its spot-check, "" without one.

    `retracted_at` is when its author retracted it, None if they did not.
    """

    position: int
    label: Label
    spot_check: str = ""
    retracted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenCheck:
    """A spot-check, its drawn claims in queue order, and its assigned reviewers; `key` identifies it in its file."""

    key: str
    check: SpotCheck
    drawn: Sequence[DrawnClaim]
    assigned_to: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplesWork:
    """The labels, notes and spot-checks of some rows, in the order in which they were given."""

    labels: Sequence[GivenLabel] = ()
    notes: Sequence[Note] = ()


def add_work(db: Database, run_id: str, work: PeoplesWork, *, reader: str, done: int, now: datetime) -> None:
    """Store labels and notes up to row `done`, together with the mark that says so.

    Raises:
        NotFound: the run was deleted, another process now imports it, or a claim does not exist; nothing was written.
    """
    with db.write() as connection:
        advance(connection, run_id, reader=reader, done=done, now=now)
        _insert_labels(connection, run_id, work.labels, spot_checks={})
        for note in work.notes:
            insert_note(connection, note)


def end_import(
    db: Database,
    run: Run,
    checks: Sequence[GivenCheck],
    labels: Sequence[GivenLabel],
    *,
    worker: str,
    now: datetime,
) -> Run:
    """Complete a run that has all its rows, with the spot-checks and the labels given in them, in one transaction.

    Returns:
        What `end_rows` does.

    Raises:
        NotFound: the run has no such claim; nothing was written.
    """
    content = content_of(db, run.run_id)
    with db.write() as connection:
        ended = close_rows(connection, run, content)
        ids = {given.key: insert_spot_check(connection, given.check, given.drawn) for given in checks}
        assigned = [
            {"spot_check_id": ids[given.key], "reviewer": name, "assigned_by": given.check.created_by, "at": now}
            for given in checks
            for name in given.assigned_to
        ]
        if assigned:
            connection.execute(insert(AssignmentRow), assigned)
        _insert_labels(connection, run.run_id, labels, spot_checks=ids)
        runs.finish(connection, run.run_id, worker=worker, status=RunStatus.COMPLETE, now=now)
        return ended


def _insert_labels(
    connection: Connection, run_id: str, given: Sequence[GivenLabel], *, spot_checks: dict[str, int]
) -> None:
    """Store labels, and the retractions of retracted ones."""
    if not given:
        return
    labels = [replace(item.label, spot_check_id=spot_checks.get(item.spot_check)) for item in given]
    ids = insert_labels(connection, run_id, [(item.position, label) for item, label in zip(given, labels, strict=True)])
    taken_back = [
        (
            item.position,
            Label(
                label_id=0,
                kind=LabelKind.RETRACTION,
                reviewer=item.label.reviewer,
                at=item.retracted_at,
                claim_number=item.label.claim_number,
                role=item.label.role,
                retracts=label_id,
            ),
        )
        for item, label_id in zip(given, ids, strict=True)
        if item.retracted_at is not None
    ]
    if taken_back:
        insert_labels(connection, run_id, taken_back)
