"""A store that is deleted, moved, replaced, protected or out of reach while it is open: said, and nothing is lost."""

import shutil
from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.errors import StoreError, StoreReplaced
from faithview.store import runs
from faithview.store.database import Database, open_database
from tests.factories import full_result, full_sample, make_run, store_run

pytestmark = pytest.mark.process  # takes long


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store" / "faithview.db"


@pytest.fixture
def db(store: Path) -> Database:
    db = open_database(f"sqlite:///{store}")
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    return db


def _write(db: Database) -> None:
    runs.create_run(db, make_run("r2"), [Sample(answer="x")])


def test_a_deleted_store_takes_nothing_and_does_not_come_back_empty(db: Database, store: Path) -> None:
    store.unlink()
    for use in (_write, lambda db: runs.count_runs(db)):
        with pytest.raises(StoreError, match="was deleted or moved while it was open"):
            use(db)
    assert not store.exists()


def test_a_moved_store_goes_on_once_it_is_back(db: Database, store: Path) -> None:
    store.rename(store.with_name("away.db"))
    with pytest.raises(StoreError, match="was deleted or moved"):
        _write(db)
    store.with_name("away.db").rename(store)
    _write(db)
    assert runs.count_runs(db) == 2


def test_a_replaced_store_is_told_and_neither_file_is_written(db: Database, store: Path, tmp_path: Path) -> None:
    db.close()  # the journal is in the file
    other = tmp_path / "other.db"
    shutil.copy(store, other)
    before = store.read_bytes()
    store.rename(store.with_name("away.db"))
    shutil.copy(other, store)
    with pytest.raises(StoreReplaced, match="was replaced by another file") as replaced:
        _write(db)
    # A run was stored into the file that was there, so "nothing was stored" would not be true.
    assert "Earlier data is in the replaced file, and nothing is written" in str(replaced.value)
    db.close()
    assert store.read_bytes() == store.with_name("away.db").read_bytes() == before


def test_a_store_of_a_url_that_only_looks_can_be_read_and_takes_nothing(db: Database, store: Path) -> None:
    db.close()
    before = store.read_bytes()
    looked = open_database(f"sqlite:///{store}?mode=ro")
    assert looked.is_read_only
    assert runs.count_runs(looked) == 1
    with pytest.raises(StoreError, match="is read-only here"):
        _write(looked)
    looked.close()
    assert store.read_bytes() == before
