"""Runs can be archived, and have a note."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("run", sa.Column("archived_at", UtcDateTime(), nullable=True))
    op.add_column("run", sa.Column("note", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("run", "note")
    op.drop_column("run", "archived_at")
