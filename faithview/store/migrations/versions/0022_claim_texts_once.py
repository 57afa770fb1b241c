"""Equal claims share one text and one name of their document; hashes take 32 bytes on SQLite; smaller indexes.

Claims that are in no index of the inbox yet keep their texts here: `store/inbox/claim_index.py` shares them after the
newest migration.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from faithview.store.hash_columns import to_digits, to_stored
from faithview.store.search.word_index import CREATE_WORD_INDEX

revision = "0022"
down_revision = "0021"

_HASHES = {
    "sample": ("sample_hash", "context_hash", "content_hash"),
    "result": ("cluster",),
    "chunk": ("text_hash", "chunk_hash"),
    "claim_text": ("claim_hash",),
    "dataset_version": ("content_hash",),
    "dataset_tag": ("subject",),
    "dataset_held_out": ("subject",),
}
_OPEN = sa.text("verdict > 0")
_HAS_TYPE = sa.text("hallucination_type IS NOT NULL")
_TYPED = ["run_id", "hallucination_type", "sample_id"]
_NAMES = ("segment", "document")
_IN_KEY = ("sample_chunk", "citation", "evidence")
_SHARED = "SELECT claim_text.{} FROM claim_text WHERE claim_text.id = claim.text_id"


def upgrade() -> None:
    op.drop_index("ix_claim_verdict", table_name="claim")
    op.drop_index("ix_claim_hallucination", table_name="claim")
    op.add_column("claim_text", sa.Column("text", sa.Text(), nullable=True))
    with op.batch_alter_table("claim") as batch:
        batch.add_column(sa.Column("text_id", sa.Integer(), nullable=True))
        batch.alter_column("text", existing_type=sa.Text(), nullable=True)
        batch.drop_column("claim_hash")
    op.execute(
        "UPDATE claim SET text_id = (SELECT inbox_claim.text_id FROM inbox_claim WHERE inbox_claim.claim_id = claim.id)"
    )
    op.execute(
        "UPDATE claim_text SET text = (SELECT claim.text FROM claim WHERE claim.id = (SELECT min(inbox_claim.claim_id) "
        "FROM inbox_claim WHERE inbox_claim.text_id = claim_text.id))"
    )
    op.execute("DELETE FROM claim_text WHERE text IS NULL")
    op.execute(f"UPDATE claim SET text = NULL WHERE text = ({_SHARED.format('text')})")  # noqa: S608 - ours
    op.create_index("ix_claim_hallucination", "claim", _TYPED, sqlite_where=_HAS_TYPE, postgresql_where=_HAS_TYPE)
    _require_texts()
    _name_by_number()
    if _is_sqlite():
        _convert("fv_hash_bytes", to_stored)
        _rebuild(in_key=True)


def downgrade() -> None:
    with op.batch_alter_table("claim") as batch:
        batch.add_column(sa.Column("claim_hash", sa.String(length=64), nullable=False, server_default=""))
    if _is_sqlite():
        _convert("fv_hash_digits", to_digits)
        _rebuild(in_key=False)
    op.execute(
        f"UPDATE claim SET text = coalesce(text, ({_SHARED.format('text')})), "  # noqa: S608 - ours
        f"claim_hash = coalesce(({_SHARED.format('claim_hash')}), 'deleted-' || claim.id)"
    )
    with op.batch_alter_table("claim") as batch:
        batch.drop_column("text_id")
        batch.alter_column("text", existing_type=sa.Text(), nullable=False)
        batch.alter_column("claim_hash", existing_type=sa.String(length=64), server_default=None)
    op.drop_column("claim_text", "text")
    op.drop_index("ix_claim_hallucination", table_name="claim")
    op.create_index("ix_claim_hallucination", "claim", _TYPED)
    op.create_index("ix_claim_verdict", "claim", ["run_id", "verdict"])
    _name_by_text()


def _require_texts() -> None:
    if not _is_sqlite():
        op.alter_column("claim_text", "text", nullable=False)
        return
    with op.batch_alter_table("claim_text") as batch:
        batch.alter_column("text", existing_type=sa.Text(), nullable=False)
    for statement in CREATE_WORD_INDEX[1:]:  # its triggers went with the table that was copied
        op.execute(statement)


def _name_by_number() -> None:
    op.create_table(
        "inbox_name",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox_name")),
        sa.UniqueConstraint("name", name=op.f("uq_inbox_name_name")),
    )
    op.execute(
        "INSERT INTO inbox_name (name) SELECT segment FROM inbox_claim WHERE segment IS NOT NULL "
        "UNION SELECT document FROM inbox_claim WHERE document IS NOT NULL"
    )
    _drop_indexes()
    for column in _NAMES:
        op.add_column("inbox_claim", sa.Column(f"{column}_id", sa.Integer(), nullable=True))
    for column in _NAMES:
        op.execute(
            f"UPDATE inbox_claim SET {column}_id = "  # noqa: S608 - ours
            f"(SELECT inbox_name.id FROM inbox_name WHERE inbox_name.name = inbox_claim.{column})"
        )
        op.drop_column("inbox_claim", column)
    _create_indexes("segment_id", "document_id")


def _name_by_text() -> None:
    _drop_indexes()
    for column in _NAMES:
        op.add_column("inbox_claim", sa.Column(column, sa.Text(), nullable=True))
        op.execute(
            f"UPDATE inbox_claim SET {column} = "  # noqa: S608 - ours
            f"(SELECT inbox_name.name FROM inbox_name WHERE inbox_name.id = inbox_claim.{column}_id)"
        )
        op.drop_column("inbox_claim", f"{column}_id")
    _create_indexes(*_NAMES)
    op.drop_table("inbox_name")


def _drop_indexes() -> None:
    for name in ("text", "open", "facets", "document"):
        op.drop_index(f"ix_inbox_claim_{name}", table_name="inbox_claim")


def _create_indexes(segment: str, document: str) -> None:
    by_text = ["text_id", "verdict", "run_id", "error_type", "label_state", segment, document, "harm"]
    by_facets = ["run_id", "verdict", "error_type", "label_state", segment, "text_id"]
    op.create_index("ix_inbox_claim_text", "inbox_claim", by_text)
    op.create_index("ix_inbox_claim_open", "inbox_claim", by_text, sqlite_where=_OPEN, postgresql_where=_OPEN)
    op.create_index("ix_inbox_claim_facets", "inbox_claim", by_facets)
    op.create_index("ix_inbox_claim_document", "inbox_claim", [document, *by_facets])


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _convert(name: str, function: Any) -> None:
    raw: Any = op.get_bind().connection.dbapi_connection
    raw.create_function(name, 1, function, deterministic=True)
    for table, columns in _HASHES.items():
        op.execute(f"UPDATE {table} SET " + ", ".join(f"{column} = {name}({column})" for column in columns))  # noqa: S608 - ours


def _rebuild(*, in_key: bool) -> None:
    for table in _IN_KEY:
        with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_with_rowid": not in_key}):
            pass
