"""The tables of runs: samples, results, chunks, claims and their evidence.

    run 1─n sample 1─1 result          sample: the texts;  result: what lists filter and sort by (narrow on purpose)
              │ 1─n sample_chunk n─1 chunk      chunks are stored once by the hash of their exact text
              └ 1─n claim 1─n citation             the chunks that a claim cites

A sample and its (pending) result are stored when the run is created, so an interrupted run can be resumed without its
file. A claim's public id is run id, row position and claim number (`public_claim_id`), so it survives a resume.

Labels and spot-checks are in `schema/review.py`; knowledge bases, events and comparisons in `schema/comparison.py`. The
verdict column of `claim` stays the judge's; a label applies to equal claims of other answers by `claim_hash` and their
chunks.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnClause, ColumnElement, ForeignKey, Index, String, UniqueConstraint, select

from faithview.store.schema.typed_tables import Base, column

# The newest migration. A test compares it with the head of the migrations.
SCHEMA_REVISION = "0029"
# The oldest schema that can be migrated, of the last builds before 0.3.
OLDEST_REVISION = "0028"

# Tables that are read only by their whole primary key: SQLite stores them only in its index.
_IN_KEY = {"sqlite_with_rowid": False}


class RunRow(Base):
    """One run. `worker` judges it and was alive at `heartbeat_at`; `summary` has the figures as of `summary_revision`.

    `repeat_of` is the id of the run whose rows this run judges again, even after that run was deleted. `preflight_of`
    is the id of the run whose answers a preflight judges again; it goes with that run. `use_cache` and
    `rows_left_out` are None in runs that are older than these columns. `series` is as in `domain/series.py`.
    `store/series.py` explains `archived_at`; it is None for a run in use. `rows_hash` is None until all its rows are
    stored.
    """

    __tablename__ = "run"

    id: ColumnClause[str] = column(String(16), primary_key=True)
    name: ColumnClause[str] = column(index=True)
    status: ColumnClause[str] = column(String(16))
    judge: ColumnClause[str]
    method: ColumnClause[str]
    judge_options: ColumnClause[dict[str, Any]]
    fingerprint: ColumnClause[str]
    threshold: ColumnClause[float]
    kb_version: ColumnClause[str | None]
    source: ColumnClause[str | None]
    created_at: ColumnClause[datetime]
    as_of: ColumnClause[datetime] = column(index=True)
    finished_at: ColumnClause[datetime | None]
    heartbeat_at: ColumnClause[datetime | None]
    worker: ColumnClause[str | None]
    cancel_requested: ColumnClause[bool]
    seconds: ColumnClause[float]
    error: ColumnClause[str | None]
    rows: ColumnClause[int]
    revision: ColumnClause[int]
    summary: ColumnClause[dict[str, Any] | None]
    summary_revision: ColumnClause[int | None]
    repeat_of: ColumnClause[str | None] = column(String(16), index=True)
    preflight_of: ColumnClause[str | None] = column(String(16), index=True)
    use_cache: ColumnClause[bool | None]
    rows_left_out: ColumnClause[int | None]
    series: ColumnClause[str] = column(index=True)
    archived_at: ColumnClause[datetime | None]
    note: ColumnClause[str | None]
    rows_hash: ColumnClause[str | None] = column(String(64))


class SampleRow(Base):
    """The texts of one answer; `position` counts from 1 in the order of the file.

    `content_hash` is the hash of the exact texts, the key of the verdict cache (None in rows older than the cache).
    """

    __tablename__ = "sample"
    __table_args__ = (UniqueConstraint("run_id", "position"), UniqueConstraint("run_id", "key"))

    id: ColumnClause[int] = column(primary_key=True)
    run_id: ColumnClause[str] = column(ForeignKey("run.id", ondelete="CASCADE"))
    position: ColumnClause[int]
    key: ColumnClause[str]
    question: ColumnClause[str | None]
    answer: ColumnClause[str]
    reference: ColumnClause[str | None]
    extra: ColumnClause[dict[str, Any]]
    sample_hash: ColumnClause[str] = column(String(64), index=True)
    context_hash: ColumnClause[str] = column(String(64))
    content_hash: ColumnClause[str | None] = column(String(64), index=True)


class ResultRow(Base):
    """The result of one answer with the columns that lists filter and sort by, such as counts of its claims.

    `worst_harm` is the largest `scoring.expected_harm` of its claims, `least_confidence` the judge's lowest confidence
    in a verdict; both are None without claims, the latter also if the judge gives no confidence.
    `inclusion_probability` is as in `Sample`; None means 1, also in rows older than the column.
    """

    __tablename__ = "result"
    __table_args__ = (
        Index("ix_result_worst", "run_id", "faithfulness", "position"),
        Index("ix_result_state", "run_id", "state"),
        Index("ix_result_segment", "run_id", "segment"),
        Index("ix_result_harm", "run_id", "worst_harm", "faithfulness", "position"),
    )

    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"), primary_key=True)
    run_id: ColumnClause[str] = column(String(16))
    position: ColumnClause[int]
    state: ColumnClause[str] = column(String(16))
    segment: ColumnClause[str | None]
    timestamp: ColumnClause[datetime | None]
    cluster: ColumnClause[str] = column(String(64))
    faithfulness: ColumnClause[float | None]
    faithfulness_weighted: ColumnClause[float | None]
    is_faithful: ColumnClause[bool | None]
    answer_score: ColumnClause[float | None]
    claims: ColumnClause[int]
    supported: ColumnClause[int]
    partially_supported: ColumnClause[int]
    not_mentioned: ColumnClause[int]
    contradicted: ColumnClause[int]
    error: ColumnClause[str | None]
    suggestions: ColumnClause[list[Any]]
    seconds: ColumnClause[float]
    llm_calls: ColumnClause[int]
    cached_calls: ColumnClause[int]
    prompt_tokens: ColumnClause[int]
    completion_tokens: ColumnClause[int]
    cost_usd: ColumnClause[float | None]
    raw_reply: ColumnClause[str | None]
    metrics: ColumnClause[dict[str, Any] | None]
    warnings: ColumnClause[list[Any] | None]
    cached_prompt_tokens: ColumnClause[int | None]
    worst_harm: ColumnClause[float | None]
    least_confidence: ColumnClause[float | None]
    inclusion_probability: ColumnClause[float | None]


class ChunkRow(Base):
    """One chunk's text, stored once; `text_hash` and `chunk_hash` are those of `domain.content_hashes`."""

    __tablename__ = "chunk"

    id: ColumnClause[int] = column(primary_key=True)
    text_hash: ColumnClause[str] = column(String(64), unique=True)
    chunk_hash: ColumnClause[str] = column(String(64), index=True)
    text: ColumnClause[str]


class SampleChunkRow(Base):
    """A chunk as it was retrieved for one answer; `position` counts from 0 in the order of the sample's chunks."""

    __tablename__ = "sample_chunk"
    __table_args__ = _IN_KEY

    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"), primary_key=True)
    position: ColumnClause[int] = column(primary_key=True)
    chunk_id: ColumnClause[int] = column(ForeignKey("chunk.id"), index=True)
    external_id: ColumnClause[str]
    rank: ColumnClause[int]
    score: ColumnClause[float | None]
    meta: ColumnClause[dict[str, Any]]


class ClaimRow(Base):
    """One claim with the judge's verdict; `number` counts from 1, `spans` has [start, end, occurrence] triples.

    `claim_hash`, of `domain.content_hashes`, is that of equal claims. `mismatches` has the fields of `Mismatch` as
    lists; None in rows older than the column, and without mismatches. `evidence` has for each quote [position of the
    chunk, quote, start, end, occurrence], without the last three if it is not verbatim in its chunk; None without
    quotes. `decided_by` is None unless the run's judge is a cascade.
    """

    __tablename__ = "claim"
    __table_args__ = (UniqueConstraint("sample_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"))
    run_id: ColumnClause[str] = column(String(16))
    number: ColumnClause[int]
    claim_hash: ColumnClause[str] = column(String(64))
    text: ColumnClause[str]
    verdict: ColumnClause[str] = column(String(24))
    confidence: ColumnClause[float | None]
    support_score: ColumnClause[float | None]
    explanation: ColumnClause[str]
    claim_type: ColumnClause[str | None] = column(String(16))
    importance: ColumnClause[str | None] = column(String(16))
    hallucination_type: ColumnClause[str | None] = column(String(16))
    severity: ColumnClause[str | None] = column(String(16))
    correction: ColumnClause[str | None]
    spans: ColumnClause[list[Any]]
    mismatches: ColumnClause[list[Any] | None]
    evidence: ColumnClause[list[Any] | None]
    decided_by: ColumnClause[str | None]


class CitationRow(Base):
    """A chunk that a claim cites, best first.

    `chunk_position` points to the sample's chunk. It has no foreign key: the domain refuses a citation of a chunk that
    the sample does not have, and the key's index would take more space than the rest of the row.
    """

    __tablename__ = "citation"
    __table_args__ = _IN_KEY

    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    ordinal: ColumnClause[int] = column(primary_key=True)
    chunk_position: ColumnClause[int]


class RunBatchRow(Base):
    """The state of a vendor's batches for a run; other runs have none."""

    __tablename__ = "run_batch"

    run_id: ColumnClause[str] = column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    state: ColumnClause[str]


class BenchRow(Base):
    """One judge on one labelled file; `document` is the output of `faithview bench --json`."""

    __tablename__ = "bench"

    id: ColumnClause[int] = column(primary_key=True)
    at: ColumnClause[datetime]
    fingerprint: ColumnClause[str] = column(index=True)
    file: ColumnClause[str]
    document: ColumnClause[dict[str, Any]]


def is_of_runs(*run_ids: str) -> ColumnElement[bool]:
    """Return the condition that a claim belongs to one of these runs.

    Claims are found by their answers, because an index by runs would take as much space as their verdicts.
    """
    return ClaimRow.sample_id.in_(select(SampleRow.id).where(SampleRow.run_id.in_(run_ids)))


def public_claim_id(run_id: str, position: int, number: int) -> str:
    """Return the public id of a claim."""
    return f"{run_id}-{position}-{number}"
