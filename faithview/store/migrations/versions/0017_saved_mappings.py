"""Mappings of columns that people save under a name."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "saved_mapping",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("columns_hash", sa.String(length=64), nullable=False),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("saved_at", UtcDateTime(), nullable=False),
        sa.Column("saved_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_mapping")),
        sa.UniqueConstraint("name", name=op.f("uq_saved_mapping_name")),
    )
    op.create_index(op.f("ix_saved_mapping_columns_hash"), "saved_mapping", ["columns_hash"])


def downgrade() -> None:
    op.drop_table("saved_mapping")
