"""People's work that comes with the rows of an imported run, stored so that a repeated import cannot store it twice.

Labels and notes are stored in the transaction in which the run's mark says that their rows are complete, so whoever
continues an import that was killed begins with the first row whose labels and notes are missing. Spot-checks, with the
labels of all answers of which they drew something, are stored in the transaction that completes the run: while rows
are missing, nothing may be estimated from a part of a sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, insert

from faithview.domain.label import Label, LabelKind, Note
from faithview.domain.run import Run, RunStatus
from faithview.domain.spot_check import DrawnClaim, SpotCheck
from faithview.store.database import Database
from faithview.store.review.labels import insert_labels
from faithview.store.review.spot_checks import insert_spot_check
from faithview.store.review.teams.notes import insert_note
from faithview.store.runs import runs
from faithview.store.runs.intake import rows
from faithview.store.runs.intake.marks import advance
from faithview.store.schema.review import AssignmentRow


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLabel:
    """A label on the row at a position; `spot_check` is the `key` of the one that it was given in, "" outside one.

    `retracted_at` is when its author took it back, None where they did not.
    """

    position: int
    label: Label
    spot_check: str = ""
    retracted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenCheck:
    """A spot-check, what it drew in the order of its queue, and in whose queues it is; `key` names it in its file."""

    key: str
    check: SpotCheck
    drawn: Sequence[DrawnClaim]
    assigned_to: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplesWork:
    """What people said about some rows, in the order in which they said it."""

    labels: Sequence[GivenLabel] = ()
    notes: Sequence[Note] = ()


def add_work(db: Database, run_id: str, work: PeoplesWork, *, reader: str, done: int, now: datetime) -> None:
    """Store what people said up to row `done`, together with the mark that says so.

    Raises:
        NotFound: the run was deleted, another process imports it by now, or it has no such claim; nothing was written.
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
        What `rows.end_rows` does.

    Raises:
        NotFound: the run has no such claim; nothing was written.
    """
    content = rows.content_of(db, run.run_id)
    with db.write() as connection:
        ended = rows.close_rows(connection, run, content)
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
    """Store labels and, of those that were taken back, that they were."""
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
