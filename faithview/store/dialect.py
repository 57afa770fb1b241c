"""The differences between SQLite and PostgreSQL, with both branches side by side."""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Integer,
    create_engine,
    event,
    false,
    literal,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from faithview.domain.errors import StoreError
from faithview.domain.sample import find_unstorable
from faithview.store import sqlite
from faithview.store.sqlite import MODE, SqliteFile

# Managed PostgreSQL servers and proxies drop idle connections after an hour or so.
_POOL_RECYCLE_S = 1_800
# Connections of one process beyond the five of the pool, for users who press a key at the same moment.
_MAX_OVERFLOW = 35
# The page size of new SQLite files. An answer takes about a kilobyte, so much of a smaller page would stay empty.
_PAGE_BYTES = 8_192
# How many pages the log has before they are moved into the file: 4 MB.
_LOG_PAGES = 500
# The cache of each connection, and the memory for its sorts. A process has several connections; other pages are in the
# operating system's cache, which all of them share.
_CACHE_KIB = 16_384

# An execution option of engines whose transactions write. SQLite must take its lock at the start of a transaction,
# because two readers that both become writers fail instead of waiting.
WRITES = "faithview_writes"
# An execution option of engines for a read-only store.
READ_ONLY_STORE = "faithview_read_only"

# Numbers of advisory locks, arbitrary but unique. Runs are created and deleted one at a time; otherwise a chunk could
# be deleted as unused while another run starts to use it.
SCHEMA_LOCK = 727_463_105
RUNS_LOCK = 727_463_106
QUEUE_LOCK = 727_463_107


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC. SQLite has no time zones and stores the naive value."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; a naive datetime is an error, because its time zone is unknown."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"A datetime needs a time zone, got {value!r}.")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored value as an aware datetime in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def make_engine(url: URL) -> Engine:
    """Create the engine for the URL, configured to be safe and fast."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    return create_engine(
        url, pool_pre_ping=True, pool_recycle=_POOL_RECYCLE_S, json_serializer=_to_json, max_overflow=_MAX_OVERFLOW
    )


def is_writable(connection: Connection) -> bool:
    """Return whether a connection's user may add a row to a table of a store on PostgreSQL.

    A standby is read-only, and an administrator can make a user or a database read-only.
    """
    rights = text(
        "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AND EXISTS ("
        "SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace) "
        "AND has_table_privilege(oid, 'INSERT'))"
    )
    return bool(connection.execute(rights).scalar_one())


def reader(engine: Engine) -> Engine:
    """Return the engine for transactions that only read and see one state of the database throughout."""
    if engine.dialect.name == "sqlite":  # in WAL mode every transaction sees one state
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _sqlite_engine(url: URL) -> Engine:
    file = SqliteFile(Path(str(url.database)), mode=url.query.get(MODE))
    engine = create_engine(
        url.difference_update_query([MODE]),
        json_serializer=_to_json,
        connect_args={"check_same_thread": False, "uri": True},
        max_overflow=_MAX_OVERFLOW,
        execution_options={READ_ONLY_STORE: file.is_read_only},
    )

    @event.listens_for(engine, "do_connect")
    def _locate(_dialect: object, _record: object, arguments: list[Any], _parameters: object) -> None:
        arguments[0] = file.address()

    @event.listens_for(engine, "checkout")
    def _look(_connection: object, _record: object, _proxy: object) -> None:
        file.check()

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        file.remember()
        # The driver must not begin transactions: it would do so only before the first write.
        connection.isolation_level = None
        connection.create_function("fv_casefold", 1, _casefold, deterministic=True)
        for pragma in (
            f"busy_timeout={sqlite.BUSY_TIMEOUT_MS}",
            f"page_size={_PAGE_BYTES}",  # before the mode, because the page size cannot change afterwards
            "query_only=ON" if file.is_read_only else "journal_mode=WAL",
            "foreign_keys=ON",
            "synchronous=NORMAL",
            f"wal_autocheckpoint={_LOG_PAGES}",
            f"cache_size=-{_CACHE_KIB}",
        ):
            try:
                connection.execute(f"PRAGMA {pragma}")
            except UnicodeDecodeError:  # the driver cannot decode SQLite's message, which quotes the damaged part
                raise sqlite3.DatabaseError("its schema is damaged") from None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def equals(column: Any, value: str) -> ColumnElement[bool]:
    """Return the condition that the column equals the value; false for a value that databases cannot store."""
    if find_unstorable(value) is not None:
        return false()
    condition: ColumnElement[bool] = column == value
    return condition


class _Values(FunctionElement[Any]):
    """Values as a JSON array, as a set: one parameter, because databases limit the number of parameters."""

    inherit_cache = True


class _Numbers(_Values):
    """The same of whole numbers."""

    inherit_cache = True


@compiles(_Values, "sqlite")
def _values_sqlite(element: _Values, compiler: Any, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **options)}))"  # noqa: S608 - a parameter


@compiles(_Values, "postgresql")
def _values_postgresql(element: _Values, compiler: Any, **options: Any) -> str:
    kind = "bigint" if isinstance(element, _Numbers) else "text"
    values = compiler.process(element.clauses, **options)
    return f"(SELECT CAST(json_array_elements_text(CAST({values} AS json)) AS {kind}))"


def among(column: Any, values: Collection[int] | Collection[str]) -> ColumnElement[bool]:
    """Return the condition that the column is one of these values, of which there may be any number."""
    kind = _Numbers if isinstance(column.type, Integer) else _Values
    # A comparison: of a function that is true or false SQLAlchemy would ask whether it is 1, and no index is used then.
    found: ColumnElement[bool] = column.bool_op("IN")(kind(literal(json.dumps(list(values)))))
    return found


def insert_new(connection: Connection, table: Any) -> Any:
    """Return an insert into a table that skips rows that are there, by their unique columns."""
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.dialects import sqlite as sqlite_dialect

    made: Any = (sqlite_dialect if connection.dialect.name == "sqlite" else postgresql).insert(table)
    return made.on_conflict_do_nothing()


@contextmanager
def migration(engine: Engine) -> Iterator[Connection]:
    """Open a transaction for a migration; other migrations wait.

    SQLite alters a table by copying it and dropping the old one, which would delete the rows that refer to it, so
    foreign keys are off during a migration, which ends with `refuse_orphans`.
    """
    with engine.execution_options(**{WRITES: True}).connect() as connection:
        if engine.dialect.name != "sqlite":
            with connection.begin():
                lock(connection, SCHEMA_LOCK)
                yield connection
            return
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA foreign_keys=OFF")  # has no effect inside a transaction
        try:
            with connection.begin():
                yield connection
        finally:
            raw.execute("PRAGMA foreign_keys=ON")


def lock(connection: Connection, number: int) -> None:
    """Make every other transaction that takes the same lock wait until this one ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
    # On SQLite a writing transaction begins with BEGIN IMMEDIATE, which acts as such a lock.


def refuse_orphans(connection: Connection) -> None:
    """Raise StoreError if a migration left orphaned rows; PostgreSQL already prevents them."""
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreError(f"The migration would orphan rows of table {broken[0]!r}; it was rolled back.")


@contextmanager
def copied_aside(connection: Connection, *, tables: list[str], label: str) -> Iterator[str]:
    """Copy all tables before the migration in the block, inside its transaction; yield a description of the place.

    On SQLite the copy is a file next to the database, which gets its name at the end of the block; on PostgreSQL it is
    a schema in the same database. There is none if the block fails.
    """
    if connection.dialect.name != "sqlite":
        schema = f"faithview_before_{label}".replace("-", "_")
        quote = connection.dialect.identifier_preparer.quote
        connection.execute(text(f"CREATE SCHEMA {schema}"))
        for name in tables:
            connection.execute(text(f"CREATE TABLE {schema}.{quote(name)} AS TABLE {quote(name)}"))
        yield f"schema {schema}"
        return
    path = Path(str(connection.engine.url.database))
    part, kept = Path(f"{path}.before-upgrade.part"), Path(f"{path}.before-{label}")
    part.unlink(missing_ok=True)  # left by a killed migration: only the holder of the lock migrates
    try:
        sqlite.copy_sqlite(path, part)
        yield str(kept)
        part.replace(kept)
    finally:
        part.unlink(missing_ok=True)


def _to_json(value: object) -> str:
    # ASCII only: escapes can express texts that UTF-8 cannot, such as half a surrogate pair in a user's column.
    return json.dumps(value, allow_nan=False)


def _casefold(value: str | None) -> str | None:
    return None if value is None else value.casefold()
