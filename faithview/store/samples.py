"""Samples: stored with their chunks when a run is created, and loaded for judging."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from faithview.domain import content_hashes
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.sample import Chunk, Sample
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.comparison import KnowledgeBaseChunkRow
from faithview.store.schema.runs import ChunkRow, ResultRow, SampleChunkRow, SampleRow

# How many samples are turned into rows at a time: a run may have a hundred thousand.
_BATCH = 500


def insert_samples(connection: Connection, run_id: str, samples: Sequence[Sample], *, first: int = 1) -> None:
    """Write samples, their chunks and their pending results; positions count from `first`."""
    for start in range(0, len(samples), _BATCH):
        batch = list(enumerate(samples[start : start + _BATCH], start=first + start))
        chunk_ids = store_chunks(connection, [chunk.text for _, sample in batch for chunk in sample.chunks])
        sample_ids = connection.execute(
            insert(SampleRow).returning(SampleRow.id, sort_by_parameter_order=True),
            [_sample_values(run_id, row, sample) for row, sample in batch],
        ).scalars()
        results, links = [], []
        for sample_id, (row, sample) in zip(sample_ids, batch, strict=True):
            results.append(_pending_result(sample_id, run_id, row, sample))
            links += [
                {
                    "sample_id": sample_id,
                    "position": position,
                    "chunk_id": chunk_ids[content_hashes.text_hash(chunk.text)],
                    "external_id": chunk.chunk_id,
                    "rank": chunk.rank,
                    "score": chunk.score,
                    "meta": dict(chunk.metadata),
                }
                for position, chunk in enumerate(sample.chunks)
            ]
        connection.execute(insert(ResultRow), results)
        if links:
            connection.execute(insert(SampleChunkRow), links)


def list_pending(db: Database, run_id: str, *, after: int, limit: int | None) -> list[tuple[int, str]]:
    """Return (position, content hash) of the next pending rows after that position, in order."""
    query = (
        select(SampleRow.position, SampleRow.content_hash)
        .join(ResultRow, ResultRow.sample_id == SampleRow.id)
        .where(SampleRow.run_id == run_id, SampleRow.position > after, ResultRow.state == State.PENDING)
        .order_by(SampleRow.position)
        .limit(limit)
    )
    with db.read() as connection:
        return [(row.position, row.content_hash) for row in connection.execute(query)]


def load_samples(db: Database, run_id: str, positions: Sequence[int]) -> dict[int, Sample]:
    """Return the samples at these positions of a run, without their results; missing ones are left out."""
    return _load(db, _samples(run_id).where(dialect.among(SampleRow.position, positions)))


def list_samples(db: Database, run_id: str, *, after: int, limit: int) -> list[Sample]:
    """Return the samples of the next rows after that position, in order, without their results."""
    page = _samples(run_id).where(SampleRow.position > after).order_by(SampleRow.position).limit(limit)
    return list(_load(db, page).values())


def get_sample(db: Database, run_id: str, position: int) -> Sample:
    """Return the sample at that position of a run, without its result; raises NotFound."""
    found = load_samples(db, run_id, [position])
    if position not in found:
        raise NotFound(f"Run {run_id} has no row {position}.")
    return found[position]


def _load(db: Database, query: Any) -> dict[int, Sample]:
    with db.read() as connection:
        rows = connection.execute(query).all()
        chunks = load_chunks(connection, [row.id for row in rows])
    return {row.position: to_sample(row, chunks.get(row.id, ())) for row in rows}


def load_chunks(connection: Connection, sample_ids: Sequence[int]) -> dict[int, tuple[Chunk, ...]]:
    """Return the chunks of each sample in their order; samples without chunks are missing."""
    link = SampleChunkRow
    query = (
        select(link.sample_id, link.external_id, link.rank, link.score, link.meta, ChunkRow.text)
        .join(ChunkRow, ChunkRow.id == link.chunk_id)
        .where(dialect.among(link.sample_id, sample_ids))
        .order_by(link.sample_id, link.position)
    )
    by_sample: dict[int, list[Chunk]] = {}
    for row in connection.execute(query):
        chunk = Chunk(text=row.text, chunk_id=row.external_id, rank=row.rank, score=row.score, metadata=row.meta)
        by_sample.setdefault(row.sample_id, []).append(chunk)
    return {sample_id: tuple(chunks) for sample_id, chunks in by_sample.items()}


def load_chunk_texts(db: Database, text_ids: Iterable[int]) -> dict[int, str]:
    """Return the texts of chunks by their ids in the table of chunks."""
    query = select(ChunkRow.id, ChunkRow.text).where(dialect.among(ChunkRow.id, set(text_ids)))
    with db.read() as connection:
        return dict(connection.execute(query).all())


def most_chunks(db: Database, run_ids: Sequence[str]) -> dict[str, int]:
    """Return by run the largest number of chunks that an answer retrieved; runs without a chunk are left out."""
    query = (
        select(SampleRow.run_id, func.max(SampleChunkRow.position) + 1)
        .join(SampleChunkRow, SampleChunkRow.sample_id == SampleRow.id)
        .where(SampleRow.run_id.in_(run_ids))
        .group_by(SampleRow.run_id)
    )
    with db.read() as connection:
        return {run_id: int(most) for run_id, most in connection.execute(query).all()}


def load_rows_hash(connection: Connection, run_id: str) -> str:
    """Return the hash of all rows of a run."""
    rows = connection.execute(select(SampleRow.sample_hash, SampleRow.reference).where(SampleRow.run_id == run_id))
    return content_hashes.rows_hash(content_hashes.row_hash(row.sample_hash, row.reference) for row in rows)


def to_sample(row: Row[Any], chunks: tuple[Chunk, ...]) -> Sample:
    """Build the sample from a row with the columns of `sample` and the columns of `result` on the answer."""
    return Sample(
        answer=row.answer,
        chunks=chunks,
        question=row.question,
        key=row.key,
        segment=row.segment,
        reference=row.reference,
        timestamp=row.timestamp,
        extra=row.extra,
        inclusion_probability=row.inclusion_probability or 1.0,
    )


def _samples(run_id: str) -> Any:
    return (
        select(SampleRow.__table__, ResultRow.segment, ResultRow.timestamp, ResultRow.inclusion_probability)
        .join(ResultRow, ResultRow.sample_id == SampleRow.id)
        # By the sample's run and position, which share an index, because pages of a large run are read one by one.
        .where(SampleRow.run_id == run_id)
    )


def store_chunks(connection: Connection, texts: list[str]) -> dict[str, int]:
    """Store new texts; return the ids of all texts by their `content_hashes.text_hash`.

    The caller must hold `dialect.RUNS_LOCK`, because chunks must not be deleted at the same time.
    """
    by_hash = {content_hashes.text_hash(text): text for text in texts}
    query = select(ChunkRow.text_hash, ChunkRow.id).where(dialect.among(ChunkRow.text_hash, by_hash))
    known = dict(connection.execute(query).all())
    new = [
        {"text_hash": digest, "chunk_hash": content_hashes.chunk_hash(text), "text": text}
        for digest, text in by_hash.items()
        if digest not in known
    ]
    if new:
        connection.execute(insert(ChunkRow), new)
    return known | dict(connection.execute(query).all()) if new else known


def remove_unused_chunks(connection: Connection) -> None:
    """Delete the chunks that no run and no knowledge base uses; the caller holds `dialect.RUNS_LOCK`."""
    in_run = select(SampleChunkRow.chunk_id).where(SampleChunkRow.chunk_id == ChunkRow.id)
    in_base = select(KnowledgeBaseChunkRow.chunk_id).where(KnowledgeBaseChunkRow.chunk_id == ChunkRow.id)
    connection.execute(delete(ChunkRow).where(~in_run.exists(), ~in_base.exists()))


def _sample_values(run_id: str, position: int, sample: Sample) -> dict[str, object]:
    hashes = [chunk.chunk_hash for chunk in sample.chunks]
    return {
        "run_id": run_id,
        "position": position,
        "key": sample.key or str(position),
        "question": sample.question,
        "answer": sample.answer,
        "reference": sample.reference,
        "extra": dict(sample.extra),
        "sample_hash": content_hashes.sample_hash(question=sample.question, answer=sample.answer, chunk_hashes=hashes),
        "context_hash": content_hashes.context_hash(hashes),
        "content_hash": sample.content_hash,
    }


def _pending_result(sample_id: int, run_id: str, position: int, sample: Sample) -> dict[str, object]:
    # Answers to one question are not independent, so they share a cluster; an answer without a question has its own.
    has_question = bool(sample.question and sample.question.strip())
    cluster = (
        content_hashes.question_hash(sample.question or "") if has_question else content_hashes.position_hash(position)
    )
    return {
        "sample_id": sample_id,
        "run_id": run_id,
        "position": position,
        "state": State.PENDING,
        "segment": sample.segment,
        "timestamp": sample.timestamp,
        "cluster": cluster,
        "inclusion_probability": None if sample.inclusion_probability == 1 else sample.inclusion_probability,
        "claims": 0,
        "supported": 0,
        "partially_supported": 0,
        "not_mentioned": 0,
        "contradicted": 0,
        "suggestions": [],
        "seconds": 0.0,
        "llm_calls": 0,
        "cached_calls": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
    }
