"""Claims say which judge of a cascade gave their verdict; those of other judges, and older ones, say nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("claim", sa.Column("decided_by", sa.Text(), nullable=True))
