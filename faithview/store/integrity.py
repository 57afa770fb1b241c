"""Check a store: SQLite's own checks of its file, and the tables and columns of its schema. Nothing is changed."""

from collections import Counter

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from faithview.store.schema import audit, comparison, inbox, live, review, runs
from faithview.store.schema.typed_tables import Base

# Listed so that the tables of their modules are registered in `Base`.
_SCHEMAS = (audit, comparison, inbox, live, review, runs)

# SQLite stops after this many problems of its own; one is enough to need a backup.
_MOST_PROBLEMS = 20


def find_problems(connection: Connection, *, thorough: bool = True) -> list[str]:
    """Return the damage that was found, a sentence each.

    PostgreSQL checks its own files and references, so of it only the schema is compared.

    Args:
        connection: to the store.
        thorough: whether SQLite also compares tables with their indexes, which takes longer.
    """
    try:
        problems = _file_problems(connection, thorough=thorough) if connection.dialect.name == "sqlite" else []
        return problems + _schema_problems(connection)
    except DBAPIError as error:
        return [f"The store cannot be read: {' '.join(str(error.orig).split())}."]


def _file_problems(connection: Connection, *, thorough: bool) -> list[str]:
    check = "integrity_check" if thorough else "quick_check"
    found = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {check}({_MOST_PROBLEMS})")]
    problems = [f"The file is damaged: {' '.join(words.split())}." for words in found if words != "ok"]
    orphans = Counter((row[0], row[2]) for row in connection.exec_driver_sql("PRAGMA foreign_key_check"))
    return problems + [
        f"{count} rows of {table} refer to a {parent} that does not exist."
        for (table, parent), count in orphans.items()
    ]


def _schema_problems(connection: Connection) -> list[str]:
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    problems = []
    for table in Base.metadata.sorted_tables:
        if table.name not in there:
            problems.append(f"The table {table.name} is missing.")
            continue
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        problems += [
            f"The column {table.name}.{column.name} is missing."
            for column in table.columns
            if column.name not in columns
        ]
    return problems
