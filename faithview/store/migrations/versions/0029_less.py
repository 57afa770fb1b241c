"""What 0.3 no longer has leaves the store: tables and columns of features that are gone."""

from alembic import op

revision = "0029"
down_revision = "0028"

# Tables that others refer to come after those that refer to them.
_TABLES: tuple[str, ...] = ("knowledge_decision",)
# Table and column.
_COLUMNS: tuple[tuple[str, str], ...] = (("preflight", "texts_hash"),)


def upgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)
    for table, column in _COLUMNS:
        op.drop_column(table, column)
