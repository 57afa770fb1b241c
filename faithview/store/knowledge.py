"""Knowledge bases: their versions and their passages.

Their texts are in the same table as retrieved chunks. Files are read by `formats.knowledge_base`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import delete, insert, select

from faithview.domain import content_hashes
from faithview.domain.audit import Action
from faithview.domain.causes import Knowledge
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import KnowledgeBase, Passage, document_name, document_title
from faithview.domain.sample import Chunk
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.samples import remove_unused_chunks, store_chunks
from faithview.store.schema.comparison import KnowledgeBaseChunkRow, KnowledgeBaseRow
from faithview.store.schema.runs import ChunkRow
from faithview.store.sources import Retrieved


def save_knowledge_base(db: Database, base: KnowledgeBase, chunks: Sequence[Chunk]) -> None:
    """Store a version with its chunks, in one transaction; it replaces an older upload of the same version."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        connection.execute(delete(KnowledgeBaseRow).where(KnowledgeBaseRow.version == base.version))
        connection.execute(
            insert(KnowledgeBaseRow),
            {
                "version": base.version,
                "source": base.source,
                "created_at": base.created_at,
                "chunks": len(chunks),
            },
        )
        ids = store_chunks(connection, [chunk.text for chunk in chunks])
        rows = [
            {
                "version": base.version,
                "position": position,
                "chunk_id": ids[content_hashes.text_hash(chunk.text)],
                "external_id": chunk.chunk_id,
                "meta": dict(chunk.metadata),
            }
            for position, chunk in enumerate(chunks, start=1)
        ]
        if rows:
            connection.execute(insert(KnowledgeBaseChunkRow), rows)
        remove_unused_chunks(connection)
        record(connection, Action.KNOWLEDGE_SAVED, subject=base.version, items=len(chunks))


def delete_knowledge_base(db: Database, version: str) -> None:
    """Delete a version and the chunks that are not used elsewhere; raises NotFound."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        deletion = delete(KnowledgeBaseRow).where(dialect.equals(KnowledgeBaseRow.version, version))
        if connection.execute(deletion).rowcount == 0:
            raise NotFound(f"There is no knowledge base {version!r}; `faithview kb list` lists them.")
        remove_unused_chunks(connection)
        record(connection, Action.KNOWLEDGE_DELETED, subject=version)


def list_knowledge_bases(db: Database) -> list[KnowledgeBase]:
    """Return the versions in the order in which they were uploaded."""
    query = select(KnowledgeBaseRow.__table__).order_by(KnowledgeBaseRow.created_at, KnowledgeBaseRow.version)
    with db.read() as connection:
        return [
            KnowledgeBase(version=row.version, source=row.source, created_at=row.created_at, chunks=row.chunks)
            for row in connection.execute(query)
        ]


def load_knowledge(db: Database, version: str | None) -> Knowledge | None:
    """Return the hashes and ids of a version's chunks; None if the version was never uploaded."""
    if version is None:
        return None
    link = KnowledgeBaseChunkRow
    query = (
        select(ChunkRow.chunk_hash, link.external_id)
        .join(link, link.chunk_id == ChunkRow.id)
        .where(link.version == version)
    )
    with db.read() as connection:
        rows = connection.execute(query).all()
    if not rows:
        return None
    return Knowledge(hashes=frozenset(row[0] for row in rows), ids=frozenset(row[1] for row in rows))


def load_knowledge_texts(db: Database, version: str) -> list[str]:
    """Return the texts of a version's chunks."""
    link = KnowledgeBaseChunkRow
    query = select(ChunkRow.text).join(link, link.chunk_id == ChunkRow.id).where(link.version == version)
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def load_version(db: Database, version: str) -> list[Chunk]:
    """Return the chunks of a version in the order of its file; empty if it is not stored."""
    link = KnowledgeBaseChunkRow
    query = (
        select(link.position, link.external_id, link.meta, ChunkRow.text)
        .join(ChunkRow, ChunkRow.id == link.chunk_id)
        .where(dialect.equals(link.version, version))
        .order_by(link.position)
    )
    with db.read() as connection:
        return [
            Chunk(text=row.text, chunk_id=row.external_id, rank=row.position, metadata=row.meta)
            for row in connection.execute(query)
        ]


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


def to_passages(retrieved: Iterable[Retrieved]) -> list[Passage]:
    """Return the distinct texts that a run's answers retrieved, by the ids of their chunks."""
    first: dict[int, Retrieved] = {}
    for chunk in sorted(retrieved, key=lambda chunk: (chunk.chunk_id, chunk.text_id)):
        first.setdefault(chunk.text_id, chunk)
    return [
        _passage(chunk.chunk_id, chunk.chunk_hash, rank, chunk.text_id, chunk.meta)
        for rank, chunk in enumerate(first.values(), start=1)
    ]


def _passage(chunk_id: str, digest: str, rank: int, text_id: int, meta: Mapping[str, Any]) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        chunk_hash=digest,
        rank=rank,
        text_id=text_id,
        document=document_name(meta),
        title=document_title(meta),
    )
