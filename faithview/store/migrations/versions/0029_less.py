"""What 0.3 no longer has leaves the store: tables and columns of features that are gone."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

# Tables that others refer to come after those that refer to them.
_TABLES: tuple[str, ...] = (
    "knowledge_decision",
    "inbox_tab",
    "lease",
    "run_dataset",
    "dataset_version",
    "dataset_tag",
    "dataset_held_out",
    "dataset",
    "saved_mapping",
    "comparison",
    "pair_choice",
    "reveal",
    "seen_answer",
    "listed_claim",
    "run_intake",
    "preflight_passage",
    "preflight_answer",
    "preflight",
    "evidence",
    "inbox_assignment",
    "inbox_name",
    "claim_text",
)
# Table and column.
_COLUMNS: tuple[tuple[str, str], ...] = (
    ("run", "texts_deleted_at"),
    ("label", "judge_seen"),
    ("label", "inclusion_probability"),
    ("label", "origin"),
    ("label", "is_stale"),
    ("claim_review", "has_stale"),
    ("spot_check", "population"),
    ("live_window", "closed_at"),
)
# Trigger and table.
_TRIGGERS: tuple[tuple[str, str], ...] = (
    ("audit_entry_no_delete", "audit_entry"),
    ("audit_entry_no_update", "audit_entry"),
    ("claim_words_added", "claim_text"),
    ("claim_words_removed", "claim_text"),
)
# On PostgreSQL only: what the triggers called.
_FUNCTIONS: tuple[str, ...] = ("refuse_audit_change",)
# On SQLite, hashes were stored as bytes.
_HASHES = {
    "run": ("rows_hash",),
    "sample": ("sample_hash", "context_hash", "content_hash"),
    "result": ("cluster",),
    "chunk": ("text_hash", "chunk_hash"),
    "claim_text": ("claim_hash",),
}
# The inbox's claims, with texts in place of codes and ids of names.
_INBOX = """
CREATE TEMPORARY TABLE kept AS SELECT c.claim_id, t.text_key, c.run_id,
CASE c.verdict WHEN -1 THEN 'not_a_claim' WHEN 1 THEN 'partially_supported' WHEN 2 THEN 'not_mentioned'
    WHEN 3 THEN 'contradicted' ELSE 'supported' END AS verdict,
CASE c.error_type WHEN 1 THEN 'fabrication' WHEN 2 THEN 'contradiction' WHEN 3 THEN 'extrapolation'
    WHEN 4 THEN 'conflation' ELSE '' END AS error_type,
CASE WHEN c.label_state = 1 THEN 'confirmed' WHEN c.label_state = 2 THEN 'overruled'
    WHEN c.label_state = 3 THEN 'disputed' WHEN c.verdict = -2 THEN 'to_check' ELSE 'unlabelled' END AS label_state,
coalesce(s.name, '') AS segment, coalesce(d.name, '') AS document, coalesce(a.reviewer, '') AS assignee, c.harm
FROM inbox_claim c JOIN claim_text t ON t.id = c.text_id LEFT JOIN inbox_name s ON s.id = c.segment_id
LEFT JOIN inbox_name d ON d.id = c.document_id LEFT JOIN inbox_assignment a ON a.claim_id = c.claim_id
"""
_WORDS = {
    "sqlite": (
        "CREATE VIRTUAL TABLE claim_words USING fts5(text, content='claim', content_rowid='id', "
        "tokenize='porter unicode61 remove_diacritics 2')",
        "INSERT INTO claim_words(claim_words) VALUES ('rebuild')",
        "CREATE TRIGGER claim_words_added AFTER INSERT ON claim BEGIN "
        "INSERT INTO claim_words(rowid, text) VALUES (new.id, new.text); END",
        "CREATE TRIGGER claim_words_removed AFTER DELETE ON claim BEGIN "
        "INSERT INTO claim_words(claim_words, rowid, text) VALUES ('delete', old.id, old.text); END",
    ),
    "postgresql": ("CREATE INDEX ix_claim_words ON claim USING gin (to_tsvector('english', left(text, 200000)))",),
}


def upgrade() -> None:
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for trigger, table in _TRIGGERS:
        op.execute(f"DROP TRIGGER IF EXISTS {trigger}" + ("" if is_sqlite else f" ON {table}"))
    for function in () if is_sqlite else _FUNCTIONS:
        op.execute(f"DROP FUNCTION IF EXISTS {function}()")
    op.add_column("run", sa.Column("rows_hash", sa.String(64)))
    op.add_column("run", sa.Column("preflight_of", sa.String(16)))
    op.create_index("ix_run_preflight_of", "run", ["preflight_of"])
    op.execute(
        "UPDATE run SET rows_hash = (SELECT content_hash FROM dataset_version JOIN run_dataset "
        "ON version_id = dataset_version.id WHERE run_id = run.id)"
    )
    # Runs whose file was not read to its end: the rows that are there can be judged.
    op.execute(
        "UPDATE run SET status = 'failed', error = 'Its file was not read to the end: rows are missing.' "
        "WHERE id IN (SELECT run_id FROM run_intake)"
    )
    for table, columns in _HASHES.items() if is_sqlite else ():
        for column in columns:
            op.execute(f"UPDATE {table} SET {column} = lower(hex({column})) WHERE typeof({column}) = 'blob'")  # noqa: S608
    _move_evidence()
    op.add_column("claim", sa.Column("claim_hash", sa.String(64)))
    op.execute("UPDATE claim SET text = (SELECT t.text FROM claim_text t WHERE t.id = text_id) WHERE text IS NULL")
    op.execute("UPDATE claim SET claim_hash = coalesce((SELECT claim_hash FROM claim_text t WHERE t.id = text_id), '')")
    op.drop_index("ix_claim_hallucination", "claim")
    with op.batch_alter_table("claim") as batch:
        batch.alter_column("text", existing_type=sa.Text, nullable=False)
        batch.alter_column("claim_hash", existing_type=sa.String(64), nullable=False)
        batch.drop_column("text_id")
    _delete_carried_labels()
    _rewrite_inbox(is_sqlite=is_sqlite)
    checks = sa.table("spot_check", sa.column("id"), sa.column("design", sa.JSON), sa.column("population"))
    for spot_check_id, design, population in op.get_bind().execute(sa.select(checks)).all():
        new = _design_of(design, is_list=population is not None)
        op.execute(sa.update(checks).where(checks.c.id == spot_check_id).values(design=new))
    for table in _TABLES:
        op.drop_table(table)
    op.drop_index("ix_label_origin")
    for table, column in _COLUMNS:
        op.drop_column(table, column)
    op.execute("ALTER TABLE claim_review RENAME COLUMN is_inherited TO is_shared")
    for statement in _WORDS[op.get_context().dialect.name]:
        op.execute(statement)


def _rewrite_inbox(*, is_sqlite: bool) -> None:
    if is_sqlite:
        op.drop_table("claim_words")
    op.add_column("claim_text", sa.Column("text_key", sa.BigInteger))
    texts = sa.table("claim_text", *map(sa.column, ("id", "claim_hash", "text_key")))
    keys = [
        {"of": row.id, "key": int(row.claim_hash[:15], 16)}
        for row in op.get_bind().execute(sa.select(texts.c.id, texts.c.claim_hash))
    ]
    if keys:
        keyed = sa.update(texts).where(texts.c.id == sa.bindparam("of")).values(text_key=sa.bindparam("key"))
        op.get_bind().execute(keyed, keys)
    op.execute(_INBOX)
    op.drop_table("inbox_claim")
    named = ("segment", "document", "assignee")
    op.create_table(
        "inbox_claim",
        sa.Column("claim_id", sa.Integer, nullable=False),
        sa.Column("text_key", sa.BigInteger, nullable=False),
        sa.Column("run_id", sa.String(16), nullable=False),
        sa.Column("verdict", sa.String(24), nullable=False),
        sa.Column("error_type", sa.String(16), nullable=False),
        sa.Column("label_state", sa.String(16), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in named),
        sa.Column("harm", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name="fk_inbox_claim_claim_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("claim_id", name="pk_inbox_claim"),
    )
    op.execute("INSERT INTO inbox_claim SELECT * FROM kept")
    op.execute("DROP TABLE kept")
    op.create_index("ix_inbox_claim_listed", "inbox_claim", ["run_id", "verdict", "text_key", "label_state", "harm"])
    op.create_index("ix_inbox_claim_text_key", "inbox_claim", ["text_key"])
    if is_sqlite:
        counted = ["run_id", "verdict", "error_type", "label_state", "segment", "assignee", "document"]
        op.create_index("ix_inbox_claim_counted", "inbox_claim", counted)


def _move_evidence() -> None:
    """Move the quotes into the claims; those that are verbatim in their chunk had been stored without their words."""
    op.add_column("claim", sa.Column("evidence", sa.JSON))
    claim = sa.table("claim", *map(sa.column, ("id", "sample_id")), sa.column("evidence", sa.JSON))
    link = sa.table("sample_chunk", *map(sa.column, ("sample_id", "position", "chunk_id")))
    chunk = sa.table("chunk", *map(sa.column, ("id", "text")))
    names = ("claim_id", "ordinal", "chunk_position", "quote", "start", "end", "occurrence")
    evidence = sa.table("evidence", *map(sa.column, names))
    query = (
        sa.select(evidence, chunk.c.text)
        .join(claim, claim.c.id == evidence.c.claim_id)
        .join(link, sa.and_(link.c.sample_id == claim.c.sample_id, link.c.position == evidence.c.chunk_position))
        .join(chunk, chunk.c.id == link.c.chunk_id)
        .order_by(evidence.c.claim_id, evidence.c.ordinal)
    )
    quotes: dict[int, list[Any]] = {}
    for row in op.get_bind().execute(query):
        span = [] if row.start is None else [row.start, row.end, row.occurrence]
        quote = row.quote or row.text[row.start : row.end]
        quotes.setdefault(row.claim_id, []).append([row.chunk_position, quote, *span])
    if quotes:
        moved = sa.update(claim).where(claim.c.id == sa.bindparam("of")).values(evidence=sa.bindparam("quotes"))
        op.get_bind().execute(moved, [{"of": claim_id, "quotes": of} for claim_id, of in quotes.items()])


def _delete_carried_labels() -> None:
    """Delete the copies of labels that were carried over to later runs: the originals now apply there themselves.

    A copy without its original stays, as a label of its own; what had become outdated no longer counted and goes.
    """
    op.execute(
        "DELETE FROM label WHERE is_stale OR (origin > 0 AND origin IN (SELECT given.id FROM label AS given))",
    )
    op.execute("DELETE FROM label WHERE retracts IS NOT NULL AND retracts NOT IN (SELECT given.id FROM label AS given)")
    op.execute("DELETE FROM claim_review WHERE has_stale")
    op.execute("UPDATE inbox_claim SET label_state = 0 WHERE label_state = 4")


def _design_of(design: dict[str, Any], *, is_list: bool) -> dict[str, Any]:
    """Return a spot-check's design in its new form.

    Where single claims of whole runs were drawn, the labels still correct the score. Whole answers and lists of claims
    are no longer drawn; their labels stay, but no longer correct a score.
    """
    is_random = design.get("strata") == "none"
    is_random = is_random and not (design.get("prefers_uncertain") or design.get("regressed_first"))
    corrects = not is_list and design.get("unit") == "claim"
    runs = {
        run_id: {
            "answers": frame.get("answers"),
            "strata": [
                {"name": s["name"], "claims": s["units"], "weight": s["weight"], "judged": s["judged"]}
                for s in frame["strata"]
            ],
        }
        if corrects and frame.get("strata") and frame.get("answers")
        else {}
        for run_id, frame in design.get("runs", {}).items()
    }
    name = "random" if is_random and corrects else "earlier"
    return {"design": name, "size": design.get("size"), "seed": design.get("seed"), "runs": runs}
