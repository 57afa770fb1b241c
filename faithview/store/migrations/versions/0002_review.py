"""Review: labels and what follows from them, spot-checks, leases."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "spot_check",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("is_blind", sa.Boolean(), nullable=False),
        sa.Column("reviewers_per_item", sa.Integer(), nullable=False),
        sa.Column("design", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_spot_check")),
    )
    op.create_table(
        "sample_review",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("faithfulness", sa.Double(), nullable=False),
        sa.Column("faithfulness_weighted", sa.Double(), nullable=False),
        sa.Column("is_faithful", sa.Boolean(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.Column("supported", sa.Integer(), nullable=False),
        sa.Column("partially_supported", sa.Integer(), nullable=False),
        sa.Column("not_mentioned", sa.Integer(), nullable=False),
        sa.Column("contradicted", sa.Integer(), nullable=False),
        sa.Column("labelled", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_sample_review_sample_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sample_id", name=op.f("pk_sample_review")),
    )
    op.create_index("ix_sample_review_run", "sample_review", ["run_id"], unique=False)
    op.create_table(
        "claim_review",
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=24), nullable=True),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("reviewers", sa.Integer(), nullable=False),
        sa.Column("is_inherited", sa.Boolean(), nullable=False),
        sa.Column("has_stale", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_claim_review_claim_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_claim_review_sample_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("claim_id", name=op.f("pk_claim_review")),
    )
    op.create_index("ix_claim_review_run", "claim_review", ["run_id", "source"], unique=False)
    op.create_index(op.f("ix_claim_review_sample_id"), "claim_review", ["sample_id"], unique=False)
    op.create_table(
        "label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=24), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("corrected_text", sa.Text(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("occurrence", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("is_blind", sa.Boolean(), nullable=False),
        sa.Column("judge_seen", sa.Boolean(), nullable=False),
        sa.Column("spot_check_id", sa.Integer(), nullable=True),
        sa.Column("inclusion_probability", sa.Double(), nullable=True),
        sa.Column("retracts", sa.Integer(), nullable=True),
        sa.Column("origin", sa.Integer(), nullable=True),
        sa.Column("is_stale", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_label_claim_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["sample_id"], ["sample.id"], name=op.f("fk_label_sample_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["spot_check_id"], ["spot_check.id"], name=op.f("fk_label_spot_check_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label")),
    )
    op.create_index(op.f("ix_label_claim_id"), "label", ["claim_id"], unique=False)
    op.create_index(op.f("ix_label_origin"), "label", ["origin"], unique=False)
    op.create_index("ix_label_run", "label", ["run_id", "id"], unique=False)
    op.create_index(op.f("ix_label_sample_id"), "label", ["sample_id"], unique=False)
    op.create_index(op.f("ix_label_spot_check_id"), "label", ["spot_check_id"], unique=False)
    op.create_table(
        "spot_check_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("spot_check_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("stratum", sa.Text(), nullable=False),
        sa.Column("inclusion_probability", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["claim_id"], ["claim.id"], name=op.f("fk_spot_check_item_claim_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["spot_check_id"], ["spot_check.id"], name=op.f("fk_spot_check_item_spot_check_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_spot_check_item")),
        sa.UniqueConstraint("spot_check_id", "claim_id", name=op.f("uq_spot_check_item_spot_check_id_claim_id")),
        sa.UniqueConstraint("spot_check_id", "position", name=op.f("uq_spot_check_item_spot_check_id_position")),
    )
    op.create_index(op.f("ix_spot_check_item_claim_id"), "spot_check_item", ["claim_id"], unique=False)
    op.create_table(
        "lease",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["spot_check_item.id"], name=op.f("fk_lease_item_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id", "reviewer", name=op.f("pk_lease")),
    )


def downgrade() -> None:
    op.drop_table("lease")
    op.drop_index(op.f("ix_spot_check_item_claim_id"), table_name="spot_check_item")
    op.drop_table("spot_check_item")
    op.drop_index(op.f("ix_label_spot_check_id"), table_name="label")
    op.drop_index(op.f("ix_label_sample_id"), table_name="label")
    op.drop_index("ix_label_run", table_name="label")
    op.drop_index(op.f("ix_label_origin"), table_name="label")
    op.drop_index(op.f("ix_label_claim_id"), table_name="label")
    op.drop_table("label")
    op.drop_index(op.f("ix_claim_review_sample_id"), table_name="claim_review")
    op.drop_index("ix_claim_review_run", table_name="claim_review")
    op.drop_table("claim_review")
    op.drop_index("ix_sample_review_run", table_name="sample_review")
    op.drop_table("sample_review")
    op.drop_table("spot_check")
