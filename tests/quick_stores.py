"""New SQLite stores from the statements that all migrations together end in, which takes a tenth of running them.

That the migrations end in these statements needs no test: they are read from a store that was migrated.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from faithview.store.schema.runs import SCHEMA_REVISION

_VERSION_TABLE = "alembic_version"


@contextmanager
def new_stores_made_quickly(empty_file: Path) -> Iterator[None]:
    """Meanwhile, migrate empty SQLite files in this process by the statements of a store without a run."""
    statements = _statements(empty_file)
    upgrade = command.upgrade

    def quick_upgrade(config: Config, revision: str, **options: Any) -> None:
        connection: Connection = config.attributes["connection"]
        if revision != SCHEMA_REVISION or not _is_empty_sqlite(connection):
            upgrade(config, revision, **options)
            return
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"INSERT INTO {_VERSION_TABLE} VALUES (?)", (revision,))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "upgrade", quick_upgrade)
        yield


def _statements(empty_file: Path) -> list[str]:
    """The statements that make the store's tables, in the order in which they were made."""
    with closing(sqlite3.connect(empty_file)) as store:
        select = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        made = store.execute(select).fetchall()
    # A table to search in brings tables of its own, whose names begin with its name.
    own = tuple(f"{name}_" for _, name, sql in made if sql.startswith("CREATE VIRTUAL"))
    return [sql for kind, name, sql in made if not (kind == "table" and name.startswith((*own, "sqlite_")))]


def _is_empty_sqlite(connection: Connection) -> bool:
    if connection.dialect.name != "sqlite":
        return False
    return not connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1").all()
