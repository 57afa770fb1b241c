"""What is left of deleted texts in a database, and how it goes."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, Engine

from faithview.store.sqlite_file import remove_parts

# Emptying the log is not worth a longer wait for readers; the next one who closes the store empties it.
_LOG_TIMEOUT_MS = 1_000
# Making a file smaller writes all of it anew: not for less than this part of it.
_FREE_SHARE = 0.2


def overwrite_deleted(connection: Connection) -> None:
    """Have SQLite overwrite what this connection deletes from now on."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON").close()


def drop_deleted_words(connection: Connection) -> None:
    """Drop from the full-text index the words of texts that are deleted.

    SQLite only marks them there and drops them when it merges parts of the index, which may never happen. PostgreSQL
    keeps words in their rows.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("INSERT INTO claim_words(claim_words) VALUES ('optimize')")


def give_space_back(engine: Engine) -> None:
    """Make the file smaller where much of it is free; not while others use it: the next time will do."""
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
    """Move what SQLite's log holds into the file, so that no deleted text stays in it; less while others read.

    What killed backups have left beside the file goes, too.
    """
    if engine.dialect.name != "sqlite":
        return
    remove_parts(Path(str(engine.url.database)))
    raw = engine.raw_connection()
    try:
        (before,) = raw.cursor().execute("PRAGMA busy_timeout").fetchone()
        raw.cursor().execute(f"PRAGMA busy_timeout={_LOG_TIMEOUT_MS}")
        raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        raw.cursor().execute(f"PRAGMA busy_timeout={before}")
    finally:
        raw.close()
