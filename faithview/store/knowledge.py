"""Knowledge bases: their versions, their passages, and the claims that rest on passages.

Their texts are in the same table as retrieved chunks. Files are read by `formats.knowledge_base`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, delete, func, insert, select

from faithview.domain import content_hashes
from faithview.domain.audit import Action
from faithview.domain.causes import Knowledge
from faithview.domain.certainty import Certainty, certainty_of
from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import KnowledgeBase, Passage, document_name, document_title
from faithview.domain.sample import Chunk
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import CLAIM_TEXT, SETTLED, judge_of_claim
from faithview.store.database import Database
from faithview.store.samples import store_chunks
from faithview.store.schema.comparison import KnowledgeBaseChunkRow, KnowledgeBaseRow
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ChunkRow, ClaimRow, EvidenceRow, SampleChunkRow, SampleRow


def save_knowledge_base(db: Database, base: KnowledgeBase, chunks: Sequence[Chunk]) -> None:
    """Store a version with its chunks, in one transaction; it replaces an older upload of the same version."""
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
    """Delete a version and the chunks that are not used elsewhere; raises NotFound."""
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


def _chunk_ids(connection: Connection, version: str) -> list[int]:
    query = select(KnowledgeBaseChunkRow.chunk_id).where(dialect.equals(KnowledgeBaseChunkRow.version, version))
    return list(connection.execute(query.distinct()).scalars())


def _drop_unused(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Delete the chunks among these that no run and no knowledge base uses."""
    in_run = select(SampleChunkRow.chunk_id).where(SampleChunkRow.chunk_id == ChunkRow.id)
    in_base = select(KnowledgeBaseChunkRow.chunk_id).where(KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
    for batch in dialect.batches(chunk_ids):
        unused = delete(ChunkRow).where(ChunkRow.id.in_(batch), ~in_run.exists(), ~in_base.exists())
        connection.execute(unused)


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
    """Return the distinct chunks that a run's answers retrieved, by id; the first if a text has several ids."""
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


# How much of a question a list shows.
_SHOWN_CHARACTERS = 240
_FROM_CHUNK = func.substr(ChunkRow.text, EvidenceRow.start + 1, EvidenceRow.end - EvidenceRow.start)
_QUOTE = case((EvidenceRow.quote == "", _FROM_CHUNK), else_=EvidenceRow.quote)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words of a chunk, verbatim."""

    chunk_id: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDetail:
    """A claim with its judge's verdict, how sure the judge is of it, and its quotes, the best first."""

    key: str
    question: str | None
    text: str
    verdict: Verdict
    certainty: Certainty
    explanation: str
    quotes: tuple[Quote, ...] = ()


def load_claim_details(db: Database, claim_ids: Collection[int]) -> dict[int, ClaimDetail]:
    """Return claims by their database ids; quotes that are not verbatim in their chunk are left out."""
    link = SampleChunkRow
    details: dict[int, ClaimDetail] = {}
    with db.read() as connection:
        for batch in dialect.batches(sorted(claim_ids)):
            quotes: dict[int, list[Quote]] = {}
            quoted = (
                select(EvidenceRow.claim_id, link.external_id, _QUOTE.label("quote"))
                .join(ClaimRow, ClaimRow.id == EvidenceRow.claim_id)
                .join(link, (link.sample_id == ClaimRow.sample_id) & (link.position == EvidenceRow.chunk_position))
                .join(ChunkRow, ChunkRow.id == link.chunk_id)
                .where(EvidenceRow.claim_id.in_(batch), EvidenceRow.start.is_not(None))
                .order_by(EvidenceRow.claim_id, EvidenceRow.ordinal)
            )
            for claim_id, chunk_id, quote in connection.execute(quoted):
                quotes.setdefault(claim_id, []).append(Quote(chunk_id=chunk_id, quote=quote))
            query = (
                select(
                    ClaimRow.id,
                    SampleRow.key,
                    func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
                    CLAIM_TEXT,
                    ClaimRow.verdict,
                    ClaimRow.confidence,
                    ClaimRow.explanation,
                    judge_of_claim().label("judge"),
                    ClaimReviewRow.source,
                )
                .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
                .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
                .where(ClaimRow.id.in_(batch))
            )
            for row in connection.execute(query):
                certainty = certainty_of(Verdict(row.verdict), row.confidence, row.judge)
                details[row.id] = ClaimDetail(
                    key=row.key,
                    question=row.question,
                    text=row.text,
                    verdict=Verdict(row.verdict),
                    certainty=certainty.once_labelled() if row.source in SETTLED else certainty,
                    explanation=row.explanation,
                    quotes=tuple(quotes.get(row.id, ())),
                )
    return details
