"""Delete runs and logged texts: what goes with a run, which are past their retention, and the space that they free.

Each run is deleted in one transaction.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, case, delete, func, select, update

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.live import Fate
from faithview.domain.retention import OldRun
from faithview.domain.run import RunContents
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.live import NO_TEXTS
from faithview.store.reviews import derive_reviews, find_twins
from faithview.store.runs import is_busy
from faithview.store.samples import remove_unused_chunks
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.review import LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import (
    CitationRow,
    ClaimRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
    is_of_runs,
)
from faithview.store.sqlite import drop_deleted_words, overwrite_deleted


def load_contents(db: Database, run_id: str) -> RunContents:
    """Return what would be deleted with the run."""
    items = (
        select(
            SpotCheckRow.id,
            SpotCheckRow.name,
            func.count().label("items"),
            func.count().filter(SpotCheckItemRow.run_id == run_id).label("here"),
        )
        .join(SpotCheckItemRow, SpotCheckItemRow.spot_check_id == SpotCheckRow.id)
        .group_by(SpotCheckRow.id, SpotCheckRow.name)
        .order_by(SpotCheckRow.id)
    )
    labels = (
        select(LabelRow.reviewer, func.count())
        .where(LabelRow.run_id == run_id, LabelRow.retracts.is_(None))
        .group_by(LabelRow.reviewer)
        .order_by(LabelRow.reviewer)
    )
    with db.read() as connection:
        checks = connection.execute(items).all()
        return RunContents(
            answers=connection.execute(
                select(func.count()).select_from(SampleRow).where(SampleRow.run_id == run_id)
            ).scalar_one(),
            claims=connection.execute(
                select(func.count()).select_from(ClaimRow).where(is_of_runs(run_id))
            ).scalar_one(),
            labels={row[0]: row[1] for row in connection.execute(labels)},
            spot_checks=tuple(check.name for check in checks if check.here == check.items),
            shortened_spot_checks=tuple(check.name for check in checks if 0 < check.here < check.items),
            repeats=connection.execute(
                select(func.count()).select_from(RunRow).where(RunRow.repeat_of == run_id)
            ).scalar_one(),
        )


def delete_run(db: Database, run_id: str, *, why: str | None = None) -> None:
    """Delete the run with everything that belongs to it (`load_contents`); the audit log records the reason, if given.

    Chunks that no other run or knowledge base uses and spot-checks without remaining claims are deleted too. On SQLite
    no part of the texts remains in the file; PostgreSQL overwrites them in time. `give_space_back` makes the file
    smaller. The runs of its preflights go with a run.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        record(connection, Action.RUN_DELETED, run_id=run_id, detail=why)
        overwrite_deleted(connection)
        labelled = connection.execute(select(LabelRow.sample_id).where(LabelRow.run_id == run_id).distinct()).scalars()
        twins = find_twins(connection, list(labelled))
        gone = [run_id]
        for one in gone:
            gone += connection.execute(select(RunRow.id).where(RunRow.preflight_of == one)).scalars()
            _delete_claims(connection, one)
            if connection.execute(delete(RunRow).where(RunRow.id == one)).rowcount == 0:
                raise NotFound(f"There is no run {run_id!r}; `faithview run list` lists them.")
        drawn = select(SpotCheckItemRow.id).where(SpotCheckItemRow.spot_check_id == SpotCheckRow.id)
        connection.execute(delete(SpotCheckRow).where(~drawn.exists()))
        remove_unused_chunks(connection)
        drop_deleted_words(connection)
        derive_reviews(connection, sorted(twins))  # the run's labels no longer apply to equal claims of other runs
    db.empty_log()


def _delete_claims(connection: Connection, run_id: str) -> None:
    """Delete a run's rows of the largest tables in sets; foreign keys would delete row by row, at half the speed."""
    claims = select(ClaimRow.id).where(is_of_runs(run_id))
    samples = select(SampleRow.id).where(SampleRow.run_id == run_id)
    connection.execute(delete(InboxClaimRow).where(InboxClaimRow.run_id == run_id))
    connection.execute(delete(CitationRow).where(CitationRow.claim_id.in_(claims)))
    connection.execute(delete(ClaimRow).where(is_of_runs(run_id)))
    connection.execute(delete(SampleChunkRow).where(SampleChunkRow.sample_id.in_(samples)))


_WHY = "retention"


def list_old_runs(db: Database, *, before: datetime, now: datetime) -> list[OldRun]:
    """Return the runs stored before `before`, oldest first."""
    query = (
        select(RunRow.id, RunRow.name, RunRow.created_at, RunRow.rows, is_busy(now).label("is_busy"))
        .where(RunRow.created_at < before)
        .order_by(RunRow.created_at, RunRow.id)
    )
    checks = (
        select(SpotCheckItemRow.run_id, SpotCheckRow.name)
        .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
        .where(SpotCheckItemRow.is_open.is_(True))
        .distinct()
        .order_by(SpotCheckRow.name)
    )
    open_checks: dict[str, tuple[str, ...]] = {}
    with db.read() as connection:
        for row in connection.execute(checks):
            open_checks[row.run_id] = (*open_checks.get(row.run_id, ()), row.name)
        return [
            OldRun(
                run_id=row.id,
                name=row.name,
                created_at=row.created_at,
                answers=row.rows,
                open_checks=open_checks.get(row.id, ()),
                is_busy=bool(row.is_busy),
            )
            for row in connection.execute(query)
        ]


def count_old_logged(db: Database, *, before: datetime) -> int:
    """Return how many answers logged before `before` still have their texts."""
    query = select(func.count()).select_from(LoggedAnswerRow).where(*_old_logged(before))
    with db.read() as connection:
        return connection.execute(query).scalar_one()


def delete_logged_texts(db: Database, *, before: datetime) -> int:
    """Delete the texts of answers logged before `before`, and return their number; waiting answers become skipped."""
    skipped = case((LoggedAnswerRow.fate == Fate.WAITING, Fate.SKIPPED.value), else_=LoggedAnswerRow.fate)
    with db.write() as connection:
        overwrite_deleted(connection)
        emptied = update(LoggedAnswerRow).where(*_old_logged(before)).values(fate=skipped, **NO_TEXTS)
        count = connection.execute(emptied).rowcount
        if count:
            record(connection, Action.LOG_EMPTIED, detail=_WHY, items=count)
    return count


def _old_logged(before: datetime) -> tuple[ColumnElement[bool], ...]:
    return (LoggedAnswerRow.answer.is_not(None), LoggedAnswerRow.logged_at < before)


def give_space_back(db: Database, *, now: datetime) -> None:
    """Make an SQLite file smaller after deletions if a fifth of it is free; otherwise new rows use the space.

    The file is rewritten, which blocks other writers, so this does nothing while a run is judged or its file is read.
    PostgreSQL reuses freed space after its own vacuum.
    """
    with db.read() as connection:
        if connection.execute(select(RunRow.id).where(is_busy(now)).limit(1)).first() is not None:
            return
    db.give_space_back()
