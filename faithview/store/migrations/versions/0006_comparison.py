"""Knowledge bases, events, kept comparisons, people's pairings, alerts."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "alert_rule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("segment", sa.Text(), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_rule")),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("kb_version", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_at"), "event", ["at"], unique=False)
    op.create_table(
        "knowledge_base",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_knowledge_base")),
    )
    op.create_table(
        "alert",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rule_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("baseline_id", sa.String(length=16), nullable=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("is_acknowledged", sa.Boolean(), nullable=False),
        sa.Column("posted_at", UtcDateTime(), nullable=True),
        sa.Column("post_error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["rule_id"], ["alert_rule.id"], name=op.f("fk_alert_rule_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_alert_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
        sa.UniqueConstraint("rule_id", "run_id", name=op.f("uq_alert_rule_id_run_id")),
    )
    op.create_index(op.f("ix_alert_run_id"), "alert", ["run_id"], unique=False)
    op.create_table(
        "comparison",
        sa.Column("baseline_id", sa.String(length=16), nullable=False),
        sa.Column("candidate_id", sa.String(length=16), nullable=False),
        sa.Column("view", sa.String(length=16), nullable=False),
        sa.Column("stamp", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["baseline_id"], ["run.id"], name=op.f("fk_comparison_baseline_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["run.id"], name=op.f("fk_comparison_candidate_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("baseline_id", "candidate_id", "view", name=op.f("pk_comparison")),
    )
    op.create_index(op.f("ix_comparison_candidate_id"), "comparison", ["candidate_id"], unique=False)
    op.create_table(
        "kb_chunk",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("meta", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["chunk_id"], ["chunk.id"], name=op.f("fk_kb_chunk_chunk_id")),
        sa.ForeignKeyConstraint(
            ["version"], ["knowledge_base.version"], name=op.f("fk_kb_chunk_version"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version", "position", name=op.f("pk_kb_chunk")),
    )
    op.create_index(op.f("ix_kb_chunk_chunk_id"), "kb_chunk", ["chunk_id"], unique=False)
    op.create_table(
        "pair_choice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("baseline_id", sa.String(length=16), nullable=False),
        sa.Column("candidate_id", sa.String(length=16), nullable=False),
        sa.Column("baseline_row", sa.Integer(), nullable=False),
        sa.Column("candidate_row", sa.Integer(), nullable=False),
        sa.Column("baseline_claim", sa.Integer(), nullable=True),
        sa.Column("candidate_claim", sa.Integer(), nullable=True),
        sa.Column("belong_together", sa.Boolean(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["baseline_id"], ["run.id"], name=op.f("fk_pair_choice_baseline_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["run.id"], name=op.f("fk_pair_choice_candidate_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair_choice")),
    )
    op.create_index(op.f("ix_pair_choice_candidate_id"), "pair_choice", ["candidate_id"], unique=False)
    op.create_index("ix_pair_choice_runs", "pair_choice", ["baseline_id", "candidate_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_pair_choice_runs", table_name="pair_choice")
    op.drop_index(op.f("ix_pair_choice_candidate_id"), table_name="pair_choice")
    op.drop_table("pair_choice")
    op.drop_index(op.f("ix_kb_chunk_chunk_id"), table_name="kb_chunk")
    op.drop_table("kb_chunk")
    op.drop_index(op.f("ix_comparison_candidate_id"), table_name="comparison")
    op.drop_table("comparison")
    op.drop_index(op.f("ix_alert_run_id"), table_name="alert")
    op.drop_table("alert")
    op.drop_table("knowledge_base")
    op.drop_index(op.f("ix_event_at"), table_name="event")
    op.drop_table("event")
    op.drop_table("alert_rule")
