"""Open the database at a URL and bring it to the schema of this FaithView."""

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
# A database with these tables is FaithView's, whatever its version.
_LASTING_TABLES = frozenset({"run", "sample", "result"})
# The accepted beginnings of a URL with their drivers; hosting services write "postgres".
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """The schema of a database (`current`, None if it is empty) and the one that this FaithView needs (`wanted`).

    `copy` says where the copy from before a migration is, None where nothing was migrated.
    """

    current: str | None
    wanted: str
    copy: str | None = None

    @property
    def is_current(self) -> bool:
        """Whether nothing needs to be done."""
        return self.current == self.wanted


class Database:
    """A database at the schema of this FaithView. Functions of the store take it and open the connections they need."""

    def __init__(self, engine: Engine, *, folder: TemporaryDirectory[str] | None = None) -> None:
        """Take the engine, and a temporary folder to delete when the database is closed."""
        self._engine = engine
        self._folder = folder
        self._reader = dialect.reader(engine)
        self._writer = engine.execution_options(**{dialect.WRITES: True})
        # SQLite allows one writer at a time, and the others retry at growing intervals: with twenty threads some would
        # never get a turn. Threads of this process therefore wait for this lock instead.
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
        """Turn outside trouble into a StoreError: a full disk, a lost connection, a lock that is never released."""
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

    "sqlite://" gives a temporary database that is deleted when it is closed. It is a file, because an in-memory
    database of SQLite has one connection, which threads can only use one after the other.

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
        return SchemaState(current=None, wanted=SCHEMA_REVISION)  # connecting would create the file
    engine = _engine_of(url)
    try:
        with _reachable(engine.url), engine.connect() as connection:
            current = _current_revision(connection)
            _refuse_foreign(connection, current)
            return SchemaState(current=current, wanted=SCHEMA_REVISION)
    finally:
        engine.dispose()


def shown_url(url: str) -> str:
    """Return the URL without its password and its parameters, which may hold one; a dash where it cannot be read."""
    try:
        return make_url(url).set(query={}).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "–"


def upgrade_schema(url: str) -> SchemaState:
    """Migrate the database; return the state it was in and where its copy is. Raises what `open_database` raises."""
    engine = _engine_of(url)
    try:
        return migrate(engine)
    finally:
        engine.dispose()


def migrate(engine: Engine, *, migrations: Path = _MIGRATIONS, wanted: str = SCHEMA_REVISION) -> SchemaState:
    """Bring the database to the wanted revision; a copy of an older one is made first.

    Raises:
        StoreTooNew: its revision is not among the migrations.
        StoreError: it cannot be reached, or holds tables that are not FaithView's.
    """
    with _reachable(engine.url):
        with engine.connect() as connection:
            current = _current_revision(connection)
        if current == wanted:  # the usual case must not wait for a lock or import Alembic
            return SchemaState(current=current, wanted=wanted)
        with dialect.migration(engine) as connection:
            current = _current_revision(connection)
            copy = _migrate_locked(connection, current, migrations, wanted)
    return SchemaState(current=current, wanted=wanted, copy=copy)


def _migrate_locked(connection: Connection, current: str | None, migrations: Path, wanted: str) -> str | None:
    if current == wanted:  # another process migrated meanwhile
        return None
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    tables = _refuse_foreign(connection, current)
    if current is not None and current not in known:
        raise StoreTooNew(
            f"The database has schema {current}, but this FaithView knows schemas up to {wanted}. It was written by a "
            "newer FaithView: install that version, or choose another database with --db."
        )
    copy = None
    if current is not None:
        label = f"{current}-{datetime.now(UTC):%Y%m%d%H%M%S}"
        copy = dialect.set_aside(connection, tables=[*tables, _VERSION_TABLE], label=label)
    command.upgrade(config, wanted)
    return copy


def _refuse_foreign(connection: Connection, current: str | None) -> list[str]:
    """Return the names of the tables, or raise StoreError if they are another program's.

    The version table proves nothing: every program that uses Alembic has one.
    """
    tables = [name for name in inspect(connection).get_table_names() if name != _VERSION_TABLE]
    if (current is None and tables) or (current is not None and not _LASTING_TABLES.issubset(tables)):
        names = ", ".join(sorted(tables)[:3]) or _VERSION_TABLE
        raise StoreError(
            f"The database holds tables that are not FaithView's ({names}, ...). Choose an empty database with --db."
        )
    return tables


def _current_revision(connection: Connection) -> str | None:
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
        # The messages of these errors may contain a password.
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
        raise StoreError(
            f"The folder of the database cannot be created: {error.strerror}: {error.filename!r}."
        ) from error


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
