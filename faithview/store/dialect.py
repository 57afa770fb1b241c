"""The differences between SQLite and PostgreSQL, with both branches side by side."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Integer,
    String,
    any_,
    bindparam,
    create_engine,
    event,
    false,
    literal_column,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import URL
from sqlalchemy.types import TypeDecorator

from faithview.domain.errors import StoreError
from faithview.domain.sample import find_unstorable
from faithview.store import sqlite as sqlite_store
from faithview.store.sqlite import MODE, SqliteFile

_T = TypeVar("_T")

# The maximum number of values or rows in one statement, below every database's limit on bound parameters.
BATCH_SIZE = 500
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
TEXTS_LOCK = 727_463_108


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


class _WrittenArray(TypeDecorator[str]):
    """An array of whole numbers in PostgreSQL's text form, which spares the driver from handling each number."""

    impl = ARRAY(Integer)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> None:
        """Return None: the text is passed on unchanged."""
        return


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
    mode = url.query.get(MODE)
    file = SqliteFile.at(str(url.database), mode=mode if isinstance(mode, str) else None)
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
            f"busy_timeout={sqlite_store.BUSY_TIMEOUT_MS}",
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


def is_among(column: Any, numbers: Sequence[int], *, dialect: str) -> ColumnElement[bool]:
    """Return the condition that the column is one of these whole numbers; the list may have any length.

    Databases limit the number of parameters, and PostgreSQL's driver takes longer for them than the server takes to
    find the rows. On PostgreSQL they are one array, as a text; on SQLite they are part of the statement.
    """
    if dialect == "sqlite":
        listed: Any = bindparam(None, list(numbers), type_=Integer, expanding=True, literal_execute=True)
        condition: ColumnElement[bool] = column.in_(listed)
        return condition
    array = bindparam(None, "{" + ",".join(map(str, numbers)) + "}", type_=_WrittenArray)
    among: ColumnElement[bool] = column == any_(array)
    return among


def unindexed(column: Any, *, dialect: str) -> ColumnElement[Any]:
    """Return the column for a condition that no index should serve.

    SQLite does not know how many rows a value has and uses any index on such a column, although another index in the
    order of the query is faster.
    """
    return literal_column(f"+{column.table.name}.{column.name}", column.type) if dialect == "sqlite" else column


def batches(items: Sequence[_T], *, size: int = BATCH_SIZE) -> Iterator[Sequence[_T]]:
    """Yield the items in batches that fit the parameters of one statement; `is_among` takes larger ones."""
    return (items[first : first + size] for first in range(0, len(items), size))


def insert_ignore(dialect: str) -> Callable[[Any, list[str]], Any]:
    """Return a function (table, conflict columns) -> insert that skips existing rows."""
    from sqlalchemy.dialects import postgresql

    insert: Any = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return lambda table, columns: insert(table).on_conflict_do_nothing(index_elements=columns)


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


def share_lock(connection: Connection, number: int) -> None:
    """Make transactions that take the lock exclusively wait until this one ends; others that share it do not wait."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock_shared(:number)"), {"number": number})


def refuse_orphans(connection: Connection) -> None:
    """Raise StoreError if a migration left orphaned rows; PostgreSQL already prevents them."""
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreError(f"The migration would orphan rows of table {broken[0]!r}; it was rolled back.")


def set_aside(connection: Connection, *, tables: list[str], label: str) -> None:
    """Copy all tables before a migration, inside its transaction; `keep_copy` follows just before the commit.

    On SQLite the copy is a file next to the database; on PostgreSQL it is a schema in the same database, which
    disappears when the migration is rolled back.
    """
    if connection.dialect.name == "sqlite":
        part = _part_of(connection.engine, label)
        part.unlink(missing_ok=True)  # left by a killed migration: only the holder of the lock migrates
        try:
            sqlite_store.copy_sqlite(str(connection.engine.url.database), part)
        except BaseException:
            drop_copy(connection, label=label)
            raise
        return
    quote = connection.dialect.identifier_preparer.quote
    schema = quote(_schema_of(label))
    connection.execute(text(f"CREATE SCHEMA {schema}"))
    for name in tables:
        connection.execute(text(f"CREATE TABLE {schema}.{quote(name)} AS TABLE {quote(name)}"))


def drop_copy(connection: Connection, *, label: str) -> None:
    """Remove the copy of a failed migration: the database is unchanged, so the copy is not needed."""
    if connection.dialect.name == "sqlite":
        _part_of(connection.engine, label).unlink(missing_ok=True)


def keep_copy(engine: Engine, *, label: str) -> str:
    """Give the copy its final name just before the migration is committed; return a description of its place."""
    if engine.dialect.name != "sqlite":
        return f"schema {_schema_of(label)}"
    kept = Path(f"{engine.url.database}.before-{label}")
    _part_of(engine, label).replace(kept)
    return str(kept)


def _part_of(engine: Engine, label: str) -> Path:
    return Path(f"{engine.url.database}.before-{label.partition('-')[0]}.part")


def _schema_of(label: str) -> str:
    return f"faithview_before_{label}".replace("-", "_")


def _to_json(value: object) -> str:
    # ASCII only: escapes can express texts that UTF-8 cannot, such as half a surrogate pair in a user's column.
    return json.dumps(value, allow_nan=False)


def _casefold(value: str | None) -> str | None:
    return None if value is None else value.casefold()


_DIGITS = 64


class ContentHash(TypeDecorator[str]):
    """A hash of `domain.content_hashes`, or a placeholder for it (`store/retention`).

    SQLite stores a hash as bytes, in half the space, and any other text unchanged, so a column contains both. Hashes
    have the same order as bytes and as digits. PostgreSQL stores all of them as texts.
    """

    impl = String(_DIGITS)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Any:
        """Return the function that converts a hash to a parameter, or None if no conversion is needed."""
        return to_stored if dialect.name == "sqlite" else None

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Return the function that converts a stored value to a hash, or None if no conversion is needed."""
        return to_digits if dialect.name == "sqlite" else None


def to_stored(value: str | None) -> bytes | str | None:
    """Return a hash in SQLite's stored form, and any other text unchanged."""
    if value is None or len(value) != _DIGITS:
        return value
    try:
        stored = bytes.fromhex(value)
    except ValueError:
        return value
    return stored if stored.hex() == value else value


def to_digits(value: bytes | str | None) -> str | None:
    """Return the digits of a hash stored by SQLite, and any other text unchanged."""
    return value.hex() if isinstance(value, bytes) else value
