"""An answer with a claim that is not mentioned is not faithful any more, whatever its share of supported claims.

The flag under reviewers' verdicts is derived from the labels at the end of every migration. The figures that are stored
with a run are computed again because their layout has a new number.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_RESULT = sa.table(
    "result",
    sa.column("run_id", sa.String()),
    sa.column("is_faithful", sa.Boolean()),
    sa.column("faithfulness", sa.Double()),
    sa.column("not_mentioned", sa.Integer()),
    sa.column("contradicted", sa.Integer()),
)
_RUN = sa.table("run", sa.column("id", sa.String()), sa.column("threshold", sa.Double()))
_INVENTS = (_RESULT.c.not_mentioned > 0, _RESULT.c.contradicted == 0)


def upgrade() -> None:
    op.execute(sa.update(_RESULT).where(*_INVENTS, _RESULT.c.is_faithful.is_(True)).values(is_faithful=False))


def downgrade() -> None:
    threshold = sa.select(_RUN.c.threshold).where(_RUN.c.id == _RESULT.c.run_id).scalar_subquery()
    op.execute(
        sa.update(_RESULT)
        .where(*_INVENTS, _RESULT.c.is_faithful.is_(False), _RESULT.c.faithfulness >= threshold)
        .values(is_faithful=True)
    )
