"""Backups are made while others write, are whole, and come back; what they replace is kept."""

import os
import resource
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.errors import InvalidInput, StoreError, StoreTooNew
from faithview.services import schema
from faithview.settings import Settings
from faithview.store import retention, runs
from faithview.store.database import check_contents, open_database
from tests.factories import NOW, full_result, full_sample, make_run, store_run

pytestmark = pytest.mark.process  # takes long


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store" / "faithview.db"


@pytest.fixture
def settings(store: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{store}")


def _names(settings: Settings) -> set[str]:
    db = open_database(settings.database_url)
    names = {run.name for run in runs.list_runs(db, now=NOW)}
    db.close()
    return names


def test_a_backup_made_while_others_write_is_whole_and_comes_back(settings: Settings, tmp_path: Path) -> None:
    db = open_database(settings.database_url)
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)], run=make_run("first"))
    stop = threading.Event()
    written: list[str] = []

    def write() -> None:
        while not stop.is_set():
            name = f"later{len(written)}"
            runs.create_run(db, make_run(name), [Sample(answer="x")])
            written.append(name)

    writer = threading.Thread(target=write)
    writer.start()
    while len(written) < 3:
        pass
    backup = schema.backup(settings, tmp_path / "backup.db")
    stop.set()
    writer.join()
    assert check_contents(f"sqlite:///{backup}")[1] == []
    retention.delete_run(db, "first")
    aside = schema.restore(settings, backup)
    # The store that was open all the time sees what was restored.
    names = {run.name for run in runs.list_runs(db, now=NOW)}
    assert {"first", "later0", "later1", "later2"} <= names
    runs.create_run(db, make_run("after"), [Sample(answer="x")])
    db.close()
    assert check_contents(settings.database_url)[1] == []
    assert aside is not None
    assert "first" not in _names(Settings(database_url=f"sqlite:///{aside}"))


def test_a_backup_without_a_name_lies_beside_the_store_and_never_replaces_another(
    settings: Settings, store: Path
) -> None:
    open_database(settings.database_url).close()
    path = schema.backup(settings, None)
    assert path.parent == store.parent
    assert path.name.startswith("faithview.db.backup-")
    with pytest.raises(InvalidInput, match="is a database and is not replaced"):
        schema.backup(settings, path)
    with pytest.raises(InvalidInput, match="is a database and is not replaced"):
        schema.backup(settings, store)


def test_a_damaged_store_is_not_backed_up_but_can_be_restored(settings: Settings, store: Path, tmp_path: Path) -> None:
    db = open_database(settings.database_url)
    runs.create_run(db, make_run("kept"), [Sample(answer="x")])
    db.close()
    backup = schema.backup(settings, tmp_path / "backup.db")
    content = bytearray(store.read_bytes())
    content[4096:60_000] = bytes(60_000 - 4096)
    for damaged in (bytes(content), b"no database at all" * 1000, b""):
        store.write_bytes(damaged)
        with pytest.raises(StoreError):
            schema.backup(settings, tmp_path / "second.db")
        assert not (tmp_path / "second.db").exists()
        schema.restore(settings, backup)
        assert _names(settings) == {"kept"}
        assert check_contents(settings.database_url)[1] == []


def test_what_is_no_backup_is_refused_and_the_store_stays(settings: Settings, store: Path, tmp_path: Path) -> None:
    db = open_database(settings.database_url)
    runs.create_run(db, make_run("kept"), [Sample(answer="x")])
    db.close()
    foreign, newer, cut = tmp_path / "foreign.db", tmp_path / "newer.db", tmp_path / "cut.db"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    schema.backup(settings, newer)
    cut.write_bytes(newer.read_bytes()[:50_000])
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    (tmp_path / "text.db").write_text("x" * 1000)
    refused: list[tuple[Path, type[Exception], str]] = [
        (tmp_path / "missing.db", InvalidInput, "There is no file"),
        (tmp_path, InvalidInput, "There is no file"),
        (tmp_path / "text.db", InvalidInput, "is not a backup"),
        (foreign, StoreError, "not FaithView's"),
        (newer, StoreTooNew, "schema 9999"),
        (cut, InvalidInput, "is damaged"),
        (store, InvalidInput, "is the store itself"),
    ]
    for path, error, words in refused:
        with pytest.raises(error, match=words):
            schema.restore(settings, path)
    assert _names(settings) == {"kept"}
    assert [path.name for path in store.parent.iterdir() if "before-restore" in path.name] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limits of this kind")
def test_a_restore_that_finds_no_room_leaves_no_file_where_there_was_none(
    settings: Settings, store: Path, tmp_path: Path
) -> None:
    open_database(settings.database_url).close()
    backup = schema.backup(settings, tmp_path / "backup.db")
    store.unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(StoreError, match="cannot be written to"):
            schema.restore(settings, backup)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(store.parent.iterdir()) == []


_KILLED_WHEN_COPIED = """
import os, signal, sys
from pathlib import Path
from faithview.services import schema
from faithview.settings import Settings
from faithview.store import sqlite
copy = sqlite.copy_sqlite
def copy_and_end(source, destination):
    copy(source, destination)
    os.kill(os.getpid(), signal.SIGKILL)
sqlite.copy_sqlite = copy_and_end
schema.backup(Settings(database_url=sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that a process has open")
def test_what_a_killed_backup_leaves_is_removed_by_the_next_one(settings: Settings, tmp_path: Path) -> None:
    open_database(settings.database_url).close()
    folder = tmp_path / "backups"
    folder.mkdir()
    command = [sys.executable, "-c", _KILLED_WHEN_COPIED, settings.database_url, str(folder / "monday.db")]
    subprocess.run(command, check=False)
    (part,) = folder.iterdir()
    assert part.name == "monday.db.part"
    assert part.stat().st_mode & 0o777 == 0o600
    schema.backup(settings, folder / "monday.db")
    assert [path.name for path in folder.iterdir()] == ["monday.db"]
