"""Delete runs and texts: what is deleted with them, which are past their retention, and the space that they free.

Each run is deleted in one transaction. A run that keeps its scores keeps every row and every number: results, claims
with their verdicts, labels, spot-checks. `DELETED_TEXT` replaces its texts. Hashes of texts are replaced too, because a
short text could be guessed from its hash; the placeholders differ in every row, except that answers to one question of
the run share one, which the interval needs. Its rows are removed from the inbox and from their data set. It is never
judged again (`runs.take_run`).
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, delete, func, null, select, update

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.live import Fate
from faithview.domain.retention import DELETED_TEXT, OldRun
from faithview.domain.run import RunContents
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import remove_unused_texts, stand_in
from faithview.store.database import Database
from faithview.store.dataset_versions import remove_unused_versions
from faithview.store.inbox_index import remove_unused_names
from faithview.store.live import NO_TEXTS
from faithview.store.runs import is_busy
from faithview.store.schema.comparison import ComparisonRow, KnowledgeBaseChunkRow
from faithview.store.schema.datasets import RunDatasetRow
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.preflights import PreflightRow
from faithview.store.schema.review import LabelRow, NoteRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import (
    ChunkRow,
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
        .where(LabelRow.run_id == run_id, LabelRow.origin.is_(None), LabelRow.retracts.is_(None))
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

    Chunks that no other run or knowledge base uses, spot-checks without remaining claims, and data set versions without
    other runs are deleted too. On SQLite no part of the texts remains in the file; PostgreSQL overwrites them in time.
    `give_space_back` makes the file smaller.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        record(connection, Action.RUN_DELETED, run_id=run_id, detail=why)
        overwrite_deleted(connection)
        _delete_claims(connection, run_id)
        if connection.execute(delete(RunRow).where(RunRow.id == run_id)).rowcount == 0:
            raise NotFound(f"There is no run {run_id!r}; `faithview run list` lists them.")
        drawn = select(SpotCheckItemRow.id).where(SpotCheckItemRow.spot_check_id == SpotCheckRow.id)
        connection.execute(delete(SpotCheckRow).where(~drawn.exists()))
        remove_unused_versions(connection)
        remove_unused_chunks(connection)
    db.empty_log()


def remove_unused_chunks(connection: Connection) -> None:
    """Delete the chunks that no run and no knowledge base uses, and the shared texts and names that no claim uses."""
    used = select(SampleChunkRow.chunk_id).where(SampleChunkRow.chunk_id == ChunkRow.id)
    known = select(KnowledgeBaseChunkRow.chunk_id).where(KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
    connection.execute(delete(ChunkRow).where(~used.exists(), ~known.exists()))
    remove_unused_texts(connection)
    remove_unused_names(connection)
    drop_deleted_words(connection)


def _delete_claims(connection: Connection, run_id: str) -> None:
    """Delete a run's rows of the largest tables in sets; foreign keys would delete row by row, at half the speed."""
    claims = select(ClaimRow.id).where(is_of_runs(run_id))
    samples = select(SampleRow.id).where(SampleRow.run_id == run_id)
    connection.execute(delete(InboxClaimRow).where(InboxClaimRow.run_id == run_id))
    for row in (CitationRow, EvidenceRow):
        connection.execute(delete(row).where(row.claim_id.in_(claims)))
    connection.execute(delete(ClaimRow).where(is_of_runs(run_id)))
    connection.execute(delete(SampleChunkRow).where(SampleChunkRow.sample_id.in_(samples)))


_WHY = "retention"


def list_old_runs(db: Database, *, before: datetime, now: datetime, keep_scores: bool) -> list[OldRun]:
    """Return the runs stored before `before`, oldest first; with `keep_scores` only those that have texts."""
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


def delete_run_texts(db: Database, run_id: str, *, now: datetime) -> bool:
    """Delete the texts of a run and keep its scores; return False if it has no texts, is in use or was deleted.

    It is checked again, because it may be judged since the deletion was planned: its worker's next texts would stay.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        marked = (
            update(RunRow)
            .where(RunRow.id == run_id, RunRow.texts_deleted_at.is_(None), ~is_busy(now))
            .values(
                texts_deleted_at=now,
                revision=RunRow.revision + 1,
                # The figures do not change, so the stored ones are still those of the run's revision.
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
    """Delete the rows that only have texts, and those by which the run's texts are found."""
    claims = select(ClaimRow.id).where(is_of_runs(run_id))
    samples = select(SampleRow.id).where(SampleRow.run_id == run_id)
    for of_claim in (CitationRow, EvidenceRow, InboxAssignmentRow):
        connection.execute(delete(of_claim).where(of_claim.claim_id.in_(claims)))
    for of_run in (InboxClaimRow, NoteRow, RunBatchRow, RunDatasetRow):
        connection.execute(delete(of_run).where(of_run.run_id == run_id))
    connection.execute(delete(SampleChunkRow).where(SampleChunkRow.sample_id.in_(samples)))
    connection.execute(delete(PreflightRow).where(PreflightRow.run_id == run_id))
    compared = (ComparisonRow.baseline_id == run_id) | (ComparisonRow.candidate_id == run_id)
    connection.execute(delete(ComparisonRow).where(compared))


def _rename_clusters(connection: Connection, run_id: str) -> None:
    """Replace the hash of each question with a number."""
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


def give_space_back(db: Database, *, now: datetime) -> None:
    """Make an SQLite file smaller after deletions if a fifth of it is free; otherwise new rows use the space.

    The file is rewritten, which blocks other writers, so this does nothing while a run is judged or its file is read.
    PostgreSQL reuses freed space after its own vacuum.
    """
    with db.read() as connection:
        if connection.execute(select(RunRow.id).where(is_busy(now)).limit(1)).first() is not None:
            return
    db.give_space_back()
