"""The mark of a run whose file is still being read."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "run_intake",
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("alive_at", UtcDateTime(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("origin", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_intake_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_intake")),
    )


def downgrade() -> None:
    op.drop_table("run_intake")
