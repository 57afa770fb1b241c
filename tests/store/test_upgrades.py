"""A store of FaithView 0.2.0 becomes one of today: with everything that is in it, and with the schema of a new one.

`tests/data/store_0.2.0` has what the code of 0.2.0 stored, on either engine.
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
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Inspector, inspect, text
from sqlalchemy.engine import make_url

from faithview import Chunk, Sample, Verdict
from faithview.domain.alert import AlertKind
from faithview.domain.answer import View
from faithview.domain.errors import StoreTooOld
from faithview.domain.inbox import Facet, make_filter
from faithview.domain.label import LabelKind
from faithview.domain.run import JudgeSpec
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.results import get_summary, list_summaries
from faithview.services.review.corrected_score import correct_run
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.store import alerts, backups, dialect, inbox, labels, results, spot_checks
from faithview.store.database import check_contents, check_schema, open_database, upgrade_schema
from faithview.store.schema.runs import OLDEST_REVISION
from tests.dashboard import ROOT
from tests.store.test_migrations import MIGRATIONS

pytestmark = pytest.mark.process  # takes long

_DUMPS = Path(__file__).parents[1] / "data" / "store_0.2.0"
_BASELINE = ScriptDirectory(str(MIGRATIONS)).get_revision("0024").module
REVISIONS = list(_BASELINE._STEPS)


@pytest.fixture
def older_url(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store as 0.2.0 left it."""
    dump = (_DUMPS / f"{engine_name}.sql").read_text(encoding="utf-8")
    if engine_name == "sqlite":
        path = tmp_path / "older.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"PRAGMA synchronous = off; {dump}")
        return f"sqlite:///{path}"
    import psycopg

    url: str = request.getfixturevalue("database_url")
    with psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True) as connection:
        connection.execute(dump.encode())
    return url


def climb(url: str, revision: str) -> None:
    """Take a store of 0.2.0 to a later schema that called itself so too."""
    engine = dialect.make_engine(make_url(url))
    with dialect.migration(engine) as connection, Operations.context(MigrationContext.configure(connection)):
        for older, step in _BASELINE._STEPS.items():
            if older < revision:
                step()
        connection.execute(text("UPDATE alembic_version SET version_num = :now"), {"now": revision})
    engine.dispose()


def looks(services: Store) -> dict[str, object]:
    """What pages and commands make of the store."""
    found = list_summaries(services)
    after, before = (summary.run.run_id for summary in found)
    compared = compare_runs(services, before, after)
    told = (
        make_filter("euros", {Facet.VERDICT: [Verdict.SUPPORTED], Facet.DOCUMENT: ["policy.md"]}),
        make_filter("blue", {Facet.SEGMENT: ["Billing"]}),
    )
    (check,) = spot_checks.list_spot_checks(services.db)
    (alert,) = alerts.list_alerts(services.db)
    return {
        "scores": {s.run.name: (round(s.score.mean or 0, 4), s.faithful_rows, s.rows) for s in found},
        "labels": [(at, x.kind, x.verdict, x.reviewer) for at, x in labels.list_labels(services.db, before)],
        "change": (round(compared.difference.mean or 0, 4), len(compared.changes)),
        "inbox": [inbox.list_groups(services.db, [before, after], one).total_claims for one in told],
        "spot-check": (check.name, check.run_ids, len(spot_checks.list_items(services.db, check.spot_check_id))),
        "alert": (alert.rule.kind, alert.rule.threshold, alert.run_name),
    }


_LOOKS = {
    "scores": {"Week 10": (0.9333, 2, 3), "Week 9": (0.6, 1, 3)},
    "labels": [
        (1, LabelKind.VERDICT, Verdict.SUPPORTED, "ann"),
        (1, LabelKind.VERDICT, Verdict.NOT_MENTIONED, "bo"),
        (1, LabelKind.VERDICT, Verdict.SUPPORTED, "ann"),
        (3, LabelKind.NOT_A_CLAIM, None, "ann"),
        (2, LabelKind.MISSED_CLAIM, Verdict.SUPPORTED, "ann"),
    ],
    "change": (0.3333, 1),
    "inbox": [4, 2],
    "spot-check": ("March", ("r2",), 4),
    "alert": (AlertKind.BELOW, 0.9, "Week 9"),
}


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_store_of_0_2_0_is_whole_and_works_after_the_upgrade(revision: str, older_url: str) -> None:
    climb(older_url, revision)
    state = upgrade_schema(older_url)
    assert state.current == revision
    assert state.copy is not None
    assert check_contents(older_url)[1] == []
    with Store(open_database(older_url)) as upgraded:
        assert looks(upgraded) == _LOOKS
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


def test_quotes_and_texts_are_kept_once_and_read_as_they_were(older_url: str) -> None:
    upgrade_schema(older_url)
    with Store(open_database(older_url)) as upgraded, upgraded.db.read() as connection:
        # What stands in the chunk is kept there; what does not is kept with the claim.
        kept = connection.execute(text("SELECT DISTINCT quote FROM evidence ORDER BY 1")).scalars().all()
        assert kept == ["", "refunds: five days"]
        first = results.get_answer(upgraded.db, "r1", "price").result.claims
        assert [claim.text for claim in first][:2] == ["A plan costs 7 euros.", "Refunds take 5 days."]
        assert first[0].evidence[0].quote == "Plans cost 7 euros a month."
        # Equal claims share the text that came first; another writing of it stays the claim's own.
        own = text("SELECT text FROM claim WHERE text IS NOT NULL ORDER BY 1")
        assert connection.execute(own).scalars().all() == ["REFUNDS take 5 days."] * 2
        (other,) = results.get_answer(upgraded.db, "r2", "refund").result.claims
        assert (other.text, other.evidence[0].quote) == ("REFUNDS take 5 days.", "refunds: five days")
        names = connection.execute(text("SELECT name FROM inbox_name ORDER BY 1")).scalars().all()
        assert names == ["Billing", "Support", "policy.md"]
        hashes = connection.execute(text("SELECT DISTINCT text_hash FROM chunk")).scalars().all()
        assert [type(value) for value in hashes] == [bytes if older_url.startswith("sqlite") else str]


def test_an_answer_with_an_invented_claim_is_not_faithful_after_the_upgrade(older_url: str) -> None:
    upgrade_schema(older_url)
    with Store(open_database(older_url)) as upgraded:
        with upgraded.db.read() as connection:
            flags = connection.execute(text("SELECT is_faithful FROM result ORDER BY sample_id")).scalars().all()
        assert [bool(flag) for flag in flags] == [False, True, False, False, True, True]
        counted = {
            view: [summary.faithful_rows for summary in list_summaries(upgraded, view=view)]
            for view in (View.JUDGE, View.REVIEWED)
        }
    # In the view of reviewers, a label of the later run now counts for the equal claim of the earlier one too.
    assert counted == {View.JUDGE: [2, 1], View.REVIEWED: [1, 1]}


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
    with pytest.raises(StoreTooOld, match=r"schema 0020, and this FaithView needs .* `faithview db upgrade`"):
        open_database(older_url)
    assert check_schema(older_url).current == OLDEST_REVISION
    assert upgrade_schema(older_url).current == OLDEST_REVISION
    open_database(older_url).close()


def test_a_store_from_before_0_2_0_is_refused_and_left_alone(older_url: str) -> None:
    engine = dialect.make_engine(make_url(older_url))
    with engine.execution_options(**{dialect.WRITES: True}).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0019'"))
    engine.dispose()
    for migrate in (open_database, upgrade_schema):
        with pytest.raises(StoreTooOld, match=r"schema 0019, .* Open it with FaithView 0\.2\.0 first"):
            migrate(older_url)
    assert check_schema(older_url).current == "0019"


def test_a_backup_from_before_0_2_0_is_refused_and_one_of_0_2_0_is_not(tmp_path: Path) -> None:
    dump = (_DUMPS / "sqlite.sql").read_text(encoding="utf-8")
    backup, store = tmp_path / "backup.db", f"sqlite:///{tmp_path / 'store.db'}"
    with closing(sqlite3.connect(backup)) as connection:
        connection.executescript(dump)
    assert backups.restore_store(store, backup) is None
    open_database(store).close()
    assert check_contents(store) == (check_schema(store), [])
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0019'")
        connection.commit()
    with pytest.raises(StoreTooOld, match=r"backup .* has schema 0019, which is older than FaithView 0\.2\.0"):
        backups.restore_store(store, backup)


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
    monkeypatch.setenv("FAITHVIEW_DB", older_url)
    before = check_schema(older_url).current
    command = [sys.executable, "-c", _KILLED_AT, step, "db", "upgrade"]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert check_schema(older_url).current == before
    upgrade_schema(older_url)
    assert check_contents(older_url)[1] == []
    with Store(open_database(older_url)) as upgraded:
        assert looks(upgraded) == _LOOKS
    store = Path(str(make_url(older_url).database))
    (copy,) = store.parent.glob(f"{store.name}.before-*")
    assert not copy.name.endswith(".part")


def test_every_schema_that_called_itself_0_2_0_has_a_step() -> None:
    assert REVISIONS[0] == OLDEST_REVISION
    assert [f"{int(revision) + 1:04}" for revision in REVISIONS] == [*REVISIONS[1:], _BASELINE.revision]


_DUMP_0028 = Path(__file__).parents[1] / "data" / "store_0028"
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
def url_0028(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store as the last schema before 0.3 left it, with carried-over labels."""
    dump = (_DUMP_0028 / f"{engine_name}.sql").read_text(encoding="utf-8")
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


def test_a_store_of_0028_keeps_its_labels_and_spot_checks(url_0028: str) -> None:
    upgrade_schema(url_0028)
    with Store(open_database(url_0028)) as upgraded:
        runs = {summary.run.name: summary.run.run_id for summary in list_summaries(upgraded)}
        given = labels.list_labels(upgraded.db, runs["september"])
        assert len(given) == 17
        assert all(label.inclusion_probability is not None for _, label in given if label.spot_check_id)
        # A copy goes with its original in the store, and an outdated one in any case; what is left counts.
        assert [label.reviewer for _, label in labels.list_labels(upgraded.db, runs["october"])] == ["cy"]
        later, earlier = spot_checks.list_spot_checks(upgraded.db)
        assert {str(check.design["design"]) for check in (later, earlier)} == {"random"}
        corrected = correct_run(upgraded, runs["september"])
        assert corrected is not None
        assert isinstance(corrected.score, CorrectedScore)
        assert (corrected.labels, corrected.disagreements, corrected.score.drawn) == (10, 2, 12)
        waiting = correct_run(upgraded, runs["october"])
        assert waiting is not None
        assert isinstance(waiting.score, NotEnoughLabels)
        assert get_summary(upgraded, runs["september"], view=View.REVIEWED).score.mean is not None
