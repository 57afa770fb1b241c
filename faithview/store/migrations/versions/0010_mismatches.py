"""Claims keep the words that their verdict rests on."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("claim", sa.Column("mismatches", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("claim", "mismatches")
