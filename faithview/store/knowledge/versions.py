"""Knowledge bases by version. Their texts are in the table that holds the retrieved chunks too.

Files are read by `formats.knowledge_base`; the use case is `services.knowledge.versions`.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from faithview.domain import content_hashes
from faithview.domain.audit import Action
from faithview.domain.causes import Knowledge
from faithview.domain.errors import NotFound
from faithview.domain.knowledge_base import KnowledgeBase
from faithview.domain.sample import Chunk
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.runs.samples import store_chunks
from faithview.store.schema.comparison import KnowledgeBaseChunkRow, KnowledgeBaseRow
from faithview.store.schema.runs import ChunkRow, SampleChunkRow


def save_knowledge_base(db: Database, base: KnowledgeBase, chunks: Sequence[Chunk]) -> None:
    """Store a version with its chunks, in one transaction, in place of an older upload of the same version."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        old_chunk_ids = _chunk_ids(connection, base.version)
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
        for batch in dialect.batches(list(enumerate(chunks, start=1))):
            ids = store_chunks(connection, [chunk.text for _, chunk in batch], dialect_name=db.dialect_name)
            connection.execute(
                insert(KnowledgeBaseChunkRow),
                [
                    {
                        "version": base.version,
                        "position": position,
                        "chunk_id": ids[content_hashes.text_hash(chunk.text)],
                        "external_id": chunk.chunk_id,
                        "meta": dict(chunk.metadata),
                    }
                    for position, chunk in batch
                ],
            )
        _drop_unused(connection, old_chunk_ids)
        record(connection, Action.KNOWLEDGE_SAVED, subject=base.version, items=len(chunks))


def delete_knowledge_base(db: Database, version: str) -> None:
    """Delete a version and the chunks that nothing else uses; raises NotFound."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        old_chunk_ids = _chunk_ids(connection, version)
        deletion = delete(KnowledgeBaseRow).where(dialect.equals(KnowledgeBaseRow.version, version))
        if connection.execute(deletion).rowcount == 0:
            raise NotFound(f"There is no knowledge base {version!r}; `faithview kb list` lists them.")
        _drop_unused(connection, old_chunk_ids)
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


def _chunk_ids(connection: Connection, version: str) -> list[int]:
    query = select(KnowledgeBaseChunkRow.chunk_id).where(dialect.equals(KnowledgeBaseChunkRow.version, version))
    return list(connection.execute(query.distinct()).scalars())


def _drop_unused(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Delete those of the chunks that no run and no knowledge base uses."""
    in_run = select(SampleChunkRow.chunk_id).where(SampleChunkRow.chunk_id == ChunkRow.id)
    in_base = select(KnowledgeBaseChunkRow.chunk_id).where(KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
    for batch in dialect.batches(chunk_ids):
        unused = delete(ChunkRow).where(ChunkRow.id.in_(batch), ~in_run.exists(), ~in_base.exists())
        connection.execute(unused)
