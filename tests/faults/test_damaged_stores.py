"""A damaged store is found by `faithview db check`, and no command shows a traceback over it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from faithview.store.database import check_contents, open_database
from tests.cli.conftest import Command, faithview, store
from tests.factories import full_result, full_sample, make_run, store_run

pytestmark = pytest.mark.process  # takes long

__all__ = ["faithview", "store"]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A store with two runs that have every kind of row."""
    path = tmp_path / "whole.db"
    db = open_database(f"sqlite:///{path}")
    sample = full_sample()
    for run_id in ("a", "b"):
        store_run(db, [sample], [full_result(sample)], run=make_run(run_id))
    db.close()
    return path


def test_a_whole_store_passes(store_url: str) -> None:
    db = open_database(store_url)
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    assert db.find_damage() == []
    db.close()
    assert check_contents(store_url)[1] == []


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE citation",
        "ALTER TABLE claim DROP COLUMN explanation",
        "DELETE FROM claim WHERE id = 1",
    ],
)
def test_damage_by_hand_is_found(statement: str, whole: Path, store: Path, faithview: Command) -> None:
    store.parent.mkdir()
    shutil.copy(whole, store)
    with closing(sqlite3.connect(store)) as connection:
        connection.executescript(statement)
    assert "damaged" in (done := faithview("db", "check")).out + done.err
    for command in (("run", "show", "a"), ("compare", "a", "b")):
        assert faithview(*command).status in (0, 2)


@pytest.mark.parametrize("share", [0, 0.3])
def test_a_damaged_file_is_told_in_one_sentence(share: float, whole: Path, store: Path, faithview: Command) -> None:
    store.parent.mkdir()
    content = whole.read_bytes()
    kept = int(len(content) * share)
    store.write_bytes(content[:kept] + b"This is no database.\n" * 500)
    for command in (("db", "check"), ("run", "list"), ("run", "show", "a")):
        done = faithview(*command)
        assert done.status in (1, 2)
        assert done.err.count("\n") <= 1
