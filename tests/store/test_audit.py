"""The audit log in the store, on both engines: with its change or not at all."""

import ast
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import faithview.store
from faithview.domain.audit import MOST_CHARACTERS, Action, AuditEntry
from faithview.domain.errors import NotFound, RunConflict
from faithview.store import audit, retention, runs
from faithview.store.database import Database, open_database
from tests.factories import NOW, full_result, full_sample, make_run, store_run


def _list(db: Database) -> list[AuditEntry]:
    return audit.list_entries(db)


def test_a_change_and_its_row_are_stored_together_or_not_at_all(db: Database) -> None:
    for run_id in ("r1", "r2"):
        runs.create_run(db, make_run(run_id), [full_sample()])
    with pytest.raises(RunConflict):
        runs.rename_run(db, "r1", "r2")
    with pytest.raises(NotFound):
        retention.delete_run(db, "nobody")
    assert [entry.action for entry in _list(db)] == [Action.RUN_STARTED] * 2
    runs.rename_run(db, "r1", "first")
    (entry, *_) = _list(db)
    assert (entry.action, entry.run_id, entry.run_name, entry.detail) == (Action.RUN_RENAMED, "r1", "r1", "first")


def test_the_row_of_a_deleted_run_stays_with_its_name(db: Database) -> None:
    runs.create_run(db, make_run("r1", name="Week 44"), [full_sample()])
    retention.delete_run(db, "r1")
    (entry, started) = _list(db)
    assert (entry.action, entry.run_id, entry.run_name) == (Action.RUN_DELETED, "r1", "Week 44")
    assert (started.detail, started.items) == ("lexical", 1)


def test_who_writes_is_asked_at_each_change(store_url: str) -> None:
    people: Iterator[str] = iter(["ada@example.com", "ben@example.com"])
    db = open_database(store_url, who=lambda: next(people))
    runs.create_run(db, make_run("r1"), [full_sample()])
    beside = db.reopened()
    runs.set_note(beside, "r1", "a secret note")
    beside.close()
    assert [(entry.who, entry.detail) for entry in _list(db)] == [
        ("ben@example.com", None),
        ("ada@example.com", "lexical"),
    ]
    db.close()


def test_what_a_worker_stores_has_no_row(db: Database) -> None:
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    assert [entry.action for entry in _list(db)] == [Action.RUN_STARTED]


def test_going_on_with_a_run_that_was_cancelled_has_a_row(db: Database) -> None:
    runs.create_run(db, make_run("r1"), [full_sample()])
    runs.request_cancel(db, "r1", now=NOW)
    runs.request_cancel(db, "r1", now=NOW)
    runs.take_run(db, "r1", worker="a:1:x", now=NOW)
    actions = [entry.action for entry in _list(db)]
    assert actions == [Action.RUN_CONTINUED, Action.RUN_CANCELLED, Action.RUN_STARTED]
    runs.take_run(db, "r1", worker="b:1:x", now=NOW + timedelta(hours=1))
    assert _list(db)[0].action == Action.RUN_CONTINUED


def test_the_last_row_of_an_action_and_a_person_is_found(store_url: str) -> None:
    db = open_database(store_url, who=lambda: "ben@example.com")
    audit.add(db, Action.LOGGED_IN)
    (last,) = _list(db)
    assert audit.find_last(db, Action.LOGGED_IN, who="ada@example.com") is None
    assert audit.find_last(db, Action.LOGGED_IN, who="ben@example.com") == last.at
    db.close()


def test_the_newest_rows_are_listed(db: Database) -> None:
    for number in range(3):
        audit.add(db, Action.KNOWLEDGE_SAVED, subject=f"{number}")
    assert [entry.subject for entry in audit.list_entries(db, limit=2)] == ["2", "1"]


def test_long_and_unstorable_texts_are_cut_and_replaced(db: Database) -> None:
    audit.add(db, Action.KNOWLEDGE_SAVED, subject="a\nb\x00\ud800", detail="x" * 500)
    (entry,) = _list(db)
    assert (entry.subject, entry.detail) == ("a b??", "x" * (MOST_CHARACTERS - 1) + "…")


def test_every_change_of_the_store_is_written_down_or_called_bookkeeping() -> None:
    """`Database.write` is for changes, and every function that opens one calls `record`, itself or through another."""
    modules = {path: _functions(path) for path in sorted(Path(faithview.store.__file__).parent.rglob("*.py"))}
    public = {name: one for functions in modules.values() for name, one in functions.items() if name[0] != "_"}
    silent = [
        f"{path.name}: {name}"
        for path, functions in modules.items()
        for name, function in functions.items()
        if "db.write" in _calls(function) and not _records(function, {**public, **functions})
    ]
    assert silent == []
    assert sum("db.write" in _calls(function) for functions in modules.values() for function in functions.values()) > 20


def _functions(path: Path) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def _records(function: ast.FunctionDef, functions: dict[str, ast.FunctionDef]) -> bool:
    """Return whether a function calls `record`, or one that does; `functions` are those that its module may call."""
    calls = _calls(function)
    further = [functions[name] for name in calls & functions.keys() if functions[name] is not function]
    return "record" in calls or any("record" in _calls(one) or _records(one, functions) for one in further)


def _calls(function: ast.FunctionDef) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
