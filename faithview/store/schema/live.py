"""The tables of live applications: what they log, and the run that judges a window of it.

logged_answer n─1 run      by `run_id`, once a watch has taken the answer into a run; the texts move to that run
live_window 1─1 run        which application and window a run judges, and how many answers were logged in it
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from faithview.store.schema.runs import Base


class LoggedAnswerRow(Base):
    """One logged answer.

    Texts are null once they have moved to a run or were removed; the row stays, so that the same id is known when it
    comes again, and so that the answers of a window can be counted. `run_id` stays when the run is deleted.
    """

    __tablename__ = "logged_answer"
    __table_args__ = (
        UniqueConstraint("application", "external_id"),
        Index("ix_logged_answer_fate", "fate", "application", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    application: Mapped[str]
    external_id: Mapped[str]
    at: Mapped[datetime]
    logged_at: Mapped[datetime]
    question: Mapped[str | None]
    answer: Mapped[str | None]
    chunks: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    segment: Mapped[str | None]
    extra: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    fate: Mapped[str] = mapped_column(String(16))
    inclusion_probability: Mapped[float | None]
    run_id: Mapped[str | None] = mapped_column(String(16))


class LiveWindowRow(Base):
    """A window of live traffic that a watch judges, or a share of it; `run_id` is null until an answer is drawn.

    `judging` names judge, threshold, version of the knowledge base and series: watches that differ in one of them have
    windows of their own. `logged` counts the logged answers that the watch has decided on, skipped ones included.
    `closed_at` is when the window was over and its run was checked for alerts for the last time.
    """

    __tablename__ = "live_window"
    __table_args__ = (Index("ix_live_window_application", "application", "starts_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[str | None] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), unique=True)
    application: Mapped[str]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    sample_rate: Mapped[float]
    judging: Mapped[str]
    logged: Mapped[int]
    closed_at: Mapped[datetime | None]
