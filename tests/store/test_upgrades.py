"""A store of the last builds before 0.3 becomes one of today, with everything in it and the schema of a new one.

`tests/data/store_0028` has what that code stored, on either engine.
"""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Inspector, inspect, text
from sqlalchemy.engine import make_url

from faithview import Chunk, Sample
from faithview.domain.alert import AlertKind
from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.errors import StoreTooOld
from faithview.domain.inbox import Facet, make_filter
from faithview.domain.run import JudgeSpec
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.results import get_summary, list_summaries
from faithview.services.review.corrected_score import correct_run
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.store import alerts, backups, dialect, inbox, labels, results, spot_checks
from faithview.store.database import check_contents, check_schema, open_database, upgrade_schema
from faithview.store.events import list_events
from faithview.store.knowledge import list_knowledge_bases
from faithview.store.schema.runs import OLDEST_REVISION
from tests.dashboard import ROOT

pytestmark = pytest.mark.process  # takes long

_DUMPS = Path(__file__).parents[1] / "data" / "store_0028"
# Labels that 0028 had carried over to the later run: one that held, one that was outdated, one of a deleted run.
_CARRIED = (
    "INSERT INTO label SELECT 1001, c.run_id, c.sample_id, c.id, 'verdict', 'contradicted', 'reviewer', 'ada', "
    "'2026-11-28 20:41:00', NULL, NULL, NULL, NULL, NULL, NULL, {no}, {yes}, NULL, NULL, NULL, 1, {no} "
    "FROM claim c JOIN run r ON r.id = c.run_id WHERE r.name = 'october' AND c.number = 1 ORDER BY c.id LIMIT 1",
    "INSERT INTO label SELECT 1002, run_id, sample_id, claim_id, kind, verdict, role, 'bo', at, note, corrected_text, "
    'start, "end", occurrence, seconds, is_blind, judge_seen, NULL, NULL, NULL, 2, {yes} FROM label WHERE id = 1001',
    "INSERT INTO label SELECT 1003, run_id, sample_id, claim_id, kind, verdict, role, 'cy', at, note, corrected_text, "
    'start, "end", occurrence, seconds, is_blind, judge_seen, NULL, NULL, NULL, 999, {no} FROM label WHERE id = 1001',
)


@pytest.fixture
def older_url(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store as the last schema before 0.3 left it, with carried-over labels."""
    dump = (_DUMPS / f"{engine_name}.sql").read_text(encoding="utf-8")
    yes, no = ("1", "0") if engine_name == "sqlite" else ("true", "false")
    more = ";\n".join(statement.format(yes=yes, no=no) for statement in _CARRIED)
    if engine_name == "sqlite":
        path = tmp_path / "before.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"PRAGMA synchronous = off; {dump};\n{more}")
        return f"sqlite:///{path}"
    import psycopg

    url: str = request.getfixturevalue("database_url")
    with psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True) as connection:
        connection.execute(f"{dump};\n{more}".encode())
    return url


def check_read(store: Store) -> None:
    """Check what pages and commands read of the store: runs, labels, spot-checks, events, alerts, knowledge bases."""
    runs = {summary.run.name: summary.run.run_id for summary in list_summaries(store)}
    given = labels.list_labels(store.db, runs["september"])
    assert len(given) == 17
    assert all(label.inclusion_probability is not None for _, label in given if label.spot_check_id)
    # A copy goes with its original in the store, and an outdated one in any case; what is left counts.
    assert [label.reviewer for _, label in labels.list_labels(store.db, runs["october"])] == ["cy"]
    later, earlier = spot_checks.list_spot_checks(store.db)
    assert {str(check.design["design"]) for check in (later, earlier)} == {"random"}
    corrected = correct_run(store, runs["september"])
    assert corrected is not None
    assert isinstance(corrected.score, CorrectedScore)
    assert (corrected.labels, corrected.disagreements, corrected.score.drawn) == (10, 2, 12)
    waiting = correct_run(store, runs["october"])
    assert waiting is not None
    assert isinstance(waiting.score, NotEnoughLabels)
    assert get_summary(store, runs["september"], view=View.REVIEWED).score.mean is not None
    claim = results.get_answer(store.db, runs["october"], "1").result.claims[0]
    assert claim.evidence[0].quote.startswith("Starter costs €9 per seat a month")
    change = compare_runs(store, runs["september"], runs["october"])
    assert (round(change.difference.mean or 0, 4), len(change.changes)) == (-0.04, 6)
    listed = inbox.list_groups(store.db, list(runs.values()), make_filter("refund", {}))
    assert listed.total_claims == 0
    every = make_filter("days", {Facet.VERDICT: [*Verdict]})
    assert inbox.list_groups(store.db, list(runs.values()), every).total_claims == 15
    states = inbox.count_facets(store.db, list(runs.values()), every, documents=1)[Facet.LABEL]
    assert states == {"unlabelled": 6, "disputed": 5, "confirmed": 4}
    (event,) = list_events(store.db)
    assert event.label == "New index"
    (rule,) = alerts.list_rules(store.db)
    assert (rule.kind, rule.threshold) == (AlertKind.BELOW, 0.9)
    assert len(list_knowledge_bases(store.db)) == 2


def test_an_upgraded_store_is_whole_and_works(older_url: str) -> None:
    state = upgrade_schema(older_url)
    assert state.current == OLDEST_REVISION
    assert state.copy is not None
    assert check_contents(older_url)[1] == []
    with Store(open_database(older_url)) as upgraded:
        check_read(upgraded)
        # It is written to as any other.
        samples = [Sample(answer="Refunds take 5 days.", chunks=(Chunk(chunk_id="a", text="Refunds take 5 days."),))]
        request = RunRequest(name="later", judge=JudgeSpec(name="lexical"), series="Help desk")
        assert judge_here(upgraded, create_run(upgraded, samples, request)).rows == 1


def test_an_upgraded_store_has_the_schema_of_a_new_one(older_url: str, store_url: str) -> None:
    upgrade_schema(older_url)
    assert schema_of(older_url) == schema_of(store_url)


def schema_of(url: str) -> dict[str, Any]:
    """Everything that a store consists of but its rows; the order of columns does not matter."""
    engine = dialect.make_engine(make_url(url))
    with engine.connect() as connection:
        inspector = inspect(connection)
        found: dict[str, Any] = {name: _table(inspector, name) for name in inspector.get_table_names()}
        found["made besides"] = _SAID_BY[engine.dialect.name](connection)
    engine.dispose()
    return found


def _table(inspector: Inspector, name: str) -> dict[str, Any]:
    return {
        "columns": {
            column["name"]: (str(column["type"]), column["nullable"], column.get("default"))
            for column in inspector.get_columns(name)
        },
        "key": inspector.get_pk_constraint(name),
        "references": sorted(inspector.get_foreign_keys(name), key=str),
        "unique": sorted(inspector.get_unique_constraints(name), key=str),
        "checks": inspector.get_check_constraints(name),
    }


def _said_by_sqlite(connection: Connection) -> list[Any]:
    """Indexes, triggers and the index of words in the words that made them, and which tables have no row ids."""
    made = text(
        "SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' OR sql LIKE 'CREATE VIRTUAL%' ORDER BY 1, 2"
    )
    tables = text("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY 1")
    return [*connection.execute(made), *connection.execute(tables)]


def _said_by_postgresql(connection: Connection) -> list[Any]:
    """Indexes, triggers, functions and constraints as the server describes them; `columns` has what is NOT NULL."""
    ours = "'public'::regnamespace"
    queries = (
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
        "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
        f"SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = {ours} ORDER BY 1",
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
        f"WHERE connamespace = {ours} AND contype <> 'n' ORDER BY 1",
        "SELECT sequencename, data_type::text FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
    )
    return [connection.execute(text(query)).all() for query in queries]


_SAID_BY: dict[str, Callable[[Connection], list[Any]]] = {"sqlite": _said_by_sqlite, "postgresql": _said_by_postgresql}


def test_several_who_upgrade_at_once_upgrade_it_once(older_url: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        states = list(pool.map(lambda _: upgrade_schema(older_url), range(3)))
    assert check_schema(older_url).is_current
    assert len([state for state in states if state.copy]) == 1


def test_an_older_store_on_postgresql_waits_until_somebody_upgrades_it(older_url: str) -> None:
    if older_url.startswith("sqlite"):
        open_database(older_url).close()
        assert check_schema(older_url).is_current
        return
    with pytest.raises(StoreTooOld, match=r"schema 0028, and this FaithView needs .* `faithview db upgrade`"):
        open_database(older_url)
    assert check_schema(older_url).current == OLDEST_REVISION
    assert upgrade_schema(older_url).current == OLDEST_REVISION
    open_database(older_url).close()


@pytest.mark.parametrize("is_backup", [False, True])
def test_a_store_that_is_too_old_is_refused_and_left_alone(is_backup: bool, older_url: str) -> None:
    engine = dialect.make_engine(make_url(older_url))
    with engine.execution_options(**{dialect.WRITES: True}).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0019'"))
    engine.dispose()
    reason = r"schema 0019, .* from 0028 on\. Export its runs"
    if not is_backup:
        for migrate in (open_database, upgrade_schema):
            with pytest.raises(StoreTooOld, match=reason):
                migrate(older_url)
    elif older_url.startswith("sqlite"):
        backup = Path(str(make_url(older_url).database))
        with pytest.raises(StoreTooOld, match=reason):
            backups.restore_store(f"sqlite:///{backup.with_name('store.db')}", backup)
    assert check_schema(older_url).current == "0019"


def test_a_backup_of_an_older_schema_is_restored(older_url: str) -> None:
    if not older_url.startswith("sqlite"):
        pytest.skip("backups are of SQLite")
    backup = Path(str(make_url(older_url).database))
    store = f"sqlite:///{backup.with_name('store.db')}"
    assert backups.restore_store(store, backup) is None
    open_database(store).close()
    assert check_contents(store) == (check_schema(store), [])


_KILLED_AT = """
import importlib, os, signal, sys
module, _, name = sys.argv.pop(1).rpartition(".")
setattr(importlib.import_module(module), name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
from faithview.cli.main import main
main()
"""


@pytest.mark.process
@pytest.mark.parametrize("step", ["faithview.store.sqlite.copy_sqlite", "faithview.store.dialect.refuse_orphans"])
def test_an_upgrade_that_is_killed_leaves_the_old_store_and_one_copy_later(
    step: str, older_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not older_url.startswith("sqlite"):
        pytest.skip("PostgreSQL undoes the migration with its transaction")
    monkeypatch.setenv("FAITHVIEW_DB", older_url)
    before = check_schema(older_url).current
    command = [sys.executable, "-c", _KILLED_AT, step, "db", "upgrade"]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert check_schema(older_url).current == before
    upgrade_schema(older_url)
    assert check_contents(older_url)[1] == []
    with Store(open_database(older_url)) as upgraded:
        check_read(upgraded)
    store = Path(str(make_url(older_url).database))
    (copy,) = store.parent.glob(f"{store.name}.before-*")
    assert not copy.name.endswith(".part")
