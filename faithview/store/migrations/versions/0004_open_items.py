"""Queues that find their next item at once, however much is labelled: open items, and who took what back."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_CLOSE_LABELLED = """
UPDATE spot_check_item SET is_open = false
WHERE (
    SELECT count(DISTINCT label.reviewer) FROM label
    WHERE label.claim_id = spot_check_item.claim_id
      AND label.spot_check_id = spot_check_item.spot_check_id
      AND label.kind IN ('verdict', 'not_a_claim')
      AND NOT EXISTS (SELECT 1 FROM label AS later WHERE later.retracts = label.id)
) >= (
    SELECT spot_check.reviewers_per_item FROM spot_check WHERE spot_check.id = spot_check_item.spot_check_id
)
"""


def upgrade() -> None:
    op.create_index(op.f("ix_label_retracts"), "label", ["retracts"], unique=False)
    with op.batch_alter_table("spot_check_item") as batch:
        batch.add_column(sa.Column("is_open", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("spot_check_item") as batch:
        batch.alter_column("is_open", existing_type=sa.Boolean(), server_default=None)
    op.execute(_CLOSE_LABELLED)
    op.create_index("ix_spot_check_item_open", "spot_check_item", ["spot_check_id", "is_open", "position"])


def downgrade() -> None:
    op.drop_index("ix_spot_check_item_open", table_name="spot_check_item")
    with op.batch_alter_table("spot_check_item") as batch:
        batch.drop_column("is_open")
    op.drop_index(op.f("ix_label_retracts"), table_name="label")
