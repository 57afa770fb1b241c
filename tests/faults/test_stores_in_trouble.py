"""Every command on a store that is locked, full, protected, newer or away: a result or one sentence, and nothing torn.

`python -m tests.performance.faults` tries more, in the middle of runs.
"""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from faithview import Sample
from faithview.store import sqlite
from faithview.store.database import check_contents
from tests import postgres
from tests.cli.conftest import Command, Outcome, faithview, store
from tests.factories import LEXICAL, add_run, open_services
from tests.faults.commands import Files, changing, looking, prepare

__all__ = ["faithview", "store"]


@pytest.fixture
def files(tmp_path: Path, faithview: Command) -> Files:
    return prepare(tmp_path, faithview)


def _assert_said(done: Outcome, words: str, *, command: object) -> None:
    """Assert that a command ended as the contract says for what cannot be done: one sentence that says what to do."""
    assert (done.status, done.out) == (2, ""), f"{command}: {done}"
    *notes, sentence = done.err.strip().splitlines()
    assert all(note.startswith(("read as:", "note:")) or "to be judged again" in note for note in notes), done.err
    assert sentence.startswith("faithview: "), f"{command}: {done.err}"
    assert words in sentence, f"{command}: {done.err}"
    assert sentence.endswith("."), f"{command}: {done.err}"


def _contents(store: Path) -> dict[str, int]:
    """Return how many rows each table has; fails where the store is damaged."""
    assert check_contents(f"sqlite:///{store}")[1] == []
    with closing(sqlite3.connect(store)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def _status_of(store: Path, name: str) -> str:
    with closing(sqlite3.connect(store)) as connection:
        (status,) = connection.execute("SELECT status FROM run WHERE name = ?", (name,)).fetchone()
    return str(status)


def test_a_locked_store_can_be_looked_at_and_says_what_to_do_where_it_cannot_be_changed(
    faithview: Command, store: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _contents(store)
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 50)
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for command in looking(files):
            done = faithview(*command)
            assert done.status == 0, f"{command}: {done.err}"
        for command in changing(files):
            _assert_said(faithview(*command), "Another program is writing to it. Wait", command=command)
        other.execute("ROLLBACK")
    assert _contents(store) == before
    assert faithview("note", "a", "text").status == 0


def test_a_backup_is_not_put_into_a_locked_store_and_the_command_ends(
    faithview: Command, store: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = files.folder / "backup.db"
    assert faithview("db", "backup", backup).status == 0
    assert faithview("delete", "i", "--yes").status == 0
    before = _contents(store)
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 200)
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        _assert_said(faithview("db", "restore", backup), "Another program is writing to it. Wait", command="restore")
    assert _contents(store) == before
    assert [path.name for path in store.parent.iterdir() if "before-restore" in path.name] == []
    assert faithview("db", "restore", backup).status == 0
    assert faithview("show", "i").status == 0


@contextmanager
def _most_bytes(count: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes: what is written fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 40_000, 90_000])
def test_a_disk_without_room_ends_each_command_in_a_sentence_and_leaves_a_whole_store(
    faithview: Command, store: Path, files: Files, room: int
) -> None:
    whole = store.read_bytes()
    before = _contents(store)
    failed = 0
    for command in (*looking(files), *changing(files)):
        with _most_bytes(room):
            done = faithview(*command)
        assert done.status in (0, 1, 2, 3), f"{command}: {done}"
        assert "Traceback" not in done.err
        if done.status in (2, 3):
            failed += 1
            assert sum(line.startswith("faithview: ") for line in done.err.splitlines()) >= 1, f"{command}: {done.err}"
        if done.status == 2 and command in changing(files):
            assert _contents(store) == before, f"{command} has stored a part"
        for path in store.parent.glob("faithview.db*"):
            path.unlink()
        store.write_bytes(whole)
    assert failed >= (20 if room == 0 else 3)


def test_a_run_that_the_disk_had_no_room_to_end_is_no_success_and_is_resumed(
    faithview: Command, store: Path, files: Files
) -> None:
    with open_services(store) as services:
        samples = [Sample.of(f"Room {n} has {n} beds.", [f"Room {n} has {n} beds."]) for n in range(40)]
        add_run(services, samples, "pending", judge=LEXICAL)
    whole = store.read_bytes()
    # So many bytes are enough to take the run, and too few to store that it has ended.
    for room in range(36_000, 120_000, 4_000):
        with _most_bytes(room):
            done = faithview("resume", "pending")
        if done.status == 3:
            break
        if done.status == 0:  # what comes after the run's end, its alerts for one, may find no room
            assert _status_of(store, "pending") == "complete", done
        for path in store.parent.glob("faithview.db*"):
            path.unlink()
        store.write_bytes(whole)
    else:
        pytest.fail("No limit let the run begin and not end.")
    assert "`faithview resume" in done.err
    # The process of this test lives on, and so the run would count as being judged until its lease ends.
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE run SET heartbeat_at = NULL")
    assert faithview("resume", "pending").status == 0


@pytest.mark.parametrize("mode", ["newer", "read-only"])
def test_a_newer_store_and_one_that_may_only_be_read_refuse_what_they_must(
    faithview: Command, store: Path, files: Files, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if mode == "newer":
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
    else:
        monkeypatch.setenv("FAITHVIEW_DB", f"sqlite:///{store}?mode=ro")
    before = store.read_bytes()
    words = "newer FaithView" if mode == "newer" else "is read-only here"
    for command in looking(files):
        done = faithview(*command)
        if mode == "read-only":
            assert done.status == 0, f"{command}: {done.err}"
        elif command[0] != "db":
            _assert_said(done, words, command=command)
    for command in changing(files):
        _assert_said(faithview(*command), words, command=command)
    assert store.read_bytes() == before


def test_a_user_of_postgresql_who_may_only_read_looks_at_everything_and_changes_nothing(
    tmp_path: Path, faithview: Command, monkeypatch: pytest.MonkeyPatch, postgres_server: str
) -> None:
    with postgres.fresh_database(postgres_server, "looked_at") as url:
        monkeypatch.setenv("FAITHVIEW_DB", url)
        files = prepare(tmp_path, faithview)
        with postgres.looking_user(url) as their_url:
            monkeypatch.setenv("FAITHVIEW_DB", their_url)
            for command in looking(files):
                done = faithview(*command)
                assert done.status == 0, f"{command}: {done.err}"
            for command in changing(files):
                _assert_said(faithview(*command), "is read-only here", command=command)


def test_a_postgresql_that_is_down_is_said_by_every_command_and_used_again_when_it_is_back(
    tmp_path: Path, faithview: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.stoppable_server() as server:
        monkeypatch.setenv("FAITHVIEW_DB", postgres.sqlalchemy_url(server.url))
        files = prepare(tmp_path, faithview)
        server.stop()
        for command in (*looking(files), *changing(files)):
            _assert_said(faithview(*command), "Check that the server is running", command=command)
        server.start()
        for command in (*looking(files), *changing(files)):
            assert faithview(*command).status == 0, command
