"""Damage of a store's file, and tables, columns, indexes and triggers that are missing."""

from collections import defaultdict
from collections.abc import Iterator

from sqlalchemy import Connection, inspect

from faithview.store.append_only import AUDIT_TRIGGERS
from faithview.store.integrity.tables import TABLES

# SQLite stops after so many problems of its own: one is enough to need a backup.
_MOST_OF_SQLITE = 20
# What no model describes, and what it is for: the virtual table of words, and triggers.
_UNDESCRIBED = {
    **dict.fromkeys(
        ("claim_words", "claim_words_added", "claim_words_removed"), "a part of the inbox's index of words"
    ),
    **dict.fromkeys(AUDIT_TRIGGERS, "which keeps the audit log as it is"),
}


def file_problems(connection: Connection, *, thorough: bool) -> Iterator[str]:
    """Yield what SQLite finds in its own file; with `thorough` also what differs between tables and indexes."""
    if connection.dialect.name != "sqlite":
        return
    check = "integrity_check" if thorough else "quick_check"
    for row in connection.exec_driver_sql(f"PRAGMA {check}({_MOST_OF_SQLITE})"):
        if row[0] != "ok":
            yield f"The file is damaged: {' '.join(str(row[0]).split())}."
    orphans: defaultdict[str, int] = defaultdict(int)
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        orphans[f"{row[0]} refer to a {row[2]} that is not there"] += 1
    for words, count in orphans.items():
        yield f"{count} rows of {words}."


def schema_problems(connection: Connection) -> Iterator[str]:
    """Yield tables, columns, indexes and triggers that are missing."""
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    for table in TABLES:
        if table.name not in there:
            yield f"The table {table.name} is missing."
            continue
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}
        for column in table.columns:
            if column.name not in columns:
                yield f"The column {table.name}.{column.name} is missing."
        for index in table.indexes:
            rule = index._ddl_if  # SQLAlchemy has no public way to ask
            if (rule is None or rule.dialect == connection.dialect.name) and index.name not in indexes:
                yield f"The index {index.name} is missing."
    if connection.dialect.name == "sqlite":
        names = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master")}
        for name, purpose in _UNDESCRIBED.items():
            if name not in names:
                yield f"{name}, {purpose}, is missing."
