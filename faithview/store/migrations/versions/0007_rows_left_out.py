"""Rows of the file that could not be read are counted; answers without claims have no score."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_SCORES: tuple[sa.ColumnClause[Any], ...] = (
    sa.column("faithfulness", sa.Double()),
    sa.column("faithfulness_weighted", sa.Double()),
    sa.column("is_faithful", sa.Boolean()),
)
_RESULT = sa.table("result", sa.column("state", sa.Text()), *(sa.column(c.name, c.type) for c in _SCORES))
_REVIEW = sa.table("sample_review", sa.column("claims", sa.Integer()), *(sa.column(c.name, c.type) for c in _SCORES))
_WITHOUT_CLAIMS = (
    sa.update(_RESULT).where(_RESULT.c.state.in_(("no_claims", "abstained"))),
    sa.update(_REVIEW).where(_REVIEW.c.claims == 0),
)


def upgrade() -> None:
    op.add_column("run", sa.Column("rows_left_out", sa.Integer(), nullable=True))
    with op.batch_alter_table("sample_review") as batch:
        for column in _SCORES:
            batch.alter_column(column.name, existing_type=column.type, nullable=True)
    for rows in _WITHOUT_CLAIMS:
        op.execute(rows.values({column.name: None for column in _SCORES}))


def downgrade() -> None:
    for rows in _WITHOUT_CLAIMS:
        op.execute(rows.values(faithfulness=1.0, faithfulness_weighted=1.0, is_faithful=True))
    with op.batch_alter_table("sample_review") as batch:
        for column in _SCORES:
            batch.alter_column(column.name, existing_type=column.type, nullable=False)
    op.drop_column("run", "rows_left_out")
