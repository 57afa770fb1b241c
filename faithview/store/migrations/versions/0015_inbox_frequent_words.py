"""The inbox counts the claims of a common word: the indexes that counts are read from know the words too."""

from alembic import op

revision = "0015"
down_revision = "0014"

_FACETS = ["run_id", "verdict", "error_type", "label_state", "segment"]
_INDEXES = {"ix_inbox_claim_facets": _FACETS, "ix_inbox_claim_document": ["document", *_FACETS]}


def upgrade() -> None:
    _recreate(with_text=True)


def downgrade() -> None:
    _recreate(with_text=False)


def _recreate(*, with_text: bool) -> None:
    for name, columns in _INDEXES.items():
        op.drop_index(name, table_name="inbox_claim")
        op.create_index(name, "inbox_claim", [*columns, *(["text_id"] if with_text else [])])
