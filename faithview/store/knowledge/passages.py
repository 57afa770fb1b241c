"""The passages of a version, and those that a run retrieved."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import func, select

from faithview.domain.knowledge_base import Passage, document_name, document_title
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.comparison import KnowledgeBaseChunkRow
from faithview.store.schema.runs import ChunkRow, SampleChunkRow, SampleRow

__all__ = ["find_samples_with", "list_retrieved", "list_version"]


def list_version(db: Database, version: str) -> list[Passage]:
    """Return the passages of a stored version in the order of its file; empty if it is not stored."""
    link = KnowledgeBaseChunkRow
    query = (
        select(link.position, link.external_id, link.chunk_id, link.meta, ChunkRow.chunk_hash)
        .join(ChunkRow, ChunkRow.id == link.chunk_id)
        .where(link.version == version)
        .order_by(link.position)
    )
    with db.read() as connection:
        return [
            _passage(row.external_id, row.chunk_hash, row.position, row.chunk_id, row.meta)
            for row in connection.execute(query)
        ]


def list_retrieved(db: Database, run_id: str) -> list[Passage]:
    """Return the different chunks that a run's answers retrieved, by id; of several ids of one text the first."""
    link = SampleChunkRow
    distinct = (
        select(
            link.chunk_id,
            func.min(link.external_id).label("external_id"),
            func.min(link.sample_id).label("sample_id"),
        )
        .join(SampleRow, SampleRow.id == link.sample_id)
        .where(SampleRow.run_id == run_id)
        .group_by(link.chunk_id)
    )
    with db.read() as connection:
        rows = connection.execute(distinct).all()
        hashes: dict[int, str] = {}
        metas: dict[int, Mapping[str, Any]] = {}
        for batch in dialect.batches(rows):
            ids = [row.chunk_id for row in batch]
            known = select(ChunkRow.id, ChunkRow.chunk_hash).where(ChunkRow.id.in_(ids))
            hashes.update((text_id, digest) for text_id, digest in connection.execute(known))
            named = select(link.chunk_id, link.meta).where(
                link.sample_id.in_({row.sample_id for row in batch}), link.chunk_id.in_(ids)
            )
            metas.update((text_id, meta) for text_id, meta in connection.execute(named))
    rows = sorted(rows, key=lambda row: (row.external_id, row.chunk_id))
    return [
        _passage(row.external_id, hashes[row.chunk_id], rank, row.chunk_id, metas.get(row.chunk_id, {}))
        for rank, row in enumerate(rows, start=1)
    ]


def find_samples_with(db: Database, run_id: str, text_ids: Collection[int]) -> set[int]:
    """Return the answers of a run that retrieved any of these texts, as sample ids."""
    link = SampleChunkRow
    found: set[int] = set()
    with db.read() as connection:
        for batch in dialect.batches(sorted(text_ids)):
            query = (
                select(link.sample_id)
                .distinct()
                .join(SampleRow, SampleRow.id == link.sample_id)
                .where(SampleRow.run_id == run_id, link.chunk_id.in_(batch))
            )
            found.update(connection.execute(query).scalars())
    return found


def _passage(chunk_id: str, digest: str, rank: int, text_id: int, meta: Mapping[str, Any]) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        chunk_hash=digest,
        rank=rank,
        text_id=text_id,
        document=document_name(meta),
        title=document_title(meta),
    )
