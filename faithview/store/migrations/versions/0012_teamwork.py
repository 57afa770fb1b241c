"""Spot-checks of listed claims, whose queue a spot-check is in, who has seen an answer, and notes on claims."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("spot_check", sa.Column("population", sa.Text(), nullable=True))
    op.create_table(
        "listed_claim",
        sa.Column("spot_check_id", sa.Integer(), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["spot_check_id"], ["spot_check.id"], name=op.f("fk_listed_claim_spot_check_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_listed_claim_claim_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("spot_check_id", "claim_id", name=op.f("pk_listed_claim")),
    )
    op.create_index(op.f("ix_listed_claim_claim_id"), "listed_claim", ["claim_id"], unique=False)
    op.create_table(
        "assignment",
        sa.Column("spot_check_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("assigned_by", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["spot_check_id"], ["spot_check.id"], name=op.f("fk_assignment_spot_check_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("spot_check_id", "reviewer", name=op.f("pk_assignment")),
    )
    op.create_table(
        "seen_answer",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_seen_answer_sample_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sample_id", "reviewer", name=op.f("pk_seen_answer")),
    )
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["sample_id"], ["sample.id"], name=op.f("fk_note_sample_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_note_claim_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    for column in ("run_id", "sample_id", "claim_id"):
        op.create_index(op.f(f"ix_note_{column}"), "note", [column], unique=False)


def downgrade() -> None:
    op.drop_table("note")
    op.drop_table("seen_answer")
    op.drop_table("assignment")
    op.drop_table("listed_claim")
    op.drop_column("spot_check", "population")
