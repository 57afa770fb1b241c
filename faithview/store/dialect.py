"""What differs between SQLite and PostgreSQL, with both branches side by side."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, DateTime, Dialect, Engine, create_engine, event, func, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.types import TypeDecorator

# A writer waits this long for another one before it gives up; a batch takes a few milliseconds.
_BUSY_TIMEOUT_MS = 20_000
# Managed PostgreSQL servers and proxies drop idle connections after an hour or so.
_POOL_RECYCLE_S = 1_800
_CACHE_KIB = 65_536

# Set on an engine whose transactions write: SQLite must take its lock at the start, or two readers that both turn into
# writers fail at once instead of waiting.
WRITES = "faithview_writes"

# Advisory locks: any numbers will do that nobody else uses for something else. Runs are made and deleted one at a time,
# or a chunk could be deleted as unused just when another run begins to use it.
SCHEMA_LOCK = 727_463_105
RUNS_LOCK = 727_463_106


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC. SQLite has no time zones and keeps the naive value."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; a naive datetime is refused, for nobody knows what it means."""
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
    """Create the engine for the URL, with what each database needs to be safe and quick."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    return create_engine(url, pool_pre_ping=True, pool_recycle=_POOL_RECYCLE_S, json_serializer=_to_json)


def _sqlite_engine(url: URL) -> Engine:
    engine = create_engine(url, json_serializer=_to_json, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        # The driver must not begin transactions by itself: it would do so only before the first write.
        connection.isolation_level = None
        connection.create_function("fv_casefold", 1, _casefold, deterministic=True)
        for pragma in (
            f"busy_timeout={_BUSY_TIMEOUT_MS}",
            "journal_mode=WAL",
            "foreign_keys=ON",
            "synchronous=NORMAL",
            f"cache_size=-{_CACHE_KIB}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def contains(column: Any, needle: str, *, dialect: str) -> ColumnElement[bool]:
    """Return the condition "the column holds the needle, whatever the case", for any script and without wildcards."""
    if dialect == "sqlite":
        # SQLite's LIKE and lower() know ASCII only.
        return func.instr(func.fv_casefold(column), needle.casefold()) > 0
    return func.strpos(func.lower(column), func.lower(needle)) > 0


def insert_ignore(dialect: str) -> Callable[[Any, list[str]], Any]:
    """Return a function (table, conflict columns) -> insert that skips rows which are already there."""
    insert: Any = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return lambda table, columns: insert(table).on_conflict_do_nothing(index_elements=columns)


def lock(connection: Connection, number: int) -> None:
    """Hold off every other transaction that takes the same lock, until this one ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
    # On SQLite a transaction that writes has begun with BEGIN IMMEDIATE, which is such a lock.


def set_aside(connection: Connection, *, tables: list[str], label: str) -> str:
    """Copy all tables before a migration touches them; return where the copy is, in words.

    On SQLite the copy is a file beside the database; on PostgreSQL it is a schema in the same database.
    """
    if connection.dialect.name == "sqlite":
        path = f"{connection.engine.url.database}.before-{label}"
        # A connection of its own: VACUUM INTO cannot run inside the transaction that holds the lock, but a reader
        # beside it sees the last committed state, which is the one to keep.
        import sqlite3

        source = sqlite3.connect(str(connection.engine.url.database))
        try:
            source.execute("VACUUM INTO ?", (path,))
        finally:
            source.close()
        return path
    schema = f"faithview_before_{label}".replace("-", "_")
    quote = connection.dialect.identifier_preparer.quote
    connection.execute(text(f"CREATE SCHEMA {quote(schema)}"))
    for table in tables:
        connection.execute(text(f"CREATE TABLE {quote(schema)}.{quote(table)} AS TABLE {quote(table)}"))
    return f"schema {schema}"


def _to_json(value: object) -> str:
    # ASCII only: escapes carry what UTF-8 cannot, such as half a surrogate pair in a column that came with a row.
    return json.dumps(value, allow_nan=False)


def _casefold(value: str | None) -> str | None:
    return None if value is None else value.casefold()
