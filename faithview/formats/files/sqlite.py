"""SQLite databases of other tools, which are only read."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from types import MappingProxyType
from urllib.parse import quote

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.report import preview_of
from faithview.formats.files.source import Source


class SqliteFile:
    """A database file: its tables with their columns, and the rows of one query at a time.

    Raises:
        UnreadableFile: the database is damaged or locked.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        with self._connection() as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = {
                name: tuple(row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,)))
                for name in names
            }
        self.tables: Mapping[str, tuple[str, ...]] = MappingProxyType(columns)

    def has(self, table: str, *columns: str) -> bool:
        """Return whether there is a table with these columns."""
        return set(columns) <= set(self.tables.get(table, ())) and table in self.tables

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[dict[str, object]]:
        """Yield the rows of a query as column -> value.

        Raises:
            UnreadableFile: the database is damaged.
        """
        with self._connection() as connection:
            cursor = connection.execute(sql, tuple(parameters))
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect()) as connection:
                connection.execute("PRAGMA query_only = ON")
                connection.execute("PRAGMA trusted_schema = OFF")
                yield connection
        except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
            why = preview_of(str(error)).rstrip(".")
            raise UnreadableFile(f"{self._source.name} cannot be read as an SQLite database: {why}.") from error

    def _connect(self) -> sqlite3.Connection:
        path = self._source.path
        if path is not None:
            # In write-ahead mode even a reader creates files next to the database, unless it is opened as immutable.
            # A journal of either kind means that a writer is active or was stopped: without it half a change is read.
            is_written_to = any(path.with_name(f"{path.name}{end}").exists() for end in ("-wal", "-journal"))
            form = "ro" if is_written_to else "ro&immutable=1"
            return sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode={form}", uri=True)
        connection = sqlite3.connect(":memory:")
        with self._source.open_seekable() as stream:
            content = bytearray(stream.read())
        # Bytes 18 and 19 say that writes go to a second file, which does not exist for bytes in memory.
        content[18:20] = b"\x01\x01"
        connection.deserialize(bytes(content))
        return connection
