"""Tables for preflights: what an update of a knowledge base would do to the answers of a run."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "preflight",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("run_id", sa.String(16), nullable=False),
        sa.Column("kb_version", sa.Text(), nullable=False),
        sa.Column("new_version", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("texts_hash", sa.String(64), nullable=False),
        sa.Column("judge", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("is_run_judge", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("counts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("documents", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("unplaced", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_preflight_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preflight")),
    )
    op.create_index("ix_preflight_run_id", "preflight", ["run_id"])
    op.create_index("ix_preflight_content_hash", "preflight", ["content_hash"])
    op.create_table(
        "preflight_passage",
        sa.Column("preflight_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("document", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["preflight_id"], ["preflight.id"], name=op.f("fk_preflight_passage_preflight_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("preflight_id", "number", name=op.f("pk_preflight_passage")),
    )
    op.create_table(
        "preflight_answer",
        sa.Column("preflight_id", sa.String(16), nullable=False),
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("is_judged", sa.Boolean(), nullable=False),
        sa.Column("plan", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["preflight_id"], ["preflight.id"], name=op.f("fk_preflight_answer_preflight_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("preflight_id", "row", name=op.f("pk_preflight_answer")),
    )
