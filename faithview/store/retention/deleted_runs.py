"""Runs that are deleted, and what is deleted with them."""

from sqlalchemy import Connection, delete, func, select

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.run import RunContents
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.claim_texts import remove_unused_texts
from faithview.store.database import Database
from faithview.store.dataset_versions import remove_unused_versions
from faithview.store.deleted_texts import drop_deleted_words, overwrite_deleted
from faithview.store.inbox.names import remove_unused_names
from faithview.store.schema.comparison import KnowledgeBaseChunkRow
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.review import LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import (
    ChunkRow,
    CitationRow,
    ClaimRow,
    EvidenceRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
    is_of_runs,
)


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
    """Delete the run with everything that belongs to it (`load_contents`); the audit log says why, where that is given.

    With it go the chunks that no other run or knowledge base uses, the spot-checks that have no claim left, and the
    versions of data sets that no other run is over. On SQLite nothing of the texts stays in the file; PostgreSQL
    overwrites them in time. `retention.freed_space` makes the file smaller.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        record(connection, Action.RUN_DELETED, run_id=run_id, detail=why)
        overwrite_deleted(connection)
        _delete_claims(connection, run_id)
        if connection.execute(delete(RunRow).where(RunRow.id == run_id)).rowcount == 0:
            raise NotFound(f"There is no run {run_id!r}; `faithview runs` lists them.")
        drawn = select(SpotCheckItemRow.id).where(SpotCheckItemRow.spot_check_id == SpotCheckRow.id)
        connection.execute(delete(SpotCheckRow).where(~drawn.exists()))
        remove_unused_versions(connection)
        remove_unused_chunks(connection)
    db.empty_log()


def remove_unused_chunks(connection: Connection) -> None:
    """Delete the chunks that no run and no knowledge base uses, and what claims shared that no run has any more."""
    used = select(SampleChunkRow.chunk_id).where(SampleChunkRow.chunk_id == ChunkRow.id)
    known = select(KnowledgeBaseChunkRow.chunk_id).where(KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
    connection.execute(delete(ChunkRow).where(~used.exists(), ~known.exists()))
    remove_unused_texts(connection)
    remove_unused_names(connection)
    drop_deleted_words(connection)


def _delete_claims(connection: Connection, run_id: str) -> None:
    """Delete a run's rows of the largest tables in sets; foreign keys would do it row by row, in twice the time."""
    claims = select(ClaimRow.id).where(is_of_runs(run_id))
    samples = select(SampleRow.id).where(SampleRow.run_id == run_id)
    connection.execute(delete(InboxClaimRow).where(InboxClaimRow.run_id == run_id))
    for row in (CitationRow, EvidenceRow):
        connection.execute(delete(row).where(row.claim_id.in_(claims)))
    connection.execute(delete(ClaimRow).where(is_of_runs(run_id)))
    connection.execute(delete(SampleChunkRow).where(SampleChunkRow.sample_id.in_(samples)))
