"""Opening the database: from a URL to a connection that is at this FaithView's schema."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError

from faithview.domain.errors import StoreError, StoreTooNew
from faithview.store import dialect
from faithview.store.schema.runs import SCHEMA_REVISION

_VERSION_TABLE = "alembic_version"
_MIGRATIONS = Path(__file__).parent / "migrations"
# By these a database is known as FaithView's, whatever its version.
_LASTING_TABLES = frozenset({"run", "sample", "result"})
# What may stand before "://", and what it means; "postgres" is how hosting services write it.
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """Which schema a database has and which one this FaithView wants. `found` is None for an empty database."""

    found: str | None
    wanted: str
    copy: str | None = None

    @property
    def is_current(self) -> bool:
        """Whether nothing needs to be done."""
        return self.found == self.wanted


class Database:
    """A database at this FaithView's schema. Functions of the store take it and open what they need."""

    def __init__(self, engine: Engine, *, folder: TemporaryDirectory[str] | None = None) -> None:
        """Take the engine, and the folder that is to vanish with it."""
        self._engine = engine
        self._folder = folder
        self._reader = dialect.reader(engine)
        self._writer = engine.execution_options(**{dialect.WRITES: True})
        # SQLite lets one write at a time, and whoever waits asks again at growing intervals: with twenty threads the
        # unlucky ones wait for ever. Threads of this process wait for each other here instead.
        self._turn: AbstractContextManager[object] = Lock() if engine.dialect.name == "sqlite" else nullcontext()

    @property
    def dialect_name(self) -> str:
        """Which database it is: "sqlite" or "postgresql"."""
        return self._engine.dialect.name

    @property
    def url(self) -> str:
        """The URL with its password hidden."""
        return self._engine.url.render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a connection that sees one state of the database throughout."""
        with self._working(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed at the end, or rolled back if an error leaves the block."""
        with self._turn, self._working(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Say in words what is no fault of ours: a full disk, a lost connection, a lock held for too long."""
        try:
            yield
        except OperationalError as error:
            raise StoreError(f"The database {self.url} cannot be used: {_first_line(error.orig)}") from error

    def close(self) -> None:
        """Close all connections; a temporary database is deleted."""
        self._engine.dispose()
        if self._folder is not None:
            self._folder.cleanup()


def open_database(url: str) -> Database:
    """Open the database and bring it to this FaithView's schema; an empty or missing one is created.

    "sqlite://" gives a database that is deleted when it is closed. It is a file all the same: SQLite's in-memory
    databases live in one connection, which threads cannot share without waiting for each other's transactions.

    Raises:
        StoreTooNew: the database was written by a newer FaithView.
        StoreError: the URL cannot be used or the database cannot be reached.
    """
    folder = None
    if url in ("sqlite://", "sqlite:///:memory:"):
        folder = TemporaryDirectory(prefix="faithview-")
        url = f"sqlite:///{folder.name}/faithview.db"
    engine = _engine_of(url)
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, folder=folder)


def check_schema(url: str) -> SchemaState:
    """Return the database's schema state without changing anything.

    Raises:
        StoreError: the URL cannot be used, the database cannot be reached or is not FaithView's.
    """
    parsed = _parse(url)
    if parsed.get_backend_name() == "sqlite" and not Path(str(parsed.database)).exists():
        return SchemaState(found=None, wanted=SCHEMA_REVISION)  # SQLite would make the file
    engine = _engine_of(url)
    try:
        with _reachable(engine.url), engine.connect() as connection:
            found = _found_revision(connection)
            _refuse_foreign(connection, found)
            return SchemaState(found=found, wanted=SCHEMA_REVISION)
    finally:
        engine.dispose()


def upgrade_schema(url: str) -> SchemaState:
    """Migrate the database and return the state it was in, with where its copy is. Raises as `open_database` does."""
    engine = _engine_of(url)
    try:
        return migrate(engine)
    finally:
        engine.dispose()


def migrate(engine: Engine, *, migrations: Path = _MIGRATIONS, wanted: str = SCHEMA_REVISION) -> SchemaState:
    """Bring the database to the wanted revision; an older one is copied aside first.

    Raises:
        StoreTooNew: its revision is not among the migrations.
        StoreError: it cannot be reached, or holds tables that are not FaithView's.
    """
    with _reachable(engine.url):
        with engine.connect() as connection:
            found = _found_revision(connection)
        if found == wanted:  # the usual case must not wait for a lock nor import Alembic
            return SchemaState(found=found, wanted=wanted)
        with dialect.migration(engine) as connection:
            found = _found_revision(connection)
            copy = _migrate_locked(connection, found, migrations, wanted)
    return SchemaState(found=found, wanted=wanted, copy=copy)


def _migrate_locked(connection: Connection, found: str | None, migrations: Path, wanted: str) -> str | None:
    if found == wanted:  # another process was quicker
        return None
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    tables = _refuse_foreign(connection, found)
    if found is not None and found not in known:
        raise StoreTooNew(
            f"The database has schema {found}, but this FaithView knows schemas up to {wanted}. It was written by a "
            "newer FaithView: install that version, or choose another database with --db."
        )
    copy = None
    if found is not None:
        label = f"{found}-{datetime.now(UTC):%Y%m%d%H%M%S}"
        copy = dialect.set_aside(connection, tables=[*tables, _VERSION_TABLE], label=label)
    command.upgrade(config, wanted)
    return copy


def _refuse_foreign(connection: Connection, found: str | None) -> list[str]:
    """Return the names of the tables; other programs have a version table of that name too, so it proves nothing."""
    tables = [name for name in inspect(connection).get_table_names() if name != _VERSION_TABLE]
    if (found is None and tables) or (found is not None and not _LASTING_TABLES.issubset(tables)):
        names = ", ".join(sorted(tables)[:3]) or _VERSION_TABLE
        raise StoreError(
            f"The database holds tables that are not FaithView's ({names}, ...). Choose an empty database with --db."
        )
    return tables


def _found_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _parse(url: str) -> URL:
    unreadable = (
        "The database URL cannot be read. Use one such as sqlite:///faithview.db or "
        "postgresql+psycopg://user@host/name."
    )
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Their texts may hold a password, so they are not repeated.
        raise StoreError(unreadable) from None
    backend = parsed.get_backend_name()
    if parsed.drivername not in _DRIVERS:
        raise StoreError(
            f"FaithView stores in SQLite or in PostgreSQL through psycopg, not in {parsed.drivername!r}. "
            "Use a URL such as sqlite:///faithview.db or postgresql+psycopg://user@host/name."
        )
    if backend == "sqlite":
        if not parsed.database or parsed.host:
            raise StoreError(unreadable)
        parsed = parsed.set(database=str(Path(parsed.database).expanduser()))
    return parsed.set(drivername=_DRIVERS[parsed.drivername])


def _engine_of(url: str) -> Engine:
    parsed = _parse(url)
    try:
        if parsed.get_backend_name() == "sqlite":
            Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
        return dialect.make_engine(parsed)
    except (ModuleNotFoundError, NoSuchModuleError):
        raise StoreError(
            "PostgreSQL needs a driver that is not installed; run: pip install 'faithview[postgresql]'."
        ) from None
    except OSError as error:
        raise StoreError(f"The database's folder cannot be made: {error.strerror}: {error.filename!r}.") from error


@contextmanager
def _reachable(url: URL) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise StoreError(
            f"The database {url.render_as_string(hide_password=True)} cannot be used: {_first_line(error.orig)}"
        ) from None
    except SQLAlchemyError as error:
        raise StoreError(
            f"The database {url.render_as_string(hide_password=True)} cannot be used: {_first_line(error)}"
        ) from None


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
