"""Old runs, old logged answers, and the texts of both deleted for good, in one transaction for each run.

A run that keeps its scores keeps every row and every number: results, claims with their verdicts, labels, spot-checks.
In the place of its texts stands `DELETED_TEXT`. Hashes of texts go too, since a short text could be guessed from its
hash; what stands in their place is different in every row, but equal for answers to one question of the run, which its
interval needs. Its rows leave the inbox and their data set. It is never judged again (`runs.take_run`).
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    case,
    delete,
    func,
    null,
    select,
    update,
)

from faithview.domain.audit import Action
from faithview.domain.live.logged_answer import Fate
from faithview.domain.retention import DELETED_TEXT, OldRun
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.claim_texts import stand_in
from faithview.store.database import Database
from faithview.store.dataset_versions import remove_unused_versions
from faithview.store.deleted_texts import overwrite_deleted
from faithview.store.live.logged_answers import NO_TEXTS
from faithview.store.retention.deleted_runs import remove_unused_chunks
from faithview.store.runs.intake.busy import is_busy
from faithview.store.schema.comparison import ComparisonRow
from faithview.store.schema.datasets import RunDatasetRow
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.review import LabelRow, NoteRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import (
    CitationRow,
    ClaimRow,
    EvidenceRow,
    ResultRow,
    RunBatchRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
    is_of_runs,
)

_WHY = "retention"


def list_old_runs(db: Database, *, before: datetime, now: datetime, keep_scores: bool) -> list[OldRun]:
    """Return the runs that were stored before then, the oldest first; with `keep_scores` those that have texts."""
    where = [RunRow.created_at < before, *([RunRow.texts_deleted_at.is_(None)] if keep_scores else [])]
    query = (
        select(RunRow.id, RunRow.name, RunRow.created_at, RunRow.rows, is_busy(now).label("is_busy"))
        .where(*where)
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
    """Return how many answers that were logged before then still have their texts."""
    query = select(func.count()).select_from(LoggedAnswerRow).where(*_old_logged(before))
    with db.read() as connection:
        return connection.execute(query).scalar_one()


def delete_logged_texts(db: Database, *, before: datetime) -> int:
    """Delete the texts of answers that were logged before then, and return how many; those that waited are skipped."""
    skipped = case((LoggedAnswerRow.fate == Fate.WAITING, Fate.SKIPPED.value), else_=LoggedAnswerRow.fate)
    with db.write() as connection:
        overwrite_deleted(connection)
        emptied = update(LoggedAnswerRow).where(*_old_logged(before)).values(fate=skipped, **NO_TEXTS)
        count = connection.execute(emptied).rowcount
        if count:
            record(connection, Action.LOG_EMPTIED, detail=_WHY, items=count)
    return count


def delete_run_texts(db: Database, run_id: str, *, now: datetime) -> bool:
    """Delete the texts of a run and keep its scores; return whether it was there, with texts, and nobody works on it.

    It may be judged again since the deletion was planned: what its worker stores next would stay.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        marked = (
            update(RunRow)
            .where(RunRow.id == run_id, RunRow.texts_deleted_at.is_(None), ~is_busy(now))
            .values(
                texts_deleted_at=now,
                revision=RunRow.revision + 1,
                # The figures stay as they are, so those that are stored stay those of the run's revision.
                summary_revision=case((RunRow.summary_revision == RunRow.revision, RunRow.revision + 1), else_=null()),
            )
        )
        answers = connection.execute(marked.returning(RunRow.rows)).scalar()
        if answers is None:
            return False
        overwrite_deleted(connection)
        _delete_rows(connection, run_id)
        _rename_clusters(connection, run_id)
        _empty_rows(connection, run_id)
        remove_unused_versions(connection)
        remove_unused_chunks(connection)
        record(connection, Action.RUN_EMPTIED, run_id=run_id, detail=_WHY, items=answers)
    return True


def _old_logged(before: datetime) -> tuple[ColumnElement[bool], ...]:
    return (LoggedAnswerRow.answer.is_not(None), LoggedAnswerRow.logged_at < before)


def _delete_rows(connection: Connection, run_id: str) -> None:
    """Delete the rows that are nothing but texts, and those by which the run's texts are found."""
    claims = select(ClaimRow.id).where(is_of_runs(run_id))
    samples = select(SampleRow.id).where(SampleRow.run_id == run_id)
    for of_claim in (CitationRow, EvidenceRow, InboxAssignmentRow):
        connection.execute(delete(of_claim).where(of_claim.claim_id.in_(claims)))
    for of_run in (InboxClaimRow, NoteRow, RunBatchRow, RunDatasetRow):
        connection.execute(delete(of_run).where(of_run.run_id == run_id))
    connection.execute(delete(SampleChunkRow).where(SampleChunkRow.sample_id.in_(samples)))
    compared = (ComparisonRow.baseline_id == run_id) | (ComparisonRow.candidate_id == run_id)
    connection.execute(delete(ComparisonRow).where(compared))


def _rename_clusters(connection: Connection, run_id: str) -> None:
    """Put a number in the place of the hash of each question."""
    numbers = (
        select(
            ResultRow.sample_id,
            func.min(ResultRow.sample_id).over(partition_by=ResultRow.cluster).label("first"),
        )
        .where(ResultRow.run_id == run_id)
        .subquery()
    )
    renamed = update(ResultRow).where(ResultRow.sample_id == numbers.c.sample_id)
    connection.execute(renamed.values(cluster=stand_in(numbers.c.first)))


def _empty_rows(connection: Connection, run_id: str) -> None:
    def where_there(column: Any) -> ColumnElement[Any]:
        return case((column.is_(None), null()), else_=DELETED_TEXT)

    connection.execute(
        update(SampleRow)
        .where(SampleRow.run_id == run_id)
        .values(
            question=where_there(SampleRow.question),
            answer=DELETED_TEXT,
            reference=None,
            extra={},
            sample_hash=stand_in(SampleRow.id),
            context_hash=stand_in(SampleRow.id),
            content_hash=None,
        )
    )
    connection.execute(
        update(ResultRow)
        .where(ResultRow.run_id == run_id)
        .values(error=where_there(ResultRow.error), suggestions=[], raw_reply=None, warnings=null())
    )
    connection.execute(
        update(ClaimRow)
        .where(is_of_runs(run_id))
        .values(
            text_id=None,
            text=DELETED_TEXT,
            explanation="",
            correction=None,
            spans=[],
            mismatches=null(),
        )
    )
    connection.execute(
        update(LabelRow)
        .where(LabelRow.run_id == run_id)
        .values(note=None, corrected_text=where_there(LabelRow.corrected_text), start=None, end=None, occurrence=None)
    )
