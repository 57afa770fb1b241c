"""Who has seen the judge's verdict on a claim since labelling it blind."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0009"
down_revision = "0008"

_LABEL = sa.table(
    "label",
    sa.column("claim_id", sa.Integer()),
    sa.column("kind", sa.Text()),
    sa.column("reviewer", sa.Text()),
    sa.column("at", UtcDateTime()),
    sa.column("is_blind", sa.Boolean()),
    sa.column("origin", sa.Integer()),
)
_REVEAL = sa.table(
    "reveal", sa.column("claim_id", sa.Integer()), sa.column("reviewer", sa.Text()), sa.column("at", UtcDateTime())
)
_COMPARISON = sa.table("comparison", sa.column("view", sa.Text()))


def upgrade() -> None:
    op.create_table(
        "reveal",
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_reveal_claim_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("claim_id", "reviewer", name=op.f("pk_reveal")),
    )
    # Until now the judge was revealed as soon as a blind label was stored.
    labelled = (
        sa.select(_LABEL.c.claim_id, _LABEL.c.reviewer, sa.func.min(_LABEL.c.at))
        .where(
            _LABEL.c.is_blind.is_(True),
            _LABEL.c.kind.in_(("verdict", "not_a_claim")),
            _LABEL.c.claim_id.is_not(None),
            _LABEL.c.origin.is_(None),
        )
        .group_by(_LABEL.c.claim_id, _LABEL.c.reviewer)
    )
    op.execute(sa.insert(_REVEAL).from_select(["claim_id", "reviewer", "at"], labelled))
    # Comparisons under people's verdicts were computed with the labels given after the reveal.
    op.execute(sa.delete(_COMPARISON).where(_COMPARISON.c.view != "judge"))


def downgrade() -> None:
    op.drop_table("reveal")
