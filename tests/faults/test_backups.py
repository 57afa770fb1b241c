"""Backups are made while others write, are whole, and come back; what they replace is kept."""

import os
import resource
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.errors import InvalidInput, StoreError, StoreTooNew
from faithview.domain.retention import Retention
from faithview.services import schema
from faithview.services.container import build
from faithview.services.retention import apply_retention, plan_retention
from faithview.settings import Settings
from faithview.store import retention, runs
from faithview.store.database import check_contents, open_database
from tests.factories import NOW, full_result, full_sample, make_run, store_run

needs_locks = pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that a process has open")


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


def test_a_store_that_is_gone_is_restored(settings: Settings, store: Path, tmp_path: Path) -> None:
    open_database(settings.database_url).close()
    backup = schema.backup(settings, tmp_path / "backup.db")
    store.unlink()
    assert schema.restore(settings, backup) is None
    assert _names(settings) == set()


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


def test_there_is_nothing_to_back_up_where_there_is_no_store(settings: Settings, store: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no store"):
        schema.backup(settings, tmp_path / "backup.db")
    assert not store.parent.exists()


def test_postgresql_s_own_programs_are_named(postgres_url: str, tmp_path: Path) -> None:
    settings = Settings(database_url=postgres_url)
    for action in (schema.backup, schema.restore):
        with pytest.raises(StoreError, match="pg_dump"):
            action(settings, tmp_path / "backup.db")


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


# Backs a store up as the command does, says so once all is copied, and goes on when it is told to.
_COPY_AND_WAIT = """
import sys
from pathlib import Path
from faithview.domain.retention import Retention
from faithview.services import schema
from faithview.services.container import build
from faithview.services.retention import apply_retention, plan_retention
from faithview.settings import Settings
from faithview.store import sqlite
copy = sqlite.copy_sqlite
def copy_and_wait(source, destination):
    copy(source, destination)
    print(destination, flush=True)
    sys.stdin.readline()
sqlite.copy_sqlite = copy_and_wait
schema.backup(Settings(database_url=sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
"""
_WORD = b"zyzzyva"


@contextmanager
def _copied(settings: Settings, *destination: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Run a backup until its copy is made; gives the process and where the copy is."""
    process = subprocess.Popen(
        [sys.executable, "-c", _COPY_AND_WAIT, settings.database_url, *map(str, destination)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()


def _killed(settings: Settings, *destination: Path) -> Path:
    """Kill a backup; return what it leaves."""
    with _copied(settings, *destination) as (process, part):
        process.kill()
        process.wait()
    assert _WORD in part.read_bytes()
    assert part.stat().st_mode & 0o777 == 0o600
    return part


def _fill(settings: Settings) -> None:
    db = open_database(settings.database_url)
    runs.create_run(db, make_run("kept"), [Sample(answer=_WORD.decode())])
    db.close()


@needs_locks
def test_what_a_killed_backup_leaves_is_named_after_it_and_the_next_one_removes_it(
    settings: Settings, tmp_path: Path
) -> None:
    _fill(settings)
    folder = tmp_path / "backups"
    folder.mkdir()
    part = _killed(settings, folder / "monday.db")
    assert part == folder / "monday.db.part"
    part.with_name("monday.db.part-journal").write_bytes(_WORD)
    schema.backup(settings, folder / "monday.db")
    assert [path.name for path in folder.iterdir()] == ["monday.db"]


@needs_locks
@pytest.mark.parametrize("last", ["backup", "delete", "retention"])
def test_what_killed_backups_leave_beside_the_store_is_removed(settings: Settings, store: Path, last: str) -> None:
    _fill(settings)
    parts = [_killed(settings), _killed(settings, Path("-")) if last == "backup" else _half_written(store)]
    assert all(part.name.startswith("faithview.db.backup-") and part.name.endswith(".part") for part in parts)
    # What only has such a name is left alone.
    others = [store.with_name("faithview.db.backup-notes.part"), store.with_name("other.db.backup-1.part")]
    for other in others:
        other.write_text("mine")
    with build(settings) as services:
        if last == "backup":
            schema.backup(settings, store.with_name("named.db"))
        elif last == "delete":
            retention.delete_run(services.db, "kept")
        else:
            apply_retention(services, plan_retention(services, Retention(keep_days=90)))
    left = {path for path in store.parent.iterdir() if path.name.endswith(".part")}
    assert left == set(others)


def _half_written(store: Path) -> Path:
    """Leave what SQLite has written before the first page is."""
    part = store.with_name("faithview.db.backup-20260101000000.part")
    part.write_bytes(bytes(4096) + _WORD)
    return part


@needs_locks
def test_a_backup_that_is_being_made_is_no_leftover(settings: Settings, store: Path) -> None:
    _fill(settings)
    with _copied(settings, store.with_name("faithview.db.backup-1")) as (process, part):
        schema.backup(settings, store.with_name("second.db"))
        with build(settings) as services:
            services.db.empty_log()
        with pytest.raises(StoreError, match=r"backup-1\.part.*another backup may be writing it"):
            schema.backup(settings, store.with_name("faithview.db.backup-1"))
        assert part.exists()
        process.communicate("go on\n", timeout=60)
        assert process.returncode == 0
    assert check_contents(f"sqlite:///{store.with_name('faithview.db.backup-1')}")[1] == []
    assert not part.exists()


def test_a_file_that_has_the_name_and_is_no_backup_stays(settings: Settings, tmp_path: Path) -> None:
    _fill(settings)
    mine = tmp_path / "monday.db.part"
    mine.write_text("mine")
    with pytest.raises(StoreError, match="that file already exists"):
        schema.backup(settings, tmp_path / "monday.db")
    assert mine.read_text() == "mine"
    mine.unlink()
    with closing(sqlite3.connect(mine)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(StoreError, match="that file already exists"):
        schema.backup(settings, tmp_path / "monday.db")
    (tmp_path / "target.db").write_text("mine")
    (tmp_path / "tuesday.db.part").symlink_to(tmp_path / "target.db")
    with pytest.raises(StoreError, match="that file already exists"):
        schema.backup(settings, tmp_path / "tuesday.db")
    assert (tmp_path / "target.db").read_text() == "mine"
