"""What differs between SQLite and PostgreSQL, with both branches side by side."""

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
    Select,
    String,
    any_,
    bindparam,
    case,
    cast,
    collate,
    create_engine,
    event,
    false,
    func,
    literal_column,
    select,
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

# Values or rows in one statement; below every database's limit on bound parameters.
BATCH_SIZE = 500
# Managed PostgreSQL servers and proxies drop idle connections after an hour or so.
_POOL_RECYCLE_S = 1_800
# Connections of one process beyond the five of the pool, for people who press a key at the same moment.
_MAX_OVERFLOW = 35
# Of new SQLite files. An answer takes about a kilobyte, so that much of a smaller page would stay empty.
_PAGE_BYTES = 8_192
# Pages that the log grows by before they are moved into the file: 4 MB.
_LOG_PAGES = 500
# Pages that each connection keeps, and up to that much of what it sorts. A process has several connections; what they
# do not keep is in the operating system's cache, which all of them share.
_CACHE_KIB = 16_384

# An execution option of engines whose transactions write. SQLite must take its lock at the start of a transaction: two
# readers that both become writers fail instead of waiting.
WRITES = "faithview_writes"
# An execution option of engines over a store that may only be read.
READ_ONLY_STORE = "faithview_read_only"

# Numbers of advisory locks, arbitrary but used by nobody else. Runs are created and deleted one at a time: otherwise a
# chunk could be deleted as unused while another run starts to use it.
SCHEMA_LOCK = 727_463_105
RUNS_LOCK = 727_463_106
QUEUE_LOCK = 727_463_107
TEXTS_LOCK = 727_463_108
# A query that finds more than one row in so many finds a large part; the two ways of `is_large_part` then take as long.
_LARGE_PART = 6


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC. SQLite has no time zones and stores the naive value."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; a naive datetime is refused, because its time zone is unknown."""
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
    """An array of whole numbers as PostgreSQL writes it: one text, for the driver would look at each number."""

    impl = ARRAY(Integer)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> None:
        """Return nothing: the text is passed on as it is."""
        return


def make_engine(url: URL) -> Engine:
    """Create the engine for the URL, configured to be safe and quick."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    return create_engine(
        url, pool_pre_ping=True, pool_recycle=_POOL_RECYCLE_S, json_serializer=_to_json, max_overflow=_MAX_OVERFLOW
    )


def is_writable(connection: Connection) -> bool:
    """Return whether a connection's user may add a row to a table of a store on PostgreSQL.

    A standby takes no rows from anybody, and an administrator can let a user or a database only read.
    """
    rights = text(
        "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AND EXISTS ("
        "SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace) "
        "AND has_table_privilege(oid, 'INSERT'))"
    )
    return bool(connection.execute(rights).scalar_one())


def reader(engine: Engine) -> Engine:
    """Return the engine for transactions that only read and see one state of the database throughout."""
    if engine.dialect.name == "sqlite":  # every transaction in WAL mode sees one state
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
            f"page_size={_PAGE_BYTES}",  # before the mode, which a file keeps with the size of its pages
            "query_only=ON" if file.is_read_only else "journal_mode=WAL",
            "foreign_keys=ON",
            "synchronous=NORMAL",
            f"wal_autocheckpoint={_LOG_PAGES}",
            f"cache_size=-{_CACHE_KIB}",
        ):
            try:
                connection.execute(f"PRAGMA {pragma}")
            except UnicodeDecodeError:  # the driver cannot decode SQLite's own sentence, which quotes what is damaged
                raise sqlite3.DatabaseError("its schema is damaged") from None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def equals(column: Any, value: str) -> ColumnElement[bool]:
    """Return the condition that the column equals the value; false for a value that no database can store."""
    if find_unstorable(value) is not None:
        return false()
    condition: ColumnElement[bool] = column == value
    return condition


def is_among(column: Any, numbers: Sequence[int], *, dialect: str) -> ColumnElement[bool]:
    """Return the condition that the column is one of these whole numbers, of which there may be any number.

    As parameters of their own, each database takes only so many, and PostgreSQL's driver spends more time on them than
    the server does on finding the rows. There they are one array, as a text; SQLite has them in the statement.
    """
    if dialect == "sqlite":
        listed: Any = bindparam(None, list(numbers), type_=Integer, expanding=True, literal_execute=True)
        condition: ColumnElement[bool] = column.in_(listed)
        return condition
    return is_in_array(column, "{" + ",".join(map(str, numbers)) + "}")


def is_in_array(column: Any, array: str) -> ColumnElement[bool]:
    """Return the condition that the column is one of the whole numbers of an array, written as PostgreSQL does."""
    condition: ColumnElement[bool] = column == any_(bindparam(None, array, type_=_WrittenArray))
    return condition


def write_array(connection: Connection, numbers: Select[tuple[int]], *, most: int) -> str | None:
    """Return the whole numbers that a query on PostgreSQL finds, for `is_in_array`; None if there are more."""
    found = numbers.limit(most + 1).subquery()
    array = case((func.count() <= most, func.coalesce(cast(func.array_agg(found.c[0]), String), "{}")))
    written: str | None = connection.execute(select(array).select_from(found)).scalar_one()
    return written


def unindexed(column: Any, *, dialect: str) -> ColumnElement[Any]:
    """Return the column for a condition that no index should serve.

    SQLite has no figures of how many rows a value has and takes any index on such a column, although reading another
    one in the order that the query needs is quicker.
    """
    return literal_column(f"+{column.table.name}.{column.name}", column.type) if dialect == "sqlite" else column


def by_bytes(column: Any, *, dialect: str) -> ColumnElement[Any]:
    """Return the column for an order by its bytes, as Python sorts ASCII texts, that no index should serve."""
    return unindexed(column, dialect=dialect) if dialect == "sqlite" else collate(column, "C")


def is_large_part(connection: Connection, query: Select[Any], whole: ColumnElement[int]) -> bool:
    """Return whether a query finds so many of `whole` rows that another one should not begin with them.

    SQLite sorts what it found in order to count it by groups, which for many rows takes longer than reading a whole
    index in the order of the groups. PostgreSQL does not sort for it, and weighs both ways itself.
    """
    if connection.dialect.name != "sqlite":
        return False
    enough = (connection.execute(select(whole)).scalar() or 0) // _LARGE_PART
    found = select(func.count()).select_from(query.limit(enough + 1).subquery())
    return connection.execute(found).scalar_one() > enough


def batches(items: Sequence[_T], *, size: int = BATCH_SIZE) -> Iterator[Sequence[_T]]:
    """Yield the items in pieces that one statement can take as parameters; `is_among` takes larger ones."""
    return (items[first : first + size] for first in range(0, len(items), size))


def insert_ignore(dialect: str) -> Callable[[Any, list[str]], Any]:
    """Return a function (table, conflict columns) -> insert that skips rows that exist already."""
    from sqlalchemy.dialects import postgresql

    insert: Any = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return lambda table, columns: insert(table).on_conflict_do_nothing(index_elements=columns)


@contextmanager
def migration(engine: Engine) -> Iterator[Connection]:
    """Open a transaction for a migration; other migrations wait.

    SQLite alters a table by copying it and dropping the old one, which would delete the rows that refer to it. Foreign
    keys are therefore off during a migration, which ends with `refuse_orphans`.
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
    # On SQLite a writing transaction begins with BEGIN IMMEDIATE, which is such a lock.


def share_lock(connection: Connection, number: int) -> None:
    """Make transactions that take the lock for themselves wait until this one ends; others that share it do not."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock_shared(:number)"), {"number": number})


def refuse_orphans(connection: Connection) -> None:
    """Raise StoreError if a migration left rows that refer to no row; PostgreSQL has refused them already."""
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreError(f"The migration would orphan rows of table {broken[0]!r}; it was rolled back.")


def set_aside(connection: Connection, *, tables: list[str], label: str) -> None:
    """Copy all tables before a migration, inside its transaction; `keep_copy` follows right before it is committed.

    On SQLite the copy is a file beside the database; on PostgreSQL it is a schema in the same database, and vanishes
    when the migration is undone.
    """
    if connection.dialect.name == "sqlite":
        part = _part_of(connection.engine, label)
        part.unlink(missing_ok=True)  # of a migration that was killed: who holds the lock is the only one to migrate
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
    """Remove the copy of a migration that failed: the database is as it was, so nobody needs a second one."""
    if connection.dialect.name == "sqlite":
        _part_of(connection.engine, label).unlink(missing_ok=True)


def keep_copy(engine: Engine, *, label: str) -> str:
    """Give the copy of a migration that is done, but for its commit, its name; return a description of where it is."""
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
    # ASCII only: escapes can express what UTF-8 cannot, such as half a surrogate pair in a column of a user's file.
    return json.dumps(value, allow_nan=False)


def _casefold(value: str | None) -> str | None:
    return None if value is None else value.casefold()


_DIGITS = 64


class ContentHash(TypeDecorator[str]):
    """A hash of `domain.content_hashes`, or a text that stands in its place (`store/retention`).

    SQLite keeps the bytes of a hash, in half the space, and any other text as it is: a column there holds both. Hashes
    have the same order as bytes and as digits. PostgreSQL keeps all of them as texts.
    """

    impl = String(_DIGITS)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Any:
        """Return what makes a parameter of a hash, or None if nothing is to be done."""
        return to_stored if dialect.name == "sqlite" else None

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Return what makes a hash of a stored value, or None if nothing is to be done."""
        return to_digits if dialect.name == "sqlite" else None


def to_stored(value: str | None) -> bytes | str | None:
    """Return a hash as SQLite keeps it, and any other text as it is."""
    if value is None or len(value) != _DIGITS:
        return value
    try:
        stored = bytes.fromhex(value)
    except ValueError:
        return value
    return stored if stored.hex() == value else value


def to_digits(value: bytes | str | None) -> str | None:
    """Return a hash that SQLite kept in its digits, and any other text as it is."""
    return value.hex() if isinstance(value, bytes) else value
