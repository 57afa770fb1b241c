"""Every write that the code has is refused to who only looks, and a new one without a check fails a test here.

The lists are read from the code (`writes.py`). What FaithView stores by itself asks for no role, and is named below.
"""

import inspect
import re
import sqlite3
import typing
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import psycopg
import pytest

from faithview.domain.errors import NotAllowed, StoreError
from faithview.domain.inbox import InboxFilter
from faithview.domain.live import WindowLength
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import rename_run
from faithview.store.database import Database, open_database
from faithview.store.live import Drawing
from tests import postgres, writes
from tests.factories import NOW, full_result, full_sample, make_run, open_services, store_run

BOOKKEEPING = {
    "audit.add": "log-ins, log-outs, and changes that were refused",
    "comparisons.save_document": "a comparison that somebody looks at, to save time",
    "dataset_versions.place_older_run": "which version of a data set an older run has, when somebody looks at it",
    "live.append": "answers of applications, which have a token",
    "live.close_window": "the end of a live window",
    "alerts.add_alerts": "alerts of a run that is complete",
    "alerts.note_posted": "whether an alert was posted",
    "alerts.complete_run": "a run that a judge has finished",
    "alerts.note_checked": "that alerts of a run were looked for",
    "carry_over.carry": "labels that hold for a new run too",
    "leases.hold_item": "whose turn a claim of a queue is; people without a right to label get no claim",
    "leases.release_item": "whose turn a claim of a queue is",
    "leases.take_first_item": "whose turn a claim of a queue is",
    "leases.take_item": "whose turn a claim of a queue is",
    "labels.add_reveals": "which verdicts somebody has seen",
    "labels.add_seen_answers": "which verdicts somebody has seen",
    "runs.save_batch_state": "progress of a run; who began it was asked for a role",
    "intake_marks.stop_intake": "progress of a run",
    "intake_marks.take_intake": "progress of a run",
    "intake.add_rows": "progress of a run",
    "intake.end_rows": "progress of a run",
    "results.save_results": "progress of a run",
    "runs.finish_run": "progress of a run",
    "runs.release_dead_worker": "progress of a run",
    "preflights.finish_preflight": "progress of a preflight; who began it was asked for a role",
    "preflights.forget_failed": "progress of a preflight",
    "preflights.save_judged": "progress of a preflight",
    "summaries.keep_summary": "figures of a run, to save time",
}
# They do nothing where nothing can be stored: somebody who looks must not be stopped by them.
_SILENT = {"comparisons.save_document", "labels.add_seen_answers"}
# Places that begin a transaction of the store's database beside Database, or open a file of SQLite.
_CONNECTING = {
    "faithview/formats/files/tables.py": "files of other tools, to be read",
    "faithview/services/pulls/part_file.py": "a file beside the one that is pulled",
    "faithview/store/backups.py": "backups, at the command line only",
    "faithview/store/sqlite.py": "the copy before a migration, backups, and the space of what was deleted",
    "faithview/store/dialect.py": "migrations, when the store is opened, and the engines",
}
_OPENS = re.compile(r"(engine|connection|_writer)\.begin\(|raw_connection\(|(sqlite3|psycopg)\.connect\(")
# They hand their action to a function that asks right before it; `writes.unchecked` cannot see that.
HANDED_ON = {
    "faithview.ui.upload.datasets.row_actions": "to _write, over _button and _tag_form",
    "faithview.ui.review.navigator.QueueNavigator.label": "it is called by _do_press alone, which write.write calls",
    "faithview.ui.review.navigator.QueueNavigator.undo": "likewise",
    "faithview.ui.widgets.label_bar.label_as": "to label_without_name, whose _save hands the refusal to write",
}


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run("first")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    path = tmp_path_factory.mktemp("writes") / "faithview.db"
    _fill(f"sqlite:///{path}", run)
    return path


@pytest.fixture(scope="module")
def looker(postgres_server: str, run: Run) -> Iterator[Database]:
    """A store on PostgreSQL whose user may only read its tables."""
    with postgres.fresh_database(postgres_server, "all_writes") as url:
        _fill(url, run)
        with postgres.looking_user(url) as looking:
            db = open_database(looking)
            yield db
            db.close()


@pytest.fixture(scope="module", params=["a viewer", "read-only file", "read-only user"])
def refusing(request: pytest.FixtureRequest, store: Path) -> Iterator[tuple[str, Database]]:
    """A store that somebody may only look at, by each way in which that can be so."""
    if request.param == "read-only user":
        yield request.param, request.getfixturevalue("looker")
        return
    is_viewer = request.param == "a viewer"
    url = f"sqlite:///{store}" if is_viewer else f"sqlite:///{store}?mode=ro"
    db = open_database(url, refusal=(lambda: "You may only look.") if is_viewer else (lambda: None))
    yield request.param, db
    db.close()


def fill(url: str) -> Run:
    """Fill a store with one run."""
    run = make_run("first")
    _fill(url, run)
    return run


def unlike_refused(name: str, db: Database, run: Run) -> str:
    """Call a function that changes a store that may only be looked at; return what it does else, "" for nothing."""
    function = writes.load(name)
    positional, named = _arguments(function, db, run)
    try:
        function(*positional, **named)
    except (NotAllowed, StoreError) as error:
        return "" if "only" in str(error) else str(error)
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return f"{name}: {type(error).__name__}: {error}"
    return f"{name} was not refused"


def _fill(url: str, run: Run) -> None:
    db = open_database(url)
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)], run=run)
    db.close()


def _contents(store: Path) -> list[str]:
    with closing(sqlite3.connect(store)) as connection:
        return list(connection.iterdump())


def test_every_change_is_refused_to_who_only_looks(refusing: tuple[str, Database], store: Path, run: Run) -> None:
    how, db = refusing
    expected = NotAllowed if how == "a viewer" else StoreError
    before, went_on, said = _contents(store), [], {}
    for name in writes.opening(writes.CHANGE):
        function = writes.load(name)
        positional, named = _arguments(function, db, run)
        try:
            function(*positional, **named)
        except expected as error:
            said[name] = str(error)
        else:
            went_on.append(name)
    assert went_on == []
    assert [name for name, words in said.items() if "only" not in words] == []
    assert _contents(store) == before


@pytest.mark.parametrize("refusing", ["read-only file", "read-only user"], indirect=True)
def test_what_is_stored_by_itself_is_not_stored_where_nothing_can_be(
    refusing: tuple[str, Database], store: Path, run: Run
) -> None:
    db = refusing[1]
    before, went_on, said = _contents(store), set(), {}
    for name in writes.opening(writes.BOOKKEEP):
        function = writes.load(name)
        positional, named = _arguments(function, db, run)
        try:
            function(*positional, **named)
        except StoreError as error:
            said[name] = str(error)
        else:
            went_on.add(name.removeprefix("faithview.store."))
    assert went_on == _SILENT
    assert [name for name, words in said.items() if "is read-only here" not in words] == []
    assert _contents(store) == before


def _arguments(function: Any, db: Database, run: Run) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments that bring a function as far as its transaction."""
    hints = typing.get_type_hints(function)
    needed = [it for it in inspect.signature(function).parameters.values() if it.default is it.empty]
    named = {it.name: _value(hints[it.name], run) for it in needed[1:] if it.kind is it.KEYWORD_ONLY}
    return [db, *(_value(hints[it.name], run) for it in needed[1:] if it.kind is not it.KEYWORD_ONLY)], named


def _value(hint: Any, run: Run) -> Any:
    known = {
        Run: run,
        str: run.run_id,
        int: 1,
        float: 0.5,
        datetime: NOW,
        InboxFilter: InboxFilter(),
        Drawing: Drawing(application="a", rate=0.5, seed=1, length=WindowLength.DAY, judging="lexical"),
    }
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return tuple(_value(one, run) for one in inner if one is not ...)
    if isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping):
        return [_value(inner[0], run)]
    return known.get(hint) or MagicMock()


def test_what_is_stored_without_a_role_is_named_here() -> None:
    assert [name.removeprefix("faithview.store.") for name in writes.opening(writes.BOOKKEEP)] == sorted(BOOKKEEPING)


def test_nothing_reaches_the_store_s_tables_past_the_database() -> None:
    found = {
        path.relative_to(writes.ROOT).as_posix()
        for path in (writes.ROOT / "faithview").rglob("*.py")
        if "migrations" not in path.parts and _OPENS.search(path.read_text("utf-8"))
    }
    assert found - {"faithview/store/database.py"} == set(_CONNECTING)


def test_the_dashboard_asks_for_a_role_on_every_way_to_a_change() -> None:
    assert len(writes.writing_services()) > 60
    assert writes.unchecked() == sorted(HANDED_ON)


@pytest.mark.parametrize(
    ("check", "is_found"),
    [("", True), ("if identity.why_cannot_run(): return", False), ("if identity.why_cannot_label(''): return", False)],
)
def test_a_new_change_without_a_question_for_the_role_is_found(check: str, is_found: bool) -> None:
    source = f"""
from faithview.services import results
from faithview.ui import identity, opened_store

def new_button() -> None:
    {check or "pass"}
    results.rename_run(app.services(), "a", "b")
"""
    found = writes.unchecked(added=(("faithview.ui.new_page", source),))
    assert ("faithview.ui.new_page.new_button" in found) is is_found


def test_a_new_write_of_the_store_is_found() -> None:
    source = "def set_colour(db):\n    with db.write() as connection:\n        connection.execute('x')\n"
    assert "faithview.store.colours.set_colour" in writes.opening(
        writes.CHANGE, added=(("faithview.store.colours", source),)
    )


def test_the_refusal_is_asked_at_each_change(store: Path, run: Run) -> None:
    """Somebody's role can go, and come back, while the store is open."""
    why: list[str | None] = [None, "You may only look.", None]
    with Store(open_database(f"sqlite:///{store}", refusal=lambda: why.pop(0))) as services:
        rename_run(services, run.run_id, "one")
        with pytest.raises(NotAllowed, match="You may only look"):
            rename_run(services, run.run_id, "two")
        rename_run(services, run.run_id, "first")


def test_a_right_that_is_given_or_a_standby_that_takes_over_is_seen_while_the_store_is_open(
    postgres_server: str, run: Run
) -> None:
    with postgres.fresh_database(postgres_server, "rights_given") as url:
        _fill(url, run)
        with postgres.looking_user(url) as looking, open_services(looking) as services:
            assert services.is_read_only
            with psycopg.connect(postgres.libpq_url(url), autocommit=True) as admin:
                admin.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {postgres.LOOKER}")
                admin.execute(f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {postgres.LOOKER}")
                assert not services.is_read_only
                rename_run(services, run.run_id, "one")
                # One table alone: what can be stored is, and the rest ends in a sentence.
                admin.execute(f"REVOKE INSERT ON audit_entry FROM {postgres.LOOKER}")
            with pytest.raises(
                StoreError, match=r"permission denied .* ask the database's administrator for the permission"
            ):
                rename_run(services, run.run_id, "two")


def test_a_user_who_is_let_read_only_by_a_setting_is_told_so(postgres_server: str, run: Run) -> None:
    with postgres.fresh_database(postgres_server, "reading_by_default") as url:
        _fill(url, run)
        with psycopg.connect(postgres.libpq_url(url), autocommit=True) as admin:
            admin.execute("ALTER DATABASE reading_by_default SET default_transaction_read_only = on")
        db = open_database(url)
        assert db.is_read_only
        with pytest.raises(StoreError, match="is read-only here"), db.write():
            pass
        db.close()
