"""Open the database at a URL and migrate it to the schema of this FaithView."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    NotSupportedError,
    ProgrammingError,
)

from faithview.domain.audit import UNKNOWN
from faithview.domain.errors import NotAllowed, StoreError, StoreTooNew, StoreTooOld
from faithview.store import dialect
from faithview.store.failures import is_right_missing, words_of
from faithview.store.schema.runs import OLDEST_REVISION, SCHEMA_REVISION
from faithview.store.sqlite import empty_log, give_space_back
from faithview.store.urls import parse, sqlite_path, without_secrets

# An execution option of writing engines: a function that returns the current user (`domain/audit.py`).
WHO = "faithview_who"
# Returns a sentence saying why the current user may not change anything; None if they may.
Refusal = Callable[[], str | None]
_VERSION_TABLE = "alembic_version"
# URLs of a temporary database, deleted when it is closed.
_TEMPORARY = ("sqlite://", "sqlite:///:memory:")
_MIGRATIONS = Path(__file__).parent / "migrations"
# A database with these tables belongs to FaithView, in any version.
_LASTING_TABLES = frozenset({"run", "sample", "result"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """The schema of a database (`current`, None if it is empty) and the one that this FaithView needs (`wanted`).

    `copy` says where the copy made before a migration is; None if nothing was migrated.
    """

    current: str | None
    wanted: str
    copy: str | None = None

    @property
    def is_current(self) -> bool:
        """Whether the schema needs no migration."""
        return self.current == self.wanted


class Database:
    """A database at the schema of this FaithView. The store's functions take it and open connections."""

    def __init__(
        self,
        engine: Engine,
        *,
        folder: TemporaryDirectory[str] | None = None,
        who: Callable[[], str] = lambda: UNKNOWN,
        refusal: Refusal = lambda: None,
    ) -> None:
        """Take the engine, a temporary folder to delete on close, and the arguments of `open_database`."""
        self._engine, self._who, self._refusal = engine, who, refusal
        self._is_writable = False
        self._folder = folder
        self._reader = dialect.reader(engine)
        self._writer = engine.execution_options(**{dialect.WRITES: True, WHO: who})
        # SQLite allows one writer at a time, and the others retry at growing intervals: with twenty threads some would
        # never succeed. Threads of this process wait for this lock instead.
        self._turn: AbstractContextManager[object] = Lock() if engine.dialect.name == "sqlite" else nullcontext()

    @property
    def dialect_name(self) -> str:
        """The kind of database: "sqlite" or "postgresql"."""
        return self._engine.dialect.name

    @property
    def url(self) -> str:
        """The URL with its password hidden."""
        return without_secrets(self._engine.url)

    @property
    def is_read_only(self) -> bool:
        """Whether the store is open for reading only. Caches are then not written.

        PostgreSQL is checked until it is writable: a right can be given and a standby can take over while the store is
        open.
        """
        if self.dialect_name == "sqlite":
            return bool(self._engine.get_execution_options().get(dialect.READ_ONLY_STORE, False))
        if not self._is_writable:
            with self.read() as connection:
                self._is_writable = dialect.is_writable(connection)
        return not self._is_writable

    def check_in_place(self) -> None:
        """Raise StoreError if the store's file is missing, StoreReplaced if another file replaced it."""
        with self._working(), self._reader.connect():
            pass

    def find_damage(self) -> list[str]:
        """Return sentences about damage (`integrity.find_problems`)."""
        from faithview.store import integrity  # imported here, because a command that succeeds does not need it

        try:
            with self.read() as connection:
                return integrity.find_problems(connection, thorough=False)
        except StoreError as error:
            return [str(error)]

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a connection that sees one state of the database throughout."""
        with self._working(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed at the end, or rolled back if an error leaves the block.

        It is for changes by a user: `audit.record` is called in it. Raises NotAllowed for a user who may only read,
        even if the caller has checked before.
        """
        why = self._refusal()
        if why is not None:
            raise NotAllowed(why)
        with self.bookkeep() as connection:
            yield connection

    @contextmanager
    def bookkeep(self) -> Iterator[Connection]:
        """Open such a transaction for data that FaithView stores by itself; tests/test_all_writes.py lists these."""
        if self.is_read_only:
            raise StoreError(f"The store {self.url} is read-only here, so nothing can be stored or changed.")
        with self._turn, self._working(), self._writer.begin() as connection:
            yield connection

    def _working(self) -> AbstractContextManager[None]:
        return _reachable(self._engine.url, ours_too=False)

    def empty_log(self) -> None:
        """Also remove deleted texts from the database's log."""
        if self.dialect_name == "sqlite":
            with self._turn:
                empty_log(Path(str(self._engine.url.database)))

    def give_space_back(self) -> None:
        """Make the store smaller if much of it is free after deletions."""
        if self.dialect_name == "sqlite":  # PostgreSQL reuses the space once it has vacuumed
            with self._turn:
                give_space_back(Path(str(self._engine.url.database)))

    def reopened(self) -> "Database":
        """Return the same database with its own connections, for another process or a concurrent writer thread.

        A temporary database is still deleted when the first of the two is closed.
        """
        return Database(dialect.make_engine(self._engine.url), who=self._who, refusal=self._refusal)

    def is_reachable(self) -> bool:
        """Return whether the database responds and still has this FaithView's schema."""
        try:
            with self.read() as connection:
                return _current_revision(connection) == SCHEMA_REVISION
        except StoreError:
            return False

    def close(self) -> None:
        """Close all connections; a temporary database is deleted."""
        self._engine.dispose()
        if self._folder is not None:
            self._folder.cleanup()


def open_database(url: str, *, who: Callable[[], str] = lambda: UNKNOWN, refusal: Refusal = lambda: None) -> Database:
    """Open the database and migrate it to this FaithView's schema; an empty or missing one is created.

    An older database on PostgreSQL is not migrated, because others may use it with a FaithView that could not read it
    afterwards.

    `who` returns the current user, as `domain/audit.py` describes; it is called in every transaction of a user.
    `refusal` is called before each of them.

    "sqlite://" gives a temporary database that is deleted when it is closed. It is a file, because an in-memory
    database of SQLite has only one connection, which threads would have to share in turn.

    Raises:
        StoreTooNew: the database was written by a newer FaithView.
        StoreTooOld: its schema is older than `OLDEST_REVISION`, or it is on PostgreSQL and was written by an older
            FaithView.
        StoreError: the URL cannot be used or the database cannot be reached.
    """
    folder = None
    if url in _TEMPORARY:
        folder = TemporaryDirectory(prefix="faithview-")
        url = f"sqlite:///{folder.name}/faithview.db"
    engine = engine_of(url)
    try:
        migrate(engine, only_new=engine.dialect.name == "postgresql")
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, folder=folder, who=who, refusal=refusal)


def check_schema(url: str) -> SchemaState:
    """Return the database's schema state without changing anything.

    Raises:
        StoreError: the URL cannot be used, the database cannot be reached or is not FaithView's.
    """
    with _looking(url) as (_, state):
        return state


def check_contents(url: str) -> tuple[SchemaState, list[str]]:
    """Return the schema state and the damage (`integrity.find_problems`), without changing anything.

    A database with another schema is not checked. Raises what `check_schema` raises.
    """
    from faithview.store import integrity

    with _looking(url) as (connection, state):
        return state, integrity.find_problems(connection) if connection is not None and state.is_current else []


@contextmanager
def _looking(url: str) -> Iterator[tuple[Connection | None, SchemaState]]:
    """Open a connection to a database without changing it, and look at its schema; None if its file is missing."""
    if is_missing(url):
        yield None, SchemaState(current=None, wanted=SCHEMA_REVISION)
        return
    engine = engine_of(url)
    try:
        with _reachable(engine.url), engine.connect() as connection:
            current = _current_revision(connection)
            _refuse_foreign(connection, current)
            yield connection, SchemaState(current=current, wanted=SCHEMA_REVISION)
    finally:
        engine.dispose()


def is_missing(url: str) -> bool:
    """Return whether the URL names a missing SQLite file. Raises StoreError for a URL that is not valid."""
    file = None if url in _TEMPORARY else sqlite_path(url)
    return file is not None and not file.exists()


def upgrade_schema(url: str) -> SchemaState:
    """Migrate the database; return its old state, with the path of its copy. Raises what `open_database` raises."""
    engine = engine_of(url)
    try:
        state = migrate(engine)
    finally:
        engine.dispose()
    if state.copy is not None and engine.dialect.name == "sqlite":
        give_space_back(Path(str(engine.url.database)))  # a migration copies whole tables
    return state


def migrate(
    engine: Engine, *, migrations: Path = _MIGRATIONS, wanted: str = SCHEMA_REVISION, only_new: bool = False
) -> SchemaState:
    """Migrate the database to the wanted revision; an older database is copied first.

    Args:
        engine: connects to the database.
        migrations: the folder of the migrations.
        wanted: the revision.
        only_new: migrate only an empty database, not an older one.

    Raises:
        StoreTooNew: its revision is not among the migrations.
        StoreTooOld: its schema is older than `OLDEST_REVISION`, or, with `only_new`, older than `wanted`.
        StoreError: it cannot be reached, or contains tables that are not FaithView's.
    """
    with _reachable(engine.url):
        with engine.connect() as connection:
            current = _current_revision(connection)
        if current == wanted:  # the usual case must not wait for a lock or import Alembic
            return SchemaState(current=current, wanted=wanted)
        if engine.get_execution_options().get(dialect.READ_ONLY_STORE, False):
            raise StoreError(
                f"The store {without_secrets(engine.url)} is read-only here and has schema "
                f"{current or 'none'}, but this FaithView needs {wanted}. Copy it to a place where it can be written."
            )
        with dialect.migration(engine) as connection:
            current = _current_revision(connection)
            copy = _migrate_locked(connection, current, migrations, wanted, only_new=only_new)
    return SchemaState(current=current, wanted=wanted, copy=copy)


def _migrate_locked(
    connection: Connection, current: str | None, migrations: Path, wanted: str, *, only_new: bool
) -> str | None:
    """Migrate under the lock, and return where the copy is; None if no copy was needed."""
    if current == wanted:  # another process has migrated it
        return None
    tables = _refuse_foreign(connection, current)
    if current is None:
        from faithview.store.new_store import create_tables

        create_tables(connection, revision=SCHEMA_REVISION)
        return None
    if current < OLDEST_REVISION:
        raise too_old("The database", current)
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes.update(connection=connection)
    if current not in {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}:
        raise StoreTooNew(
            f"The database has schema {current}, but this FaithView knows schemas up to {wanted}. It was written by a "
            "newer FaithView: install that version, or choose another database with --db."
        )
    if only_new:
        raise StoreTooOld(
            f"The store {without_secrets(connection.engine.url)} has schema {current}, and this FaithView needs "
            f"{wanted}. A store on PostgreSQL is not migrated automatically, because others may use it: back it up, "
            "stop all programs that write to it, run `faithview db upgrade`, and install this version wherever the "
            "store is used."
        )
    label = f"{current}-{datetime.now(UTC):%Y%m%d%H%M%S}"
    # The copy gets its name before the migration is committed: a process killed in between leaves an older store.
    with dialect.copied_aside(connection, tables=[*tables, _VERSION_TABLE], label=label) as copy:
        command.upgrade(config, wanted)
        dialect.refuse_orphans(connection)
    return copy


def too_old(what: str, current: str) -> StoreTooOld:
    """Return the error for a store or a backup whose schema is too old to migrate."""
    return StoreTooOld(
        f"{what} has schema {current}, and this FaithView upgrades schemas from {OLDEST_REVISION} on. Export its runs "
        "with the FaithView that wrote it (`faithview export`), and import them here (`faithview import`)."
    )


def _refuse_foreign(connection: Connection, current: str | None) -> list[str]:
    """Return the names of the tables, or raise StoreError if they are another program's.

    The version table is not enough: every program that uses Alembic has one.
    """
    tables = [name for name in inspect(connection).get_table_names() if name != _VERSION_TABLE]
    if (current is None and tables) or (current is not None and not _LASTING_TABLES.issubset(tables)):
        names = ", ".join(sorted(tables)[:3]) or _VERSION_TABLE
        raise StoreError(
            f"The database contains tables that are not FaithView's ({names}, ...). Choose an empty database with --db."
        )
    return tables


def _current_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def engine_of(url: str) -> Engine:
    """Return an engine for the URL and create its folder; it does not connect yet. Raises StoreError."""
    parsed = parse(url)
    try:
        if parsed.get_backend_name() == "sqlite":
            Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
        return dialect.make_engine(parsed)
    except (ModuleNotFoundError, NoSuchModuleError):
        raise StoreError(
            "PostgreSQL needs a driver that is not installed; run: pip install 'psycopg[binary]'."
        ) from None
    except OSError as error:
        raise StoreError(
            f"The folder of the database cannot be created: {error.strerror}: {error.filename!r}."
        ) from error


@contextmanager
def _reachable(url: URL, *, ours_too: bool = True) -> Iterator[None]:
    """Turn errors into a StoreError: a full disk, a lost connection, a damaged file, a lasting lock.

    Errors in our own SQL propagate unchanged without `ours_too`; a missing permission is not one.
    """
    try:
        yield
    except DBAPIError as error:
        is_ours = isinstance(error, DataError | IntegrityError | NotSupportedError | ProgrammingError)
        if is_ours and not ours_too and not is_right_missing(error.orig):
            raise
        raise StoreError(f"The database {without_secrets(url)} cannot be used: {words_of(error.orig)}") from error
