"""The tables of comparison and trends: knowledge bases, events, alerts.

knowledge_base 1─n kb_chunk n─1 chunk     run.kb_version names a version, which may not be stored
alert_rule 1─n alert n─1 run
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnClause, ForeignKey, String, UniqueConstraint

from faithview.store.schema.typed_tables import Base, column


class KnowledgeBaseRow(Base):
    """One version of a knowledge base, as it was uploaded; `source` is the file's name."""

    __tablename__ = "knowledge_base"

    version: ColumnClause[str] = column(primary_key=True)
    source: ColumnClause[str | None]
    created_at: ColumnClause[datetime]
    chunks: ColumnClause[int]


class KnowledgeBaseChunkRow(Base):
    """One chunk of a version; `position` counts from 1 in the order of the file."""

    __tablename__ = "kb_chunk"

    version: ColumnClause[str] = column(ForeignKey("knowledge_base.version", ondelete="CASCADE"), primary_key=True)
    position: ColumnClause[int] = column(primary_key=True)
    chunk_id: ColumnClause[int] = column(ForeignKey("chunk.id"), index=True)
    external_id: ColumnClause[str]
    meta: ColumnClause[dict[str, Any]]


class EventRow(Base):
    """A recorded event; events detected in the runs' data are not stored."""

    __tablename__ = "event"

    id: ColumnClause[int] = column(primary_key=True)
    at: ColumnClause[datetime] = column(index=True)
    kind: ColumnClause[str] = column(String(16))
    label: ColumnClause[str]
    kb_version: ColumnClause[str | None]
    created_at: ColumnClause[datetime]
    created_by: ColumnClause[str | None]


class AlertRuleRow(Base):
    """When to raise an alert; `threshold` is in points of faithfulness or, for coverage, a share of the rows."""

    __tablename__ = "alert_rule"

    id: ColumnClause[int] = column(primary_key=True)
    kind: ColumnClause[str] = column(String(16))
    threshold: ColumnClause[float]
    segment: ColumnClause[str | None]
    created_at: ColumnClause[datetime]
    created_by: ColumnClause[str | None]


class AlertRow(Base):
    """A rule that a run broke. `posted_at` is when it was posted to the webhook, `post_error` why posting failed.

    `baseline_id` is the run that it was compared with; it stays when that run is deleted.
    """

    __tablename__ = "alert"
    __table_args__ = (UniqueConstraint("rule_id", "run_id"),)

    id: ColumnClause[int] = column(primary_key=True)
    rule_id: ColumnClause[int] = column(ForeignKey("alert_rule.id", ondelete="CASCADE"))
    run_id: ColumnClause[str] = column(ForeignKey("run.id", ondelete="CASCADE"), index=True)
    baseline_id: ColumnClause[str | None] = column(String(16))
    at: ColumnClause[datetime]
    value: ColumnClause[float]
    message: ColumnClause[str]
    is_acknowledged: ColumnClause[bool]
    posted_at: ColumnClause[datetime | None]
    post_error: ColumnClause[str | None]
