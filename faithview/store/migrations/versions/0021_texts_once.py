"""Quotes that stand in their chunk are kept there only, and claims lose a hash that nothing read and an index.

A claim with the same words in another run is found by the index of the inbox.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_IN_CHUNK = """(
    SELECT substr(chunk.text, evidence."start" + 1, evidence."end" - evidence."start")
    FROM claim
    JOIN sample_chunk ON sample_chunk.sample_id = claim.sample_id AND sample_chunk.position = evidence.chunk_position
    JOIN chunk ON chunk.id = sample_chunk.chunk_id
    WHERE claim.id = evidence.claim_id
)"""


def upgrade() -> None:
    op.execute(f"""UPDATE evidence SET quote = '' WHERE "start" IS NOT NULL AND quote = {_IN_CHUNK}""")  # noqa: S608 - ours
    op.drop_index("ix_claim_evidence_hash", table_name="claim")
    op.drop_index("ix_claim_claim_hash", table_name="claim")
    op.drop_column("claim", "evidence_hash")


def downgrade() -> None:
    op.add_column("claim", sa.Column("evidence_hash", sa.String(length=64), nullable=False, server_default=""))
    op.create_index("ix_claim_claim_hash", "claim", ["claim_hash"])
    op.create_index("ix_claim_evidence_hash", "claim", ["evidence_hash"])
    op.execute(f"""UPDATE evidence SET quote = {_IN_CHUNK} WHERE "start" IS NOT NULL AND quote = ''""")  # noqa: S608 - ours
