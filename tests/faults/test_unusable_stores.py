"""A store that is locked, protected or newer says so in a sentence or two and keeps what it has.

`test_mid_run.py` has a full disk and a stopped server.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.errors import StoreError, StoreTooNew
from faithview.store import runs, sqlite
from faithview.store.database import Database, open_database
from tests.factories import full_result, full_sample, make_run, store_run

pytestmark = pytest.mark.process  # takes long


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "faithview.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    """A store with one run."""
    db = open_database(f"sqlite:///{path}")
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    yield db
    db.close()


def _write(db: Database) -> None:
    runs.create_run(db, make_run("r2"), [Sample(answer="So.")])


def _refused(db: Database) -> str:
    with pytest.raises(StoreError) as caught:
        _write(db)
    message = str(caught.value)
    assert "\n" not in message
    assert runs.count_runs(db) == 1
    return message


def test_a_file_that_another_program_locks_is_told_and_written_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 50)
    db = open_database(f"sqlite:///{path}")
    store_run(db, [full_sample()], [full_result(full_sample())])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "Another program is writing to it. Wait until it is done" in _refused(db)
    _write(db)
    assert runs.count_runs(db) == 2
    db.close()


def test_a_write_protected_file_is_read_and_takes_nothing(db: Database, path: Path) -> None:
    db.close()
    path.chmod(stat.S_IREAD)
    # Whoever runs the tests as root may write to every file.
    is_writable = os.access(path, os.W_OK)
    protected = open_database(f"sqlite:///{path}" + ("?mode=ro" if is_writable else ""))
    before = path.read_bytes()
    assert "is read-only here, so nothing can be stored or changed" in _refused(protected)
    protected.close()
    assert path.read_bytes() == before


def test_a_store_of_a_newer_faithview_is_refused_and_left_alone(db: Database, path: Path) -> None:
    db.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
        other.commit()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=r"schema 9999, .* newer FaithView: install that version, or choose another"):
        open_database(f"sqlite:///{path}")
    assert path.read_bytes() == before
