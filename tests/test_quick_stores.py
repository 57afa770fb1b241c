"""A store that a test makes quickly is the store that the migrations make."""

import sqlite3
from contextlib import closing
from pathlib import Path

from faithview.store.database import open_database
from tests.quick_stores import new_stores_made_quickly


def _schema(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as store:
        found = store.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        return [*found, *store.execute("SELECT version_num FROM alembic_version")]


def test_a_quick_store_has_the_schema_that_the_migrations_make(tmp_path: Path, empty_file: Path) -> None:
    quick = tmp_path / "quick.db"
    with new_stores_made_quickly(empty_file):
        open_database(f"sqlite:///{quick}").close()
    assert _schema(quick) == _schema(empty_file)
