"""The audit log, and the moment at which a run's texts were deleted."""

import sqlalchemy as sa
from alembic import op

from faithview.store.append_only import guard_audit, release_audit
from faithview.store.dialect import UtcDateTime

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=True),
        sa.Column("run_name", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    op.create_index(op.f("ix_audit_entry_at"), "audit_entry", ["at"])
    op.create_index("ix_audit_entry_who", "audit_entry", ["who", "id"])
    op.create_index("ix_audit_entry_action", "audit_entry", ["action", "id"])
    guard_audit(op.get_bind())
    op.add_column("run", sa.Column("texts_deleted_at", UtcDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("run", "texts_deleted_at")
    release_audit(op.get_bind())
    op.drop_table("audit_entry")
