"""Results of judges on labelled files."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "bench",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("document", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bench")),
    )
    op.create_index(op.f("ix_bench_fingerprint"), "bench", ["fingerprint"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_bench_fingerprint"), table_name="bench")
    op.drop_table("bench")
