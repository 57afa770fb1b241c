"""The schema: made, grown, and guarded against what is not ours."""

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, select, text, update
from sqlalchemy.engine import make_url

from faithview import Sample, Verdict
from faithview.domain.errors import StoreError, StoreTooNew
from faithview.store import database, dialect, results, runs, summaries
from faithview.store.database import check_schema, migrate, open_database, upgrade_schema
from faithview.store.schema.runs import SCHEMA_REVISION, RunRow
from tests.factories import NOW, full_result, full_sample, make_result, store_run, summarise

MIGRATIONS = Path(database.__file__).parent / "migrations"


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    made = dialect.make_engine(make_url(database_url))
    yield made
    made.dispose()


@pytest.fixture
def store_engine(store_url: str) -> Iterator[Engine]:
    made = dialect.make_engine(make_url(store_url))
    yield made
    made.dispose()


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Migrations with one more than this FaithView has; on SQLite it builds the table `run` anew."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)  # with their bytecode
    (folder / "versions" / "9999_next.py").write_text(
        textwrap.dedent(
            f"""
            import sqlalchemy as sa
            from alembic import op

            revision = "9999"
            down_revision = "{SCHEMA_REVISION}"

            def upgrade():
                with op.batch_alter_table("run", recreate="auto") as batch:
                    batch.add_column(sa.Column("mood", sa.Text(), nullable=False, server_default="fine"))
                    batch.alter_column("method", new_column_name="way")
            """
        ),
        encoding="utf-8",
    )
    return folder


def _tables(engine: Engine) -> set[str]:
    return set(inspect(engine).get_table_names())


def test_schema_revision_is_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [SCHEMA_REVISION]


def test_database_of_a_newer_faithview_is_refused_and_left_alone(
    engine: Engine, database_url: str, newer: Path
) -> None:
    migrate(engine)
    migrate(engine, migrations=newer, wanted="9999")
    with pytest.raises(StoreTooNew, match=r"schema 9999, .* newer FaithView: install that version, or choose another"):
        open_database(database_url)
    assert check_schema(database_url).current == "9999"


def test_older_database_is_copied_aside_and_then_migrated_with_every_row(
    store_engine: Engine, store_url: str, newer: Path
) -> None:
    db = open_database(store_url)
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    before = results.get_answer(db, "r1", "1")
    db.close()
    state = migrate(store_engine, migrations=newer, wanted="9999")
    assert state.current == SCHEMA_REVISION
    assert state.copy is not None
    with store_engine.connect() as connection:
        assert connection.execute(text("SELECT way, mood FROM run")).all() == [("claims", "fine")]
        for table in ("sample", "result", "claim", "citation", "sample_chunk"):
            count = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
            assert count > 0, f"the migration emptied {table}"
    if store_engine.dialect.name == "sqlite":
        copy = open_database(f"sqlite:///{state.copy}")
        assert results.get_answer(copy, "r1", "1") == before
        copy.close()
        with store_engine.connect() as connection:
            assert connection.execute(text("PRAGMA foreign_keys")).scalar_one() == 1
    else:
        schema = state.copy.removeprefix("schema ")
        with store_engine.connect() as connection:
            assert connection.execute(text(f'SELECT method FROM "{schema}".run')).scalar_one() == "claims"
            assert connection.execute(text(f'SELECT answer FROM "{schema}".sample')).scalar_one() == sample.answer
            version = connection.execute(text(f'SELECT version_num FROM "{schema}".alembic_version')).scalar_one()
            assert version == SCHEMA_REVISION


def test_figures_that_are_stored_by_an_older_rule_are_computed_again(store_url: str) -> None:
    db = open_database(store_url)
    store_run(db, [Sample(answer="So.")], [make_result(*[Verdict.SUPPORTED] * 4, Verdict.NOT_MENTIONED)])
    summaries.keep_summary(db, runs.get_run(db, "r1", now=NOW))
    with db.bookkeep() as connection:
        (stored,) = connection.execute(select(RunRow.summary)).one()
        older = {**stored, "layout": 3, "faithful_rows": 1}
        connection.execute(update(RunRow).values(summary=older))
    assert summarise(db, runs.get_run(db, "r1", now=NOW)).faithful_rows == 0
    db.close()


def test_migration_that_fails_leaves_the_database_as_it_was(store_engine: Engine, store_url: str, newer: Path) -> None:
    broken = newer / "versions" / "9999_next.py"
    broken.write_text(broken.read_text(encoding="utf-8") + '    op.execute("SELECT * FROM nowhere")\n', "utf-8")
    with pytest.raises(StoreError, match="nowhere"):
        migrate(store_engine, migrations=newer, wanted="9999")
    assert check_schema(store_url).is_current
    assert _copies(store_url) == []
    assert "mood" not in {column["name"] for column in inspect(store_engine).get_columns("run")}


def _copies(url: str) -> list[str]:
    """Return the names of the files and schemas with copies."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        path = Path(str(parsed.database))
        return [file.name for file in path.parent.glob(f"{path.name}.before-*")]
    made = dialect.make_engine(parsed)
    names = [name for name in inspect(made).get_schema_names() if name.startswith("faithview_before_")]
    made.dispose()
    return names


def test_migration_that_would_orphan_rows_is_undone(store_engine: Engine, store_url: str, newer: Path) -> None:
    db = open_database(store_url)
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    db.close()
    broken = newer / "versions" / "9999_next.py"
    broken.write_text(broken.read_text(encoding="utf-8") + '    op.execute("DELETE FROM chunk")\n', "utf-8")
    with pytest.raises(StoreError):
        migrate(store_engine, migrations=newer, wanted="9999")
    with store_engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM chunk")).scalar_one() > 0


def test_threads_that_open_an_empty_database_at_once_all_get_it(database_url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: open_database(database_url), range(6)))
    for db in opened:
        db.close()
    assert check_schema(database_url).is_current


@pytest.mark.process
def test_processes_that_open_an_empty_database_at_once_all_get_it(database_url: str) -> None:
    script = "import sys; from faithview.store.database import open_database; open_database(sys.argv[1]).close()"
    processes = [
        subprocess.Popen([sys.executable, "-c", script, database_url], stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors


@pytest.mark.parametrize("has_version_table", [False, True], ids=["plain", "migrated by Alembic too"])
def test_somebody_else_s_database_is_refused_and_left_alone(
    engine: Engine, database_url: str, has_version_table: bool
) -> None:
    with engine.execution_options(**{dialect.WRITES: True}).begin() as connection:
        connection.execute(text("CREATE TABLE customers (id integer)"))
        if has_version_table:
            connection.execute(text("CREATE TABLE alembic_version (version_num varchar(32))"))
            connection.execute(text("INSERT INTO alembic_version VALUES ('abc123')"))
    tables = _tables(engine)
    for look in (open_database, check_schema, upgrade_schema):
        with pytest.raises(StoreError, match=r"not FaithView's \(customers, .* Choose an empty database"):
            look(database_url)
    assert _tables(engine) == tables


def test_checking_and_upgrading_tell_the_state(database_url: str, tmp_path: Path) -> None:
    assert (check_schema(database_url).current, check_schema(database_url).is_current) == (None, False)
    assert upgrade_schema(database_url).current is None
    assert check_schema(database_url).is_current
    assert upgrade_schema(database_url).is_current


def test_checking_a_file_that_is_not_there_makes_none(tmp_path: Path) -> None:
    assert check_schema(f"sqlite:///{tmp_path / 'new' / 'a.db'}").current is None
    assert list(tmp_path.iterdir()) == []


def test_a_database_in_a_folder_that_is_not_there_yet_is_made(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path / 'new' / 'deep' / 'a.db'}").close()
    assert (tmp_path / "new" / "deep" / "a.db").is_file()


def test_sqlite_is_set_up_to_be_safe_and_quick(tmp_path: Path) -> None:
    db = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    with db.read() as connection:
        found = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    db.close()
    assert found == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 20_000}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "sqlite://relative.db",
        "sqlite+aiosqlite:///a.db",
        "mysql://u:hunter2@h/db",
        "postgresql+psycopg2://u:hunter2@h/db",
        "postgresql://u:hunt:er2@h:x/db",
        "postgresql://u:hunter2@127.0.0.1:1/db",
        "postgresql://127.0.0.1:1/db?password=hunter2",
        "sqlite:////proc/version",
        "sqlite:////tmp",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_in_one_sentence_without_its_password(url: str) -> None:
    for look in (open_database, check_schema):
        with pytest.raises(StoreError) as caught:
            look(url)
        message = str(caught.value)
        assert "\n" not in message
        assert len(message) > 40
        for secret in ("hunter2", "er2", "hunt"):
            assert secret not in message
        assert caught.value.__cause__ is None or "hunt" not in str(caught.value.__cause__)


def test_a_folder_that_cannot_be_made_is_named() -> None:
    with pytest.raises(StoreError, match=r"folder of the database cannot be created: .*'/proc/none'"):
        open_database("sqlite:////proc/none/a.db")


def test_a_temporary_database_vanishes_when_it_is_closed() -> None:
    db = open_database("sqlite://")
    with db.read() as connection:
        path = Path(str(connection.engine.url.database))
    assert path.is_file()
    db.close()
    assert not path.parent.exists()


def test_a_postgresql_url_works_however_hosting_services_write_it(store_url: str) -> None:
    if store_url.startswith("sqlite"):
        pytest.skip("for --engine postgresql")
    for name in ("postgres", "postgresql", "postgresql+psycopg"):
        db = open_database(f"{name}://{store_url.partition('://')[2]}")
        assert db.dialect_name == "postgresql"
        db.close()
