"""The inbox: an index over all claims, who should label them, and saved filters.

The index of older claims is filled by `store/inbox/claim_index.py` after the newest migration.
"""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime
from faithview.store.search.word_index import CREATE_WORD_INDEX, SearchWords

revision = "0014"
down_revision = "0013"

_OPEN = sa.text("verdict > 0")
_TEXT = ["text_id", "verdict", "run_id", "error_type", "label_state", "segment", "document", "harm"]
_FACETS = ["run_id", "verdict", "error_type", "label_state", "segment"]


def upgrade() -> None:
    op.create_table(
        "claim_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("claim_hash", sa.String(length=64), nullable=False),
        sa.Column("words", SearchWords(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim_text")),
        sa.UniqueConstraint("claim_hash", name=op.f("uq_claim_text_claim_hash")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for statement in CREATE_WORD_INDEX:
            op.execute(statement)
    else:
        op.create_index("ix_claim_text_words", "claim_text", ["words"], postgresql_using="gin")
    op.create_table(
        "inbox_claim",
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("segment", sa.Text(), nullable=True),
        sa.Column("document", sa.Text(), nullable=True),
        sa.Column("verdict", sa.SmallInteger(), nullable=False),
        sa.Column("error_type", sa.SmallInteger(), nullable=False),
        sa.Column("label_state", sa.SmallInteger(), nullable=False),
        sa.Column("harm", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_inbox_claim_claim_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["text_id"], ["claim_text.id"], name=op.f("fk_inbox_claim_text_id")),
        sa.PrimaryKeyConstraint("claim_id", name=op.f("pk_inbox_claim")),
    )
    op.create_index("ix_inbox_claim_text", "inbox_claim", _TEXT)
    op.create_index("ix_inbox_claim_open", "inbox_claim", _TEXT, sqlite_where=_OPEN, postgresql_where=_OPEN)
    op.create_index("ix_inbox_claim_facets", "inbox_claim", _FACETS)
    op.create_index("ix_inbox_claim_document", "inbox_claim", ["document", *_FACETS])
    op.create_table(
        "inbox_assignment",
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("assigned_by", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["claim_id"], ["claim.id"], name=op.f("fk_inbox_assignment_claim_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("claim_id", name=op.f("pk_inbox_assignment")),
    )
    op.create_index(op.f("ix_inbox_assignment_reviewer"), "inbox_assignment", ["reviewer"])
    op.create_table(
        "inbox_tab",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("filters", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox_tab")),
        sa.UniqueConstraint("name", name=op.f("uq_inbox_tab_name")),
    )


def downgrade() -> None:
    op.drop_table("inbox_tab")
    op.drop_table("inbox_assignment")
    op.drop_table("inbox_claim")
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE claim_words")
    op.drop_table("claim_text")
