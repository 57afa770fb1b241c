"""The file of a SQLite store: open it, check that it is still the same file, copy it, and remove deleted texts.

A program that has a file open does not notice when the file is deleted or replaced. It would continue with the old
file, which other programs cannot open any more, and its writes would be lost, so each use of a connection checks the
file first.
"""

import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from sqlalchemy import Connection, Engine

from faithview.domain.errors import StoreError, StoreReplaced
from faithview.domain.private_file import begin_private
from faithview.store.failures import words_of

# A parameter of the store's URL, like SQLite's own: "sqlite:///faithview.db?mode=ro" is read-only.
MODE = "mode"
READ_ONLY = "ro"
_CREATING = "rwc"
# The number of bytes by which a SQLite database is recognised.
HEADER = b"SQLite format 3\x00"
# How long a writer waits for another one before it gives up; a write takes a few milliseconds.
BUSY_TIMEOUT_MS = 20_000


@dataclass(slots=True)
class SqliteFile:
    """The file at `path`. Only the first connection creates it, so a deleted store is not recreated empty.

    `is_read_only`: the URL or the system forbids writing.
    """

    path: Path
    is_read_only: bool = False
    _identity: tuple[int, int] | None = None
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def at(cls, path: str, *, mode: str | None) -> "SqliteFile":
        """Inspect the file, which may not exist yet."""
        place = Path(path)
        return cls(place, is_read_only=mode == READ_ONLY or _is_protected(place))

    def address(self) -> str:
        """Return the address at which SQLite opens the file; raises StoreError if it is missing."""
        self.check()
        mode = self._mode()
        if mode == _CREATING:
            with suppress(OSError):  # SQLite meets the same error, and its message is shown
                begin_private(self.path)
        return self._address(mode)

    def remember(self) -> None:
        """Remember the identity of the file, once it is open."""
        with self._lock:
            if self._identity is None:
                self._identity = _identity_of(self.path)

    def check(self) -> None:
        """Raise StoreError if the opened file is missing, StoreReplaced if another file replaced it."""
        if self._identity is None:
            return
        now = _identity_of(self.path)
        if now is None:
            raise StoreError(
                f"The store {str(self.path)!r} was deleted or moved while it was open. Put it back, "
                "or restore a backup with `faithview db restore`; nothing is written until then."
            )
        if now != self._identity:
            raise StoreReplaced(
                f"The store {str(self.path)!r} was replaced by another file while it was open. Earlier data is in the "
                "replaced file, and nothing is written to the new one; open the store again."
            )

    def _mode(self) -> str:
        if not self.is_read_only:
            return _CREATING if self._identity is None else "rw"
        return READ_ONLY if _opens(self._address(READ_ONLY)) else "ro&immutable=1"

    def _address(self, mode: str) -> str:
        return f"file:{quote(str(self.path.absolute()))}?mode={mode}"


def is_database(path: Path) -> bool:
    """Return whether a file begins like a SQLite database."""
    with path.open("rb") as stream:
        return stream.read(len(HEADER)) == HEADER


def copy_sqlite(source: str, destination: Path) -> None:
    """Copy the committed state of a SQLite database to one file, while others may read and write.

    Raises:
        StoreError: the copy cannot be made.
    """
    # A separate connection: VACUUM INTO cannot run inside a transaction, and a concurrent reader sees the last
    # committed state, which is the one to copy.
    connection = sqlite3.connect(source, timeout=BUSY_TIMEOUT_MS / 1000)
    try:
        with suppress(OSError):  # as above
            begin_private(destination)
        connection.execute("VACUUM INTO ?", (str(destination),))
    except sqlite3.Error as error:
        destination.unlink(missing_ok=True)
        raise StoreError(f"The database {source} cannot be copied to {destination}: {words_of(error)}") from error
    finally:
        connection.close()


def _identity_of(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _is_protected(path: Path) -> bool:
    """Return whether the file exists and is write-protected, or its folder is, where SQLite needs its own files."""
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))


def _opens(address: str) -> bool:
    """Return whether SQLite can read the file in the usual way.

    It cannot in a write-protected folder, where it needs a file to read the journal. The store cannot be written then
    either, so it may be read as a file that never changes.
    """
    connection = sqlite3.connect(address, uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True  # damaged, which the caller will also notice
    finally:
        connection.close()
    return True


# Emptying the log is not worth a longer wait for readers; the next process that closes the store empties it.
_LOG_TIMEOUT_MS = 1_000
# The minimum free part of a file to make it smaller, because this rewrites all of it.
_FREE_SHARE = 0.2


def overwrite_deleted(connection: Connection) -> None:
    """Make SQLite overwrite the data that this connection deletes from now on."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON").close()


def drop_deleted_words(connection: Connection) -> None:
    """Drop the words of deleted texts from the full-text index.

    SQLite only marks them and drops them when it merges parts of the index, which may never happen. PostgreSQL stores
    words in their rows.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("INSERT INTO claim_words(claim_words) VALUES ('optimize')")


def give_space_back(engine: Engine) -> None:
    """Make the file smaller if much of it is free; does nothing while others use it."""
    if engine.dialect.name != "sqlite":
        return  # PostgreSQL reuses the space once it has vacuumed
    raw = engine.raw_connection()
    try:
        free, pages = (
            raw.cursor().execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count")
        )
        if free < pages * _FREE_SHARE:
            return
        with suppress(sqlite3.OperationalError):  # locked
            raw.cursor().execute("VACUUM")
    finally:
        raw.close()
    empty_log(engine)


def empty_log(engine: Engine) -> None:
    """Move the content of SQLite's log into the file, to remove deleted texts from it; incomplete while others read."""
    if engine.dialect.name != "sqlite":
        return
    raw = engine.raw_connection()
    try:
        (before,) = raw.cursor().execute("PRAGMA busy_timeout").fetchone()
        raw.cursor().execute(f"PRAGMA busy_timeout={_LOG_TIMEOUT_MS}")
        raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        raw.cursor().execute(f"PRAGMA busy_timeout={before}")
    finally:
        raw.close()
