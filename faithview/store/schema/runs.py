"""The tables of runs: samples, results, chunks, claims and their evidence.

    run 1─n sample 1─1 result          sample: the texts;  result: what lists filter and sort by (narrow on purpose)
              │ 1─n sample_chunk n─1 chunk      chunks are stored once by the hash of their exact text
              └ 1─n claim 1─n citation, evidence   the chunks that a claim cites, and quotes from them

A sample and its (pending) result are stored when the run is created, so that an interrupted run can be resumed without
its file. A claim's public id is run id, row position and claim number (`public_claim_id`), so it survives a resume.

Labels and spot-checks are in `schema/review.py`; knowledge bases, events and comparisons in `schema/comparison.py`. The
verdict column of `claim` stays the judge's; labels are carried over to another run by `claim.text_id` and
`sample_chunk -> chunk.chunk_hash`.
"""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, ColumnElement, ForeignKey, Index, MetaData, String, Text, UniqueConstraint, select, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from faithview.store.dialect import UtcDateTime
from faithview.store.hash_columns import ContentHash
from faithview.store.word_index import SearchWords

# The newest migration. A test compares it with the head of the migrations.
SCHEMA_REVISION = "0022"

# Tables that are read by their whole primary key only: SQLite keeps them in its index and nowhere else.
_IN_KEY = {"sqlite_with_rowid": False}
_HAS_TYPE = text("hallucination_type IS NOT NULL")


class Base(DeclarativeBase):
    """All tables. Constraints have names, because a migration cannot change a constraint without one."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcDateTime,
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
        str: Text,
    }


class RunRow(Base):
    """One run. `worker` judges it and was alive at `heartbeat_at`; `summary` has the figures as of `summary_revision`.

    `repeat_of` is the id of the run whose rows this run judges again, even after that run was deleted. `use_cache` is
    None in runs that are older than the cache, `rows_left_out` in runs that are older than its counting. `series` is
    as in `domain/series.py`. What `archived_at` means is in `store/runs/archive.py`; it is None for a run in use.
    `texts_deleted_at` is when `store/retention` deleted the texts and kept the scores; None for a run with its texts.
    """

    __tablename__ = "run"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(index=True)
    status: Mapped[str] = mapped_column(String(16))
    judge: Mapped[str]
    method: Mapped[str]
    judge_options: Mapped[dict[str, Any]]
    fingerprint: Mapped[str]
    threshold: Mapped[float]
    kb_version: Mapped[str | None]
    source: Mapped[str | None]
    created_at: Mapped[datetime]
    as_of: Mapped[datetime] = mapped_column(index=True)
    finished_at: Mapped[datetime | None]
    heartbeat_at: Mapped[datetime | None]
    worker: Mapped[str | None]
    cancel_requested: Mapped[bool]
    seconds: Mapped[float]
    error: Mapped[str | None]
    rows: Mapped[int]
    revision: Mapped[int]
    summary: Mapped[dict[str, Any] | None]
    summary_revision: Mapped[int | None]
    repeat_of: Mapped[str | None] = mapped_column(String(16), index=True)
    use_cache: Mapped[bool | None]
    rows_left_out: Mapped[int | None]
    series: Mapped[str] = mapped_column(index=True)
    archived_at: Mapped[datetime | None]
    note: Mapped[str | None]
    texts_deleted_at: Mapped[datetime | None]


class SampleRow(Base):
    """The texts of one answer; `position` counts from 1 in the order of the file.

    `content_hash` is the hash of the exact texts, the key of the verdict cache (None in rows older than the cache).
    """

    __tablename__ = "sample"
    __table_args__ = (UniqueConstraint("run_id", "position"), UniqueConstraint("run_id", "key"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    position: Mapped[int]
    key: Mapped[str]
    question: Mapped[str | None]
    answer: Mapped[str]
    reference: Mapped[str | None]
    extra: Mapped[dict[str, Any]]
    sample_hash: Mapped[str] = mapped_column(ContentHash, index=True)
    context_hash: Mapped[str] = mapped_column(ContentHash)
    content_hash: Mapped[str | None] = mapped_column(ContentHash, index=True)


class ResultRow(Base):
    """The result of one answer with the columns that lists filter and sort by, such as counts of its claims.

    `worst_harm` is the greatest `scoring.expected_harm` of its claims, `least_confidence` the judge's least confidence
    in a verdict; both are None without claims, the latter also where the judge gives no confidence.
    `inclusion_probability` is as in `Sample`; None, in rows older than the column too, is 1.
    """

    __tablename__ = "result"
    __table_args__ = (
        Index("ix_result_worst", "run_id", "faithfulness", "position"),
        Index("ix_result_state", "run_id", "state"),
        Index("ix_result_segment", "run_id", "segment"),
        Index("ix_result_harm", "run_id", "worst_harm", "faithfulness", "position"),
    )

    sample_id: Mapped[int] = mapped_column(ForeignKey("sample.id", ondelete="CASCADE"), primary_key=True)
    run_id: Mapped[str] = mapped_column(String(16))
    position: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    segment: Mapped[str | None]
    timestamp: Mapped[datetime | None]
    cluster: Mapped[str] = mapped_column(ContentHash)
    faithfulness: Mapped[float | None]
    faithfulness_weighted: Mapped[float | None]
    is_faithful: Mapped[bool | None]
    answer_score: Mapped[float | None]
    claims: Mapped[int]
    supported: Mapped[int]
    partially_supported: Mapped[int]
    not_mentioned: Mapped[int]
    contradicted: Mapped[int]
    error: Mapped[str | None]
    suggestions: Mapped[list[Any]]
    seconds: Mapped[float]
    llm_calls: Mapped[int]
    cached_calls: Mapped[int]
    prompt_tokens: Mapped[int]
    completion_tokens: Mapped[int]
    cost_usd: Mapped[float | None]
    raw_reply: Mapped[str | None]
    metrics: Mapped[dict[str, Any] | None]
    warnings: Mapped[list[Any] | None]
    cached_prompt_tokens: Mapped[int | None]
    worst_harm: Mapped[float | None]
    least_confidence: Mapped[float | None]
    inclusion_probability: Mapped[float | None]


class ChunkRow(Base):
    """One chunk's text, stored once; `text_hash` and `chunk_hash` are those of `domain.identity`."""

    __tablename__ = "chunk"

    id: Mapped[int] = mapped_column(primary_key=True)
    text_hash: Mapped[str] = mapped_column(ContentHash, unique=True)
    chunk_hash: Mapped[str] = mapped_column(ContentHash, index=True)
    text: Mapped[str]


class SampleChunkRow(Base):
    """A chunk as it was retrieved for one answer; `position` counts from 0 in the order of the sample's chunks."""

    __tablename__ = "sample_chunk"
    __table_args__ = _IN_KEY

    sample_id: Mapped[int] = mapped_column(ForeignKey("sample.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    chunk_id: Mapped[int] = mapped_column(ForeignKey("chunk.id"), index=True)
    external_id: Mapped[str]
    rank: Mapped[int]
    score: Mapped[float | None]
    meta: Mapped[dict[str, Any]]


class ClaimTextRow(Base):
    """What equal claims share: their text, as the first of them had it, and its words to search.

    `claim_hash` is that of `domain.content_hashes`.
    """

    __tablename__ = "claim_text"
    __table_args__ = (Index("ix_claim_text_words", "words", postgresql_using="gin").ddl_if(dialect="postgresql"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_hash: Mapped[str] = mapped_column(ContentHash, unique=True)
    text: Mapped[str]
    words: Mapped[tuple[str, ...]] = mapped_column(SearchWords)


class ClaimRow(Base):
    """One claim with the judge's verdict; `number` counts from 1, `spans` holds [start, end, occurrence] triples.

    `text` is None where it is that of `claim_text`; both are read by `store/claim_texts.py`. `text_id` is None in
    a run without its texts. It has no foreign key: `inbox_claim.text_id` has one, whose index serves both.
    `mismatches` holds the fields of `Mismatch` as lists; None in rows older than the column, and where there are none.
    """

    __tablename__ = "claim"
    __table_args__ = (
        UniqueConstraint("sample_id", "number"),
        Index(
            "ix_claim_hallucination",
            "run_id",
            "hallucination_type",
            "sample_id",
            sqlite_where=_HAS_TYPE,
            postgresql_where=_HAS_TYPE,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sample_id: Mapped[int] = mapped_column(ForeignKey("sample.id", ondelete="CASCADE"))
    run_id: Mapped[str] = mapped_column(String(16))
    number: Mapped[int]
    text_id: Mapped[int | None]
    text: Mapped[str | None]
    verdict: Mapped[str] = mapped_column(String(24))
    confidence: Mapped[float | None]
    support_score: Mapped[float | None]
    explanation: Mapped[str]
    claim_type: Mapped[str | None] = mapped_column(String(16))
    importance: Mapped[str | None] = mapped_column(String(16))
    hallucination_type: Mapped[str | None] = mapped_column(String(16))
    severity: Mapped[str | None] = mapped_column(String(16))
    correction: Mapped[str | None]
    spans: Mapped[list[Any]]
    mismatches: Mapped[list[Any] | None]


class CitationRow(Base):
    """A chunk that a claim cites, best first.

    `chunk_position` points at the sample's chunk. It has no foreign key: the domain refuses a citation of a chunk that
    the sample does not have, and the index that the key would need costs more than the rest of the row.
    """

    __tablename__ = "citation"
    __table_args__ = _IN_KEY

    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    chunk_position: Mapped[int]


class EvidenceRow(Base):
    """A quote. Without `start` it is not in its chunk word for word, and is shown as unverified.

    `quote` is empty where the words are those of the chunk from `start` to `end`: they are stored once, with the chunk.
    """

    __tablename__ = "evidence"
    __table_args__ = _IN_KEY

    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    chunk_position: Mapped[int]
    quote: Mapped[str]
    start: Mapped[int | None]
    end: Mapped[int | None]
    occurrence: Mapped[int | None]


class RunBatchRow(Base):
    """The state of judging a run through a vendor's batches; other runs have none."""

    __tablename__ = "run_batch"

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    state: Mapped[str]


class RunIntakeRow(Base):
    """The mark of a run whose file is still being read (`store/runs/intake/marks.py`); other runs have none."""

    __tablename__ = "run_intake"

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    reader: Mapped[str]
    alive_at: Mapped[datetime]
    done: Mapped[int]
    error: Mapped[str | None]
    origin: Mapped[dict[str, Any] | None]
    dataset: Mapped[str | None]


class BenchRow(Base):
    """One judge on one labelled file; `document` is what `faithview bench --json` printed."""

    __tablename__ = "bench"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    fingerprint: Mapped[str] = mapped_column(index=True)
    file: Mapped[str]
    document: Mapped[dict[str, Any]]


def is_of_runs(*run_ids: str) -> ColumnElement[bool]:
    """Return the condition that a claim is of one of these runs.

    Claims are found by their answers: an index by runs would take as much space as their verdicts do.
    """
    return ClaimRow.sample_id.in_(select(SampleRow.id).where(SampleRow.run_id.in_(run_ids)))


def public_claim_id(run_id: str, position: int, number: int) -> str:
    """Return the id by which a claim is known outside the store."""
    return f"{run_id}-{position}-{number}"
