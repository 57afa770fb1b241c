"""Knowledge bases: a version's chunks, whose texts are those of the table that retrieved chunks are in too."""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection, delete, insert, select

from faithview.domain import identity
from faithview.domain.errors import NotFound
from faithview.domain.knowledge_base import KnowledgeBase
from faithview.domain.sample import Chunk
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.runs.samples import store_chunks
from faithview.store.schema.comparison import KnowledgeBaseChunkRow, KnowledgeBaseRow
from faithview.store.schema.runs import ChunkRow, SampleChunkRow

# Rows handed to the database at a time; keeps statements under every limit on bound parameters.
_BATCH = 500
# Chunks read at a time where all of a version are gone through.
_PAGE = 2_000


def save_knowledge_base(db: Database, base: KnowledgeBase, chunks: Sequence[Chunk]) -> None:
    """Store a version with its chunks in place of what was stored under that name; all of it or nothing."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        before = _chunk_ids(connection, base.version)
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
        for first in range(0, len(chunks), _BATCH):
            batch = chunks[first : first + _BATCH]
            ids = store_chunks(connection, [chunk.text for chunk in batch], dialect_name=db.dialect_name)
            connection.execute(
                insert(KnowledgeBaseChunkRow),
                [
                    {
                        "version": base.version,
                        "position": first + number,
                        "chunk_id": ids[identity.text_hash(chunk.text)],
                        "external_id": chunk.chunk_id,
                        "meta": dict(chunk.metadata),
                    }
                    for number, chunk in enumerate(batch, start=1)
                ],
            )
        _drop_unused(connection, before)


def delete_knowledge_base(db: Database, version: str) -> None:
    """Delete a version, and the chunks that nothing else uses; raises NotFound."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        before = _chunk_ids(connection, version)
        gone = delete(KnowledgeBaseRow).where(dialect.equals(KnowledgeBaseRow.version, version))
        if connection.execute(gone).rowcount == 0:
            raise NotFound(f"There is no knowledge base {version!r}; `faithview kb list` lists them.")
        _drop_unused(connection, before)


def list_knowledge_bases(db: Database) -> list[KnowledgeBase]:
    """Return the versions, in the order in which they were uploaded."""
    query = select(KnowledgeBaseRow.__table__).order_by(KnowledgeBaseRow.created_at, KnowledgeBaseRow.version)
    with db.read() as connection:
        return [
            KnowledgeBase(version=row.version, source=row.source, created_at=row.created_at, chunks=row.chunks)
            for row in connection.execute(query)
        ]


def find_chunks(db: Database, version: str, chunk_hashes: Iterable[str]) -> set[str]:
    """Return those of the hashes (see `identity.chunk_hash`) that a chunk of the version has."""
    wanted = sorted(set(chunk_hashes))
    found: set[str] = set()
    with db.read() as connection:
        for first in range(0, len(wanted), _BATCH):
            query = (
                select(ChunkRow.chunk_hash)
                .join(KnowledgeBaseChunkRow, KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
                .where(
                    dialect.equals(KnowledgeBaseChunkRow.version, version),
                    ChunkRow.chunk_hash.in_(wanted[first : first + _BATCH]),
                )
            )
            found.update(connection.execute(query).scalars())
    return found


def iterate_chunks(db: Database, version: str) -> Iterator[Chunk]:
    """Yield the version's chunks in the order of the file, `rank` being their position; none for an unknown one."""
    after = 0
    while True:
        query = (
            select(
                KnowledgeBaseChunkRow.position,
                KnowledgeBaseChunkRow.external_id,
                KnowledgeBaseChunkRow.meta,
                ChunkRow.text,
            )
            .join(ChunkRow, ChunkRow.id == KnowledgeBaseChunkRow.chunk_id)
            .where(dialect.equals(KnowledgeBaseChunkRow.version, version), KnowledgeBaseChunkRow.position > after)
            .order_by(KnowledgeBaseChunkRow.position)
            .limit(_PAGE)
        )
        with db.read() as connection:
            rows = connection.execute(query).all()
        if not rows:
            return
        for row in rows:
            yield Chunk(text=row.text, chunk_id=row.external_id, rank=row.position, metadata=row.meta)
        after = rows[-1].position


def _chunk_ids(connection: Connection, version: str) -> list[int]:
    query = select(KnowledgeBaseChunkRow.chunk_id).where(dialect.equals(KnowledgeBaseChunkRow.version, version))
    return list(connection.execute(query.distinct()).scalars())


def _drop_unused(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Delete those of the chunks that no run and no knowledge base uses."""
    used = select(SampleChunkRow.chunk_id).where(SampleChunkRow.chunk_id == ChunkRow.id)
    known = select(KnowledgeBaseChunkRow.chunk_id).where(KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
    for first in range(0, len(chunk_ids), _BATCH):
        some = ChunkRow.id.in_(chunk_ids[first : first + _BATCH])
        connection.execute(delete(ChunkRow).where(some, ~used.exists(), ~known.exists()))
