"""The records that a pull has fetched so far, in a file next to its destination.

A page of records and the start of the next page are stored in one transaction, so an interrupted pull continues after
its last complete page. A record that comes again replaces the earlier one.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.domain.private_file import begin_private

_SCHEMA = """
CREATE TABLE request (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE record (
    number INTEGER PRIMARY KEY, stream TEXT NOT NULL, id TEXT NOT NULL, trace TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (stream, id)
);
CREATE INDEX record_trace ON record (stream, trace);
CREATE TABLE place (stream TEXT PRIMARY KEY, cursor TEXT, is_done INTEGER NOT NULL);
CREATE TABLE named (stream TEXT NOT NULL, cursor_hash BLOB NOT NULL, PRIMARY KEY (stream, cursor_hash)) WITHOUT ROWID;
PRAGMA application_id = 1179014224;
"""
_APPLICATION_ID = 1179014224
# How many consecutive pages may be without a new record.
_MOST_IDLE_PAGES = 100
# Statuses of a server that no longer knows a place that it named.
_PLACE_IS_GONE = frozenset({400, 404, 409, 410, 422})

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of the tool: its own id, the id of what it belongs to, and its JSON as the tool sent it."""

    id: str
    trace: str
    body: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Records, and the place where the next page begins; None on the last one.

    A stream may consist of the answers to several requests in a row; `question` is the number of this one.
    """

    records: tuple[Record, ...]
    next: str | None
    question: int = 0


class PartFile:
    """The file with what was fetched.

    Args:
        path: the file; created if missing.
        request: the request; a file of another request is refused.

    Raises:
        InvalidInput: the file belongs to another request or is not from a pull, or another process writes it.
    """

    def __init__(self, path: Path, request: Mapping[str, str]) -> None:
        self._path = path
        self.is_resumed = path.exists()
        try:
            with suppress(OSError):  # SQLite meets the same error and reports it
                begin_private(path)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=1.0)
            # One process at a time; held until the file is closed.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            # The file survives the end of the process; a power cut within a page may damage it, which is reported.
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._begin(request)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise InvalidInput(
                    f"Another pull is writing {str(path)!r}; wait for it or name another file."
                ) from None
            raise InvalidInput(f"{str(path)!r} cannot be written: {error}.") from error
        except sqlite3.DatabaseError:
            raise InvalidInput(f"{str(path)!r} is damaged or not from a pull; remove it and pull again.") from None

    def _begin(self, request: Mapping[str, str]) -> None:
        db = self._db
        db.execute("BEGIN EXCLUSIVE")
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables == 0 and (not self.is_resumed or self._path.stat().st_size == 0):
            self.is_resumed = False
            for statement in _SCHEMA.split(";"):
                db.execute(statement)
            db.executemany("INSERT INTO request VALUES (?, ?)", request.items())
        db.execute("COMMIT")
        if db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
            raise sqlite3.DatabaseError
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'named'").fetchone():  # of an older FaithView
            db.execute(next(line for line in _SCHEMA.split(";") if "named" in line))
        self.request: dict[str, str] = dict(db.execute("SELECT name, value FROM request"))

    def close(self) -> None:
        """Close the file and keep it for the next pull."""
        self._db.close()

    def remove(self) -> None:
        """Close and remove the file."""
        self._db.close()
        self._path.unlink(missing_ok=True)

    def note(self, name: str, value: str) -> None:
        """Store another fact about the request, for example the id of a project."""
        self._db.execute("INSERT OR REPLACE INTO request VALUES (?, ?)", (name, value))
        self.request[name] = value

    def count(self, *streams: str) -> int:
        """Return the number of records, in all streams or in some."""
        if not streams:
            return int(self._db.execute("SELECT count(*) FROM record").fetchone()[0])
        return sum(
            int(self._db.execute("SELECT count(*) FROM record WHERE stream = ?", (name,)).fetchone()[0])
            for name in streams
        )

    def is_done(self, stream: str) -> bool:
        """Return whether the last page of a stream is stored."""
        return self._place(stream)[1]

    def reopen(self, stream: str) -> None:
        """Fetch a stream again from its start; its records stay until they come again."""
        for table in ("place", "named"):
            self._db.execute(f"DELETE FROM {table} WHERE stream = ?", (stream,))  # noqa: S608 - names from here

    def add(self, stream: str, page: Page) -> None:
        """Store a page and the start of the next one in one transaction."""
        db = self._db
        db.execute("BEGIN")
        try:
            db.executemany(
                "INSERT INTO record (stream, id, trace, body) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (stream, id) DO UPDATE SET trace = excluded.trace, body = excluded.body",
                [
                    (stream, storable(item.id), storable(item.trace), json.dumps(item.body, ensure_ascii=True))
                    for item in page.records
                ],
            )
            db.execute("INSERT OR REPLACE INTO place VALUES (?, ?, ?)", (stream, page.next, page.next is None))
            if page.next is not None:
                db.execute("INSERT OR IGNORE INTO named VALUES (?, ?)", (stream, _hash(page.next)))
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")

    def walk(self, stream: str, fetch: Callable[[str | None], Page], on_page: Callable[[], None]) -> None:
        """Fetch the pages of a stream that are not stored yet, each from the place that the previous one named.

        If the server no longer knows the place, the stream is fetched from its start once more.

        Raises:
            PullFailed: the server fails, names the same place again, or sends pages with nothing new.
        """
        cursor, is_done = self._place(stream)
        may_restart = True
        pages = _Pages(stream, known=self.count(stream))
        while not is_done:
            try:
                page = fetch(cursor)
            except PullFailed as error:
                if cursor is None or error.status not in _PLACE_IS_GONE or not may_restart:
                    raise
                self.reopen(stream)
                pages = _Pages(stream, known=self.count(stream))
                cursor, may_restart = None, False
                continue
            if page.next is not None and (page.next == cursor or self._was_named(stream, page.next)):
                raise PullFailed(f"The server named the same next page of {stream} twice; the pull would never end.")
            before = self.count(stream)
            self.add(stream, page)
            pages.count(page, new=self.count(stream) - before)
            cursor, is_done = page.next, page.next is None
            on_page()

    def traces(self, stream: str) -> Iterator[str]:
        """Yield the ids that the records of a stream belong to, each once, in the order of their first record."""
        found = self._db.execute(
            "SELECT trace FROM record WHERE stream = ? GROUP BY trace ORDER BY min(number)", (stream,)
        )
        yield from (str(row[0]) for row in found)

    def missing(self, stream: str, among: str) -> list[str]:
        """Return the ids of `among` that have no record in the stream yet, in their order."""
        found = self._db.execute(
            "SELECT id FROM record WHERE stream = ? "
            "AND id NOT IN (SELECT id FROM record WHERE stream = ?) ORDER BY number",
            (among, stream),
        )
        return [str(row[0]) for row in found]

    def records(self, stream: str, *, trace: str | None = None) -> Iterator[Any]:
        """Yield the records of a stream, or of one trace in it, in the order in which they came first."""
        query, values = "SELECT body FROM record WHERE stream = ? ORDER BY number", [stream]
        if trace is not None:
            query, values = "SELECT body FROM record WHERE stream = ? AND trace = ? ORDER BY number", [stream, trace]
        for (body,) in self._db.execute(query, values):
            yield json.loads(body)

    def _was_named(self, stream: str, cursor: str) -> bool:
        found = self._db.execute("SELECT 1 FROM named WHERE stream = ? AND cursor_hash = ?", (stream, _hash(cursor)))
        return found.fetchone() is not None

    def _place(self, stream: str) -> tuple[str | None, bool]:
        found = self._db.execute("SELECT cursor, is_done FROM place WHERE stream = ?", (stream,)).fetchone()
        return (found[0], bool(found[1])) if found else (None, False)


@dataclass(slots=True)
class _Pages:
    """Counts the pages of a stream without a new record, to stop a server that never ends.

    `known` counts the records from before the stream was restarted; they may come again.
    """

    stream: str
    known: int
    _idle: int = 0
    _question: int = 0

    def count(self, page: Page, *, new: int) -> None:
        """Count a page; raises PullFailed after too many."""
        if new or page.next is None or page.question != self._question:
            self._idle, self._question = 0, page.question
        elif page.records and self.known > 0:
            self.known -= len(page.records)
        else:
            self._idle += 1
        if self._idle > _MOST_IDLE_PAGES:
            raise PullFailed(
                f"The server sent {_MOST_IDLE_PAGES} pages of {self.stream} without anything new; the pull would "
                "never end."
            )


def storable(text: str) -> str:
    """Return a text that UTF-8 can encode: half a surrogate pair becomes an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _hash(cursor: str) -> bytes:
    return sha256(cursor.encode("utf-8", "surrogatepass")).digest()
