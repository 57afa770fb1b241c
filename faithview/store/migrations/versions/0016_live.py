"""Answers that live applications log, the windows of them that runs judge, and each answer's inclusion probability."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "logged_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("application", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("logged_at", UtcDateTime(), nullable=False),
        sa.Column("question", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("chunks", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("segment", sa.Text(), nullable=True),
        sa.Column("extra", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("fate", sa.String(length=16), nullable=False),
        sa.Column("inclusion_probability", sa.Double(), nullable=True),
        sa.Column("run_id", sa.String(length=16), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_logged_answer")),
        sa.UniqueConstraint("application", "external_id", name=op.f("uq_logged_answer_application_external_id")),
    )
    op.create_index("ix_logged_answer_fate", "logged_answer", ["fate", "application", "id"])
    op.create_table(
        "live_window",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=True),
        sa.Column("application", sa.Text(), nullable=False),
        sa.Column("starts_at", UtcDateTime(), nullable=False),
        sa.Column("ends_at", UtcDateTime(), nullable=False),
        sa.Column("sample_rate", sa.Double(), nullable=False),
        sa.Column("judging", sa.Text(), nullable=False),
        sa.Column("logged", sa.Integer(), nullable=False),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_live_window_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live_window")),
        sa.UniqueConstraint("run_id", name=op.f("uq_live_window_run_id")),
    )
    op.create_index("ix_live_window_application", "live_window", ["application", "starts_at"])
    op.add_column("result", sa.Column("inclusion_probability", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("result", "inclusion_probability")
    op.drop_table("live_window")
    op.drop_table("logged_answer")
