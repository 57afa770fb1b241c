"""The baseline, which stores of FaithView 0.2.0 become; a new store is made from the models (`store/new_store.py`).

What called itself 0.2.0 had the schemas 0020 to 0023. A store begins with the step behind its own.
"""

from typing import Any

import sqlalchemy as sa
from alembic import context, op

from faithview.store.dialect import to_stored
from faithview.store.search import CREATE_WORD_INDEX

revision = "0024"
down_revision = None

_HASHES = {
    "sample": ("sample_hash", "context_hash", "content_hash"),
    "result": ("cluster",),
    "chunk": ("text_hash", "chunk_hash"),
    "claim_text": ("claim_hash",),
    "dataset_version": ("content_hash",),
    "dataset_tag": ("subject",),
    "dataset_held_out": ("subject",),
}
_IN_KEY = ("sample_chunk", "citation", "evidence")


def upgrade() -> None:
    stored = context.config.attributes["stored"]
    for older, step in _STEPS.items():
        if stored <= older:
            step()


def _keep_quotes_once() -> None:
    """Keep quotes that stand in their chunk there only; drop a hash and indexes that nothing reads."""
    op.execute("""
        UPDATE evidence SET quote = '' WHERE "start" IS NOT NULL AND quote = (
            SELECT substr(chunk.text, evidence."start" + 1, evidence."end" - evidence."start")
            FROM claim
            JOIN sample_chunk
                ON sample_chunk.sample_id = claim.sample_id AND sample_chunk.position = evidence.chunk_position
            JOIN chunk ON chunk.id = sample_chunk.chunk_id
            WHERE claim.id = evidence.claim_id
        )
    """)
    op.drop_index("ix_claim_evidence_hash", table_name="claim")
    op.drop_index("ix_claim_claim_hash", table_name="claim")
    op.drop_column("claim", "evidence_hash")


def _keep_claim_texts_once() -> None:
    """Share one text and one name of their document among equal claims; on SQLite keep hashes as 32 bytes."""
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
    op.execute(
        "UPDATE claim SET text = NULL "
        "WHERE text = (SELECT claim_text.text FROM claim_text WHERE claim_text.id = claim.text_id)"
    )
    has_type = sa.text("hallucination_type IS NOT NULL")
    typed = ["run_id", "hallucination_type", "sample_id"]
    op.create_index("ix_claim_hallucination", "claim", typed, sqlite_where=has_type, postgresql_where=has_type)
    with op.batch_alter_table("claim_text") as batch:
        batch.alter_column("text", existing_type=sa.Text(), nullable=False)
    _name_by_number()
    if op.get_bind().dialect.name == "sqlite":
        for statement in CREATE_WORD_INDEX[1:]:  # its triggers went with the table that was copied
            op.execute(statement)
        _shrink_sqlite()


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
    for name in ("text", "open", "facets", "document"):
        op.drop_index(f"ix_inbox_claim_{name}", table_name="inbox_claim")
    names = ("segment", "document")
    for column in names:
        op.add_column("inbox_claim", sa.Column(f"{column}_id", sa.Integer(), nullable=True))
    for column in names:
        op.execute(
            f"UPDATE inbox_claim SET {column}_id = "  # noqa: S608 - ours
            f"(SELECT inbox_name.id FROM inbox_name WHERE inbox_name.name = inbox_claim.{column})"
        )
        op.drop_column("inbox_claim", column)
    by_text = ["text_id", "verdict", "run_id", "error_type", "label_state", "segment_id", "document_id", "harm"]
    by_facets = ["run_id", "verdict", "error_type", "label_state", "segment_id", "text_id"]
    is_open = sa.text("verdict > 0")
    op.create_index("ix_inbox_claim_text", "inbox_claim", by_text)
    op.create_index("ix_inbox_claim_open", "inbox_claim", by_text, sqlite_where=is_open, postgresql_where=is_open)
    op.create_index("ix_inbox_claim_facets", "inbox_claim", by_facets)
    op.create_index("ix_inbox_claim_document", "inbox_claim", ["document_id", *by_facets])


def _shrink_sqlite() -> None:
    raw: Any = op.get_bind().connection.dbapi_connection
    raw.create_function("fv_hash_bytes", 1, to_stored, deterministic=True)
    for table, columns in _HASHES.items():
        op.execute(f"UPDATE {table} SET " + ", ".join(f"{column} = fv_hash_bytes({column})" for column in columns))  # noqa: S608 - ours
    for table in _IN_KEY:
        with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_with_rowid": False}):
            pass


def _call_no_invention_faithful() -> None:
    """An answer with a claim that is not mentioned is not faithful, whatever its share of supported claims.

    Under people's labels it is derived anew at the end (`env.py`), and stored figures of a run are computed again.
    """
    op.execute("UPDATE result SET is_faithful = false WHERE is_faithful AND not_mentioned > 0 AND contradicted = 0")


def _have_every_rule_on() -> None:
    """Nothing could switch a rule for alerts off."""
    op.drop_column("alert_rule", "is_active")


# By the newest schema that needs the step.
_STEPS = {
    "0020": _keep_quotes_once,
    "0021": _keep_claim_texts_once,
    "0022": _call_no_invention_faithful,
    "0023": _have_every_rule_on,
}
