"""A damaged store is told in one sentence by every command, and found by `faithview db check`."""

import shutil
from pathlib import Path

import pytest

from faithview.store.database import check_contents, open_database
from tests.cli.conftest import Command, dataset, faithview, store
from tests.factories import full_result, full_sample, make_run, store_run
from tests.faults.damage import STATEMENTS, all_damages, run_statement

__all__ = ["dataset", "faithview", "store"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs that have every kind of row."""
    path = tmp_path_factory.mktemp("whole") / "faithview.db"
    db = open_database(f"sqlite:///{path}")
    sample = full_sample()
    for run_id in ("a", "b"):
        store_run(db, [sample], [full_result(sample)], run=make_run(run_id))
    db.close()
    return path


def test_a_store_that_is_whole_passes(whole: Path) -> None:
    state, problems = check_contents(f"sqlite:///{whole}")
    assert state.is_current
    assert problems == []


def test_a_whole_store_passes_on_both_engines(store_url: str) -> None:
    db = open_database(store_url)
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    assert db.find_damage() == []
    db.close()
    assert check_contents(store_url)[1] == []


@pytest.mark.parametrize("what", STATEMENTS)
def test_check_finds_it_and_no_command_shows_a_traceback(
    what: str, whole: Path, store: Path, faithview: Command, tmp_path: Path
) -> None:
    for command in (
        ("db", "check"),
        ("run", "show", "a"),
        ("compare", "a", "b"),
        ("export", "a", "-o", tmp_path / "a.jsonl"),
    ):
        shutil.rmtree(store.parent, ignore_errors=True)
        store.parent.mkdir()
        shutil.copy(whole, store)
        run_statement(STATEMENTS[what])(store)
        done = faithview(*command)
        if command[0] == "db":
            assert done.status in (1, 2), done.out
            assert "damaged" in done.out + done.err
        elif done.status:
            assert done.status == 2
            assert done.err.count("\n") == 1
            assert done.err.startswith("faithview: ")


@pytest.mark.parametrize("check", ["file_problems", "value_problems", "hash_problems"])
def test_a_value_that_says_it_is_larger_than_the_memory_is_a_problem(
    check: str, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(f"faithview.store.integrity.{check}", fail)
    (problem,) = check_contents(f"sqlite:///{whole}")[1]
    assert problem.startswith("A part of the store cannot be read: ")


def test_a_schema_that_is_no_text_is_told_in_one_sentence(whole: Path, store: Path, faithview: Command) -> None:
    store.parent.mkdir(exist_ok=True)
    content = whole.read_bytes()
    assert content.count(b"CREATE TABLE evidence") == 1
    store.write_bytes(content.replace(b"CREATE TABLE evidence", b"CREATE \xff\xff\xffLE evidence"))
    for command in (("db", "check"), ("run", "list"), ("run", "delete", "a", "--yes")):
        done = faithview(*command)
        assert done.status == 2
        assert done.err.count("\n") == 1
        assert "db restore" in done.err


@pytest.mark.parametrize("what", [name for name in all_damages(4) if name not in STATEMENTS])
def test_a_damaged_file_is_told_in_one_sentence(what: str, whole: Path, store: Path, faithview: Command) -> None:
    for command in (("db", "check"), ("run", "list"), ("run", "show", "a")):
        shutil.rmtree(store.parent, ignore_errors=True)
        store.parent.mkdir()
        shutil.copy(whole, store)
        all_damages(4)[what](store)
        done = faithview(*command)
        assert done.status in (0, 1, 2)
        assert done.err.count("\n") <= 1
