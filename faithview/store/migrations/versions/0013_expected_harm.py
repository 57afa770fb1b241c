"""Answers keep what lists order them by: the expected harm of their worst claim, and the judge's least confidence."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

# `scoring.expected_harm` as it was when these columns were added; the harm under people's verdicts is derived from the
# labels at the end of every migration.
_FILL = """
UPDATE result SET
    least_confidence = (SELECT min(claim.confidence) FROM claim WHERE claim.sample_id = result.sample_id),
    worst_harm = (
        SELECT max(
            CASE WHEN claim.verdict = 'supported' THEN 0.0 ELSE
                CASE WHEN claim.verdict = 'contradicted' THEN 1.0 ELSE 0.0 END
                + CASE claim.severity WHEN 'high' THEN 1.0 WHEN 'low' THEN 0.25 ELSE 0.5 END
                * coalesce(claim.confidence, 0.5)
            END
        )
        FROM claim WHERE claim.sample_id = result.sample_id
    )
WHERE result.claims > 0
"""


def upgrade() -> None:
    op.add_column("result", sa.Column("worst_harm", sa.Double(), nullable=True))
    op.add_column("result", sa.Column("least_confidence", sa.Double(), nullable=True))
    op.add_column("sample_review", sa.Column("worst_harm", sa.Double(), nullable=True))
    op.execute(_FILL)
    op.create_index("ix_result_harm", "result", ["run_id", "worst_harm", "faithfulness", "position"])


def downgrade() -> None:
    op.drop_index("ix_result_harm", table_name="result")
    op.drop_column("sample_review", "worst_harm")
    op.drop_column("result", "least_confidence")
    op.drop_column("result", "worst_harm")
