"""The file of a SQLite store: open it, check that it is still the same file, copy it, and remove deleted texts.

A program that has a file open does not notice when the file is deleted or replaced. It would continue with the old
file, which other programs cannot open any more, and its writes would be lost, so each use of a connection checks the
file first.
"""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection

from faithview.domain.errors import StoreError, StoreReplaced
from faithview.domain.private_file import begin_private
from faithview.store.failures import words_of

# A parameter of the store's URL, like SQLite's own: "sqlite:///faithview.db?mode=ro" is read-only.
MODE = "mode"
# How long a writer waits for another one before it gives up; a write takes a few milliseconds.
BUSY_TIMEOUT_MS = 20_000
# Emptying the log is not worth a longer wait for readers; the next process that closes the store empties it.
_LOG_TIMEOUT_S = 1
# The minimum free part of a file to make it smaller, because this rewrites all of it.
_FREE_SHARE = 0.2


class SqliteFile:
    """The file at a path. Only the first connection creates it, so a deleted store is not recreated empty.

    `is_read_only`: the URL or the system forbids writing.
    """

    def __init__(self, path: Path, *, mode: object) -> None:
        """Inspect the file, which may not exist yet. SQLite also writes files of its own into the folder."""
        self.path = path
        is_protected = path.is_file() and not all(os.access(p, os.W_OK) for p in (path, path.absolute().parent))
        self.is_read_only = mode == "ro" or is_protected
        self._opened: tuple[int, int] | None = None

    def address(self) -> str:
        """Return the address at which SQLite opens the file; raises StoreError if it is missing."""
        self.check()
        if self.is_read_only:
            address = _address(self.path, "ro")
            return address if _opens(address) else f"{address}&immutable=1"
        if self._opened is not None:
            return _address(self.path, "rw")
        with suppress(OSError):  # SQLite meets the same error, and its message is shown
            begin_private(self.path)
        return _address(self.path, "rwc")

    def remember(self) -> None:
        """Remember the identity of the file, once it is open."""
        self._opened = self._opened or _identity_of(self.path)

    def check(self) -> None:
        """Raise StoreError if the opened file is missing, StoreReplaced if another file replaced it."""
        if self._opened is None or (now := _identity_of(self.path)) == self._opened:
            return
        if now is None:
            raise StoreError(
                f"The store {str(self.path)!r} was deleted or moved while it was open. Put it back, "
                "or restore a backup with `faithview db restore`; nothing is written until then."
            )
        raise StoreReplaced(
            f"The store {str(self.path)!r} was replaced by another file while it was open. Earlier data is in the "
            "replaced file, and nothing is written to the new one; open the store again."
        )


def copy_sqlite(source: Path, destination: Path) -> None:
    """Copy the committed state of a SQLite database to one file, while others may read and write.

    Raises:
        StoreError: the copy cannot be made.
    """
    # A separate connection: VACUUM INTO cannot run inside a transaction, and a concurrent reader sees the last
    # committed state, which is the one to copy.
    with closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_MS / 1000)) as connection:
        try:
            with suppress(OSError):  # as above
                begin_private(destination)
            connection.execute("VACUUM INTO ?", (str(destination),))
        except sqlite3.Error as error:
            destination.unlink(missing_ok=True)
            raise StoreError(f"The database {source} cannot be copied to {destination}: {words_of(error)}") from error


def _address(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


def _identity_of(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _opens(address: str) -> bool:
    """Return whether SQLite can read the file in the usual way.

    It cannot in a write-protected folder, where it needs a file to read the journal. The store cannot be written then
    either, so it may be read as a file that never changes.
    """
    with closing(sqlite3.connect(address, uri=True)) as connection:
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            return False
        except sqlite3.DatabaseError:
            return True  # damaged, which the caller will also notice
    return True


def overwrite_deleted(connection: Connection) -> None:
    """Make SQLite overwrite the data that this connection deletes from now on."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON").close()


def drop_deleted_words(connection: Connection) -> None:
    """Drop the words of deleted texts from the full-text index.

    SQLite only marks them and drops them when it merges parts of the index, which may never happen. PostgreSQL drops
    them when it vacuums.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("INSERT INTO claim_words(claim_words) VALUES ('optimize')")


def give_space_back(path: Path) -> None:
    """Make the file smaller if much of it is free; does nothing while others use it."""
    with suppress(sqlite3.OperationalError), closing(_connect(path)) as connection:
        (free,), (pages,) = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_count")
        )
        if free >= pages * _FREE_SHARE:
            connection.execute("VACUUM")
    empty_log(path)


def empty_log(path: Path) -> None:
    """Move the content of SQLite's log into the file, to remove deleted texts from it; incomplete while others read."""
    with suppress(sqlite3.OperationalError), closing(_connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file that exists, without a transaction."""
    return sqlite3.connect(_address(path, "rw"), uri=True, timeout=_LOG_TIMEOUT_S, isolation_level=None)
