"""People's work that comes with the rows of an imported run, stored so that a repeated import cannot store it twice.

Labels and notes are stored in the transaction in which the run's mark says that their rows are complete, so whoever
continues an import that was killed begins with the first row whose labels and notes are missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.label import Label, Note
from faithview.domain.run import Run, RunStatus
from faithview.store.database import Database
from faithview.store.review.labels import insert_labels
from faithview.store.review.teams.notes import insert_note
from faithview.store.runs import runs
from faithview.store.runs.intake import rows
from faithview.store.runs.intake.marks import advance


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplesWork:
    """What people said about some rows: their labels with the rows' positions, and their notes."""

    labels: Sequence[tuple[int, Label]] = ()
    notes: Sequence[Note] = ()


def add_work(db: Database, run_id: str, work: PeoplesWork, *, reader: str, done: int, now: datetime) -> None:
    """Store what people said up to row `done`, together with the mark that says so.

    Raises:
        NotFound: the run was deleted, another process imports it by now, or it has no such claim; nothing was written.
    """
    with db.write() as connection:
        advance(connection, run_id, reader=reader, done=done, now=now)
        if work.labels:
            insert_labels(connection, run_id, work.labels)
        for note in work.notes:
            insert_note(connection, note)


def end_import(db: Database, run: Run, *, worker: str, now: datetime) -> Run:
    """Complete a run that has all its rows in one transaction; returns what `rows.end_rows` does."""
    content = rows.content_of(db, run.run_id)
    with db.write() as connection:
        ended = rows.close_rows(connection, run, content)
        runs.finish(connection, run.run_id, worker=worker, status=RunStatus.COMPLETE, now=now)
        return ended
