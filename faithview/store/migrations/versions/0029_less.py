"""What 0.3 no longer has leaves the store: tables and columns of features that are gone."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import ContentHash

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
    "preflight_passage",
    "preflight_answer",
    "preflight",
)
# Table and column.
_COLUMNS: tuple[tuple[str, str], ...] = (
    ("run_intake", "dataset"),
    ("run", "texts_deleted_at"),
)
# Trigger and table.
_TRIGGERS: tuple[tuple[str, str], ...] = (
    ("audit_entry_no_delete", "audit_entry"),
    ("audit_entry_no_update", "audit_entry"),
)
# On PostgreSQL only: what the triggers called.
_FUNCTIONS: tuple[str, ...] = ("refuse_audit_change",)


def upgrade() -> None:
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for trigger, table in _TRIGGERS:
        op.execute(f"DROP TRIGGER IF EXISTS {trigger}" + ("" if is_sqlite else f" ON {table}"))
    for function in () if is_sqlite else _FUNCTIONS:
        op.execute(f"DROP FUNCTION IF EXISTS {function}()")
    op.add_column("run", sa.Column("rows_hash", ContentHash))
    op.add_column("run", sa.Column("preflight_of", sa.String(16)))
    op.create_index("ix_run_preflight_of", "run", ["preflight_of"])
    op.execute(
        "UPDATE run SET rows_hash = (SELECT content_hash FROM dataset_version JOIN run_dataset "
        "ON version_id = dataset_version.id WHERE run_id = run.id)"
    )
    for table in _TABLES:
        op.drop_table(table)
    for table, column in _COLUMNS:
        op.drop_column(table, column)
