"""A store of every schema that there has been, with rows in it, becomes one of today that is whole and works."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, MetaData, RowMapping, Table, insert, inspect, select, text
from sqlalchemy.engine import make_url

from faithview import Chunk, Sample
from faithview.domain.inbox import make_filter
from faithview.domain.live.logged_answer import LogRecord
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Services
from faithview.services.live.append import append_answers
from faithview.services.results.runs import get_run, list_summaries
from faithview.services.runs.create import judge_here
from faithview.store import dialect
from faithview.store.database import check_contents, upgrade_schema
from faithview.store.inbox import claim_groups
from faithview.store.runs import results
from tests import postgres
from tests.factories import LEXICAL, add_judged_run, add_run, draw_check, open_services, say
from tests.faults.kills import UPGRADE_STEPS, upgrade
from tests.store.test_migrations import MIGRATIONS

REVISIONS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][:0:-1]
# The migrations from the oldest schema are all of them, and rows that only newer schemas have room for come in every
# third one. All the others are for the slow tests.
_SOME_REVISIONS = [
    revision if place % 3 == 0 or revision == REVISIONS[-1] else pytest.param(revision, marks=pytest.mark.slow)
    for place, revision in enumerate(REVISIONS)
]
_LADDER = "test_ladder"
_WITH_QUOTES = """UPDATE evidence SET quote = (
    SELECT substr(chunk.text, evidence."start" + 1, evidence."end" - evidence."start")
    FROM claim
    JOIN sample_chunk ON sample_chunk.sample_id = claim.sample_id AND sample_chunk.position = evidence.chunk_position
    JOIN chunk ON chunk.id = sample_chunk.chunk_id
    WHERE claim.id = evidence.claim_id
) WHERE "start" IS NOT NULL"""
# The index of words of newer stores on SQLite; triggers and migrations write it.
_WORDS = "claim_words"


def _samples(price: int) -> list[Sample]:
    return [
        Sample(
            key=f"q{number}",
            question=f"What does part {number} cost?",
            answer=f"Part {number} costs {price} euros. It is blue.",
            chunks=(Chunk(chunk_id=f"kb-{number}", text=f"Part {number} costs 7 euros. It is blue."),),
            segment="parts",
            extra={"made": "here"},
        )
        for number in range(6)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FullStore:
    """A store of today with two runs, labels, a spot-check and a logged answer."""

    url: str
    rows: Mapping[str, Sequence[RowMapping]]
    looks: Mapping[str, object]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def full_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullStore]:
    """The store whose rows the older ones get."""
    if request.param == "sqlite":
        yield fill(f"sqlite:///{tmp_path_factory.mktemp('full') / 'full.db'}")
        return
    with postgres.fresh_database(request.getfixturevalue("postgres_server"), "test_full") as url:
        yield fill(url)


@pytest.fixture(scope="module")
def ladder(
    full_store: FullStore, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The URL of a database without rows, of the same kind, that one test after another migrates further."""
    if full_store.url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path_factory.mktemp('ladder') / 'ladder.db'}"
        return
    with postgres.fresh_database(request.getfixturevalue("postgres_server"), _LADDER) as url:
        yield url


@pytest.fixture
def older_url(ladder: str, revision: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of the test's own that has the older schema and no row."""
    climb(ladder, revision)
    if ladder.startswith("sqlite"):
        yield f"sqlite:///{shutil.copy(str(make_url(ladder).database), tmp_path / 'older.db')}"
        return
    server: str = request.getfixturevalue("postgres_server")
    with postgres.fresh_database(server, "test_older", template=_LADDER) as url:
        yield url


def climb(url: str, revision: str) -> None:
    """Migrate a database without rows to an older schema."""
    engine = dialect.make_engine(make_url(url))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with dialect.migration(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        ((reached,),) = connection.execute(text("SELECT version_num FROM alembic_version")).all()
    engine.dispose()
    assert reached == revision, "the tests of older schemas run from the oldest to the newest"


def fill(url: str) -> FullStore:
    """Fill a store of today, and return what is in it."""
    services = open_services(url)
    for name, price in (("before", 7), ("after", 9)):
        add_judged_run(services, _samples(price), name, judge=LEXICAL, series="Parts")
    run = get_run(services, "after")
    say(services, run.run_id, 1, 1, "contradicted", note="It is 7.")
    draw_check(services, run.run_id, size=4, name="June")
    append_answers(services, [LogRecord(answer="So.", context=["c"], question="How?")])
    seen = looks(services)
    services.close()
    engine = dialect.make_engine(make_url(url))
    with engine.connect() as connection:
        tables = _tables(connection)
        rows = {name: connection.execute(select(table)).mappings().all() for name, table in tables.items()}
    engine.dispose()
    return FullStore(url=url, rows=rows, looks=seen)


def _tables(connection: Connection) -> dict[str, Table]:
    known = MetaData()
    known.reflect(connection)
    return {table.name: table for table in known.sorted_tables if not table.name.startswith((_WORDS, "alembic_"))}


def copy_rows(newer: Mapping[str, Sequence[RowMapping]], target: Engine) -> int:
    """Copy what an older schema has room for, as the older FaithView stored it, and return how many rows that is."""
    copied = 0
    shared = {row["id"]: row for row in newer["claim_text"]}
    names = {row["id"]: row["name"] for row in newer["inbox_name"]}
    with dialect.migration(target) as connection:
        older = _tables(connection)
        assert set(older) <= set(newer)
        for name, table in older.items():
            rows = [_as_before(row, set(table.columns.keys()), shared, names) for row in newer[name]]
            if rows:
                connection.execute(insert(table), rows)
            copied += len(rows)
        connection.execute(text(_WITH_QUOTES))
        if target.dialect.name == "postgresql":
            for sequence in inspect(connection).get_sequence_names():
                connection.execute(text(f"SELECT setval('{sequence}', 1000)"))
    return copied


def _as_before(
    stored: RowMapping, columns: set[str], shared: Mapping[int, RowMapping], names: Mapping[int, str]
) -> dict[str, Any]:
    """Return a row of today with the columns that its table had, and what migrations took out of them since."""
    row = dict(stored)
    if "evidence_hash" in columns:  # gone since 0021
        row["evidence_hash"] = "0" * 64
    if "claim_hash" in columns and "text_id" in row:  # in `claim_text` since 0022
        row["text"] = row["text"] or shared[row["text_id"]]["text"]
        row["claim_hash"] = shared[row["text_id"]]["claim_hash"]
    if "segment" in columns and "segment_id" in row:  # in `inbox_name` since 0022
        row |= {"segment": names.get(row["segment_id"]), "document": names.get(row["document_id"])}
    assert columns <= set(row)
    # Hashes are bytes on SQLite since 0022.
    return {name: row[name].hex() if isinstance(row[name], bytes) else row[name] for name in columns}


def looks(services: Services) -> dict[str, object]:
    """What pages and commands make of the store."""
    runs = {summary.run.name: summary for summary in list_summaries(services)}
    compared = compare_runs(services, "before", "after")
    listed = claim_groups.list_groups(services.db, [runs["after"].run.run_id], make_filter("euros", {}))
    return {
        "scores": {name: (summary.score.mean, summary.rows, dict(summary.claims)) for name, summary in runs.items()},
        "answer": results.get_answer(services.db, runs["after"].run.run_id, "q1").sample.answer,
        "change": (len(compared.changes), compared.difference.mean),
        "claims": listed.total_claims,
    }


@pytest.mark.parametrize("revision", _SOME_REVISIONS)
def test_a_store_of_each_schema_is_whole_and_works_after_the_upgrade(
    revision: str, older_url: str, full_store: FullStore
) -> None:
    older = dialect.make_engine(make_url(older_url))
    assert copy_rows(full_store.rows, older) > 60
    older.dispose()
    state = upgrade_schema(older_url)
    assert state.current == revision
    assert state.copy is not None
    assert check_contents(older_url)[1] == []
    upgraded = open_services(older_url)
    assert looks(upgraded) == full_store.looks
    # It is written to as any other.
    again = add_run(upgraded, _samples(8), "later", judge=LEXICAL, series="Parts")
    assert judge_here(upgraded, again).rows == 6
    upgraded.close()


@pytest.mark.slow
@pytest.mark.parametrize("step", UPGRADE_STEPS)
@pytest.mark.parametrize("revision", [REVISIONS[-1]])
def test_an_upgrade_that_is_killed_leaves_the_old_store_or_the_new_one_and_one_copy(
    revision: str, step: str, older_url: str, full_store: FullStore
) -> None:
    older = dialect.make_engine(make_url(older_url))
    copy_rows(full_store.rows, older)
    older.dispose()
    assert upgrade(older_url, step, newer=lambda url: unlike(url, full_store)) == ""


def unlike(url: str, full_store: FullStore) -> str:
    """Return how pages and commands see another store than the full one; "" for no difference."""
    with open_services(url) as upgraded:
        found = looks(upgraded)
    return "" if found == full_store.looks else f"{found} and not {full_store.looks}"


def test_there_is_a_schema_for_every_migration_but_the_newest() -> None:
    assert REVISIONS[0] == "0001"
    assert len(REVISIONS) == len(list((MIGRATIONS / "versions").glob("0*.py"))) - 1
