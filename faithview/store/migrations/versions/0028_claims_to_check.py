"""The inbox finds the claims that are to be checked; those of older stores are marked as they would be now."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.execute(
        "UPDATE inbox_claim SET verdict = -2 WHERE verdict = 0 AND claim_id IN ("
        "SELECT claim.id FROM claim JOIN run ON run.id = claim.run_id "
        "LEFT JOIN claim_review ON claim_review.claim_id = claim.id "
        "WHERE claim.verdict = 'supported' AND claim.confidence <= 0.8 "
        "AND coalesce(claim.decided_by, run.judge) = 'embedded' "
        "AND coalesce(claim_review.source, '') NOT IN ('reviewers', 'adjudicated'))"
    )
