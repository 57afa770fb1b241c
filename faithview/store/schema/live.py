"""The tables of live applications: logged answers, and the run that judges a window of them.

logged_answer n─1 run      by `run_id`, once a watch has taken the answer into a run; the texts move to that run
live_window 1─1 run        which application and window a run judges, and how many answers were logged in it
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnClause, ForeignKey, Index, String, UniqueConstraint

from faithview.store.schema.typed_tables import Base, column


class LoggedAnswerRow(Base):
    """One logged answer.

    Texts are null once they have moved to a run or were removed. The row stays, because repeated ids must be recognised
    and the answers of a window counted. `run_id` stays when the run is deleted.
    """

    __tablename__ = "logged_answer"
    __table_args__ = (
        UniqueConstraint("application", "external_id"),
        Index("ix_logged_answer_fate", "fate", "application", "id"),
    )

    id: ColumnClause[int] = column(primary_key=True)
    application: ColumnClause[str]
    external_id: ColumnClause[str]
    at: ColumnClause[datetime]
    logged_at: ColumnClause[datetime]
    question: ColumnClause[str | None]
    answer: ColumnClause[str | None]
    chunks: ColumnClause[list[Any] | None] = column(JSON(none_as_null=True))
    segment: ColumnClause[str | None]
    extra: ColumnClause[dict[str, Any] | None] = column(JSON(none_as_null=True))
    fate: ColumnClause[str] = column(String(16))
    inclusion_probability: ColumnClause[float | None]
    run_id: ColumnClause[str | None] = column(String(16))


class LiveWindowRow(Base):
    """A window of live traffic that a watch judges, wholly or in part; `run_id` is null until an answer is drawn.

    `judging` names judge, threshold, version of the knowledge base and series: watches that differ in one of them have
    separate windows. `logged` counts the logged answers that the watch has decided on, including skipped ones.
    """

    __tablename__ = "live_window"
    __table_args__ = (Index("ix_live_window_application", "application", "starts_at"),)

    id: ColumnClause[int] = column(primary_key=True)
    run_id: ColumnClause[str | None] = column(ForeignKey("run.id", ondelete="CASCADE"), unique=True)
    application: ColumnClause[str]
    starts_at: ColumnClause[datetime]
    ends_at: ColumnClause[datetime]
    sample_rate: ColumnClause[float]
    judging: ColumnClause[str]
    logged: ColumnClause[int]
