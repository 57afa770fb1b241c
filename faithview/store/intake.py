"""Store the rows of a run in several short transactions, while its file is read.

Until the last row is stored, the run has the status `interrupted` and its reader is its worker, so it cannot be judged.
If the reader is killed, the run says that rows are missing, and reading the file again replaces it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select, update

from faithview.domain.label import Label, Note
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Sample
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.labels import insert_labels
from faithview.store.notes import insert_note
from faithview.store.runs import insert_run, keep_alive
from faithview.store.samples import insert_samples, load_rows_hash
from faithview.store.schema.runs import RunRow


def begin_rows(db: Database, run: Run, samples: Sequence[Sample], *, reader: str, now: datetime) -> Run:
    """Store a new run with its first rows, and return the stored run."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        run = insert_run(connection, run, rows=len(samples))
        insert_samples(connection, run.run_id, samples)
        connection.execute(
            update(RunRow)
            .where(RunRow.id == run.run_id)
            .values(status=RunStatus.INTERRUPTED, worker=reader, heartbeat_at=now)
        )
        return run


def add_rows(db: Database, run_id: str, samples: Sequence[Sample], *, first: int, reader: str, now: datetime) -> None:
    """Store further rows of a run, with positions from `first`.

    Raises:
        RunConflict: the run was deleted; nothing was written.
    """
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        keep_alive(connection, run_id, worker=reader, now=now)
        insert_samples(connection, run_id, samples, first=first)
        connection.execute(update(RunRow).where(RunRow.id == run_id).values(rows=RunRow.rows + len(samples)))


def add_work(
    db: Database,
    run_id: str,
    *,
    labels: Sequence[tuple[int, Label]],
    notes: Sequence[Note],
    reader: str,
    now: datetime,
) -> None:
    """Store labels, as (row position, label), and notes that came with the rows.

    Raises:
        RunConflict: the run was deleted; nothing was written.
        NotFound: a claim does not exist; nothing was written.
    """
    with db.write() as connection:
        keep_alive(connection, run_id, worker=reader, now=now)
        insert_labels(connection, [(run_id, position, label) for position, label in labels])
        for note in notes:
            insert_note(connection, note)


def end_rows(db: Database, run: Run, *, status: RunStatus, reader: str, now: datetime) -> Run:
    """Give a run that has all its rows its status, and return it with the hash of its rows.

    Raises:
        RunConflict: the run was deleted.
    """
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        keep_alive(connection, run.run_id, worker=reader, now=now)
        rows_hash = load_rows_hash(connection, run.run_id)
        connection.execute(
            update(RunRow)
            .where(RunRow.id == run.run_id)
            .values(
                status=status,
                worker=None,
                heartbeat_at=None,
                finished_at=now if status is RunStatus.COMPLETE else None,
                as_of=run.as_of,
                rows_left_out=run.rows_left_out,
                rows_hash=rows_hash,
            )
        )
    return replace(run, status=status, rows_hash=rows_hash)


def list_half_read(db: Database, run: Run) -> list[tuple[str, str | None, datetime | None]]:
    """Return the runs whose rows are not all stored, of the same file and judge as this one.

    Each has its id, its reader and the reader's last heartbeat.
    """
    query = select(RunRow.id, RunRow.worker, RunRow.heartbeat_at).where(
        RunRow.status == RunStatus.INTERRUPTED,
        RunRow.source == run.source,
        RunRow.fingerprint == run.fingerprint,
    )
    with db.read() as connection:
        return [(row.id, row.worker, row.heartbeat_at) for row in connection.execute(query)]
