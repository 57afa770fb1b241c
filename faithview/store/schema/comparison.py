"""The tables of comparison and trends: knowledge bases, events, cached comparisons, pair decisions, alerts.

knowledge_base 1─n kb_chunk n─1 chunk     run.kb_version names a version, which may not be stored
run 2─n comparison                        a cached document, valid while its `stamp` is the same
run 2─n pair_choice                       a person's decision about two answers, or two claims
alert_rule 1─n alert n─1 run
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from faithview.store.schema.runs import Base


class KnowledgeBaseRow(Base):
    """One version of a knowledge base, as it was uploaded; `source` is the file's name."""

    __tablename__ = "knowledge_base"

    version: Mapped[str] = mapped_column(primary_key=True)
    source: Mapped[str | None]
    created_at: Mapped[datetime]
    chunks: Mapped[int]


class KnowledgeBaseChunkRow(Base):
    """One chunk of a version; `position` counts from 1 in the order of the file."""

    __tablename__ = "kb_chunk"

    version: Mapped[str] = mapped_column(ForeignKey("knowledge_base.version", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    chunk_id: Mapped[int] = mapped_column(ForeignKey("chunk.id"), index=True)
    external_id: Mapped[str]
    meta: Mapped[dict[str, Any]]


class EventRow(Base):
    """Something that happened and may show in the scores; those found in the runs' own data are not stored."""

    __tablename__ = "event"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    kind: Mapped[str] = mapped_column(String(16))
    label: Mapped[str]
    kb_version: Mapped[str | None]
    created_at: Mapped[datetime]
    created_by: Mapped[str | None]


class ComparisonRow(Base):
    """A comparison that was worked out; `stamp` names everything it was worked out from."""

    __tablename__ = "comparison"

    baseline_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    candidate_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True, index=True)
    view: Mapped[str] = mapped_column(String(16), primary_key=True)
    stamp: Mapped[str]
    document: Mapped[str]


class PairChoiceRow(Base):
    """A person's word on whether two answers, or two claims of a pair of answers, belong together.

    Rows are positions in either run; the claims' numbers are null for a choice about answers. Only ever added: of
    several choices about the same two the newest counts.
    """

    __tablename__ = "pair_choice"
    __table_args__ = (Index("ix_pair_choice_runs", "baseline_id", "candidate_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    baseline_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    candidate_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), index=True)
    baseline_row: Mapped[int]
    candidate_row: Mapped[int]
    baseline_claim: Mapped[int | None]
    candidate_claim: Mapped[int | None]
    belong_together: Mapped[bool]
    decided_by: Mapped[str | None]
    at: Mapped[datetime]


class AlertRuleRow(Base):
    """When to raise an alert; `threshold` is in points of faithfulness or, for coverage, a share of the rows."""

    __tablename__ = "alert_rule"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    threshold: Mapped[float]
    segment: Mapped[str | None]
    is_active: Mapped[bool]
    created_at: Mapped[datetime]
    created_by: Mapped[str | None]


class AlertRow(Base):
    """A rule that a run broke. `posted_at` is when it was posted to the webhook, `post_error` why it could not be.

    `baseline_id` is the run that it was compared with; it stays when that one is deleted.
    """

    __tablename__ = "alert"
    __table_args__ = (UniqueConstraint("rule_id", "run_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    rule_id: Mapped[int] = mapped_column(ForeignKey("alert_rule.id", ondelete="CASCADE"))
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), index=True)
    baseline_id: Mapped[str | None] = mapped_column(String(16))
    at: Mapped[datetime]
    value: Mapped[float]
    message: Mapped[str]
    is_acknowledged: Mapped[bool]
    posted_at: Mapped[datetime | None]
    post_error: Mapped[str | None]
