"""The tables of preflights: what an update of a knowledge base would do to the answers of a run.

run 1─n preflight 1─n preflight_passage   the texts of the new version that an answer would get
                  1─n preflight_answer    what changes in an answer, and its verdicts once it is judged again

The new version need not be stored, because a preflight is done before it is published.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnClause, ForeignKey, String

from faithview.store.schema.typed_tables import Base, column


class PreflightRow(Base):
    """One preflight, as in `domain.preflight.PreflightRecord`. `judge` is its spec, `documents` those that differ."""

    __tablename__ = "preflight"

    id: ColumnClause[str] = column(String(16), primary_key=True)
    run_id: ColumnClause[str] = column(ForeignKey("run.id", ondelete="CASCADE"), index=True)
    kb_version: ColumnClause[str]
    new_version: ColumnClause[str | None]
    source: ColumnClause[str | None]
    content_hash: ColumnClause[str] = column(String(64), index=True)
    judge: ColumnClause[dict[str, Any]]
    fingerprint: ColumnClause[str]
    is_run_judge: ColumnClause[bool]
    created_at: ColumnClause[datetime]
    finished_at: ColumnClause[datetime | None]
    counts: ColumnClause[dict[str, Any]]
    documents: ColumnClause[list[Any]]
    answers: ColumnClause[int]
    unplaced: ColumnClause[int]


class PreflightPassageRow(Base):
    """A passage of the new version; `document` is the index of its document, None if that is unchanged."""

    __tablename__ = "preflight_passage"

    preflight_id: ColumnClause[str] = column(
        String(16), ForeignKey("preflight.id", ondelete="CASCADE"), primary_key=True
    )
    number: ColumnClause[int] = column(primary_key=True)
    external_id: ColumnClause[str]
    document: ColumnClause[int | None]
    text: ColumnClause[str]


class PreflightAnswerRow(Base):
    """The changes of an answer (`plan`), and its verdicts by the new version (`result`), None until it is judged."""

    __tablename__ = "preflight_answer"

    preflight_id: ColumnClause[str] = column(
        String(16), ForeignKey("preflight.id", ondelete="CASCADE"), primary_key=True
    )
    row: ColumnClause[int] = column(primary_key=True)
    is_judged: ColumnClause[bool]
    plan: ColumnClause[dict[str, Any]]
    result: ColumnClause[dict[str, Any] | None]
