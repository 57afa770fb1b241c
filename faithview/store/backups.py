"""Back up a SQLite store while it is in use, and restore backups. PostgreSQL has its own programs."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from faithview.domain.errors import InvalidInput, StoreError, StoreTooNew
from faithview.domain.private_file import begin_private
from faithview.store import sqlite
from faithview.store.database import check_schema, too_old
from faithview.store.failures import LOCKED, words_of
from faithview.store.schema.runs import OLDEST_REVISION
from faithview.store.urls import sqlite_path

_PAGES_AT_A_TIME = 1_000
# The bytes by which a SQLite database is recognised.
_HEADER = b"SQLite format 3\x00"


def default_backup(url: str) -> Path:
    """Return the path of a backup next to the store, named after the current time. Raises what `copy_store` raises."""
    path = _file_of(url)
    return path.with_name(f"{path.name}.backup-{_timestamp()}")


@contextmanager
def new_part(url: str, destination: Path | None) -> Iterator[Path]:
    """Yield the path at which a backup is written, next to its destination (or the store, for None).

    The name ends in ".part". What a killed backup left there is replaced.

    Raises:
        StoreError: the store is not in SQLite, or there is another kind of file.
    """
    path = destination or default_backup(url)
    part = path.with_name(f"{path.name}.part")
    if part.exists() and part.stat().st_size and not _is_database(part):
        raise StoreError(f"The backup is first written to {str(part)!r}, but there is another file; remove it.")
    part.unlink(missing_ok=True)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def copy_store(url: str, destination: Path) -> None:
    """Copy the committed state of the store into an empty file; others may read and write at the same time.

    Raises:
        StoreError: the store does not exist, is not in SQLite or cannot be copied, or it is damaged and so is the copy.
    """
    path = _file_of(url)
    if check_schema(url).current is None:
        raise StoreError(f"There is no store at {str(path)!r} to back up.")
    sqlite.copy_sqlite(path, destination)
    damage = _damage(destination)
    if damage is not None:
        raise StoreError(
            f"The store {str(path)!r} is damaged; a backup would be damaged too: {damage}. Run `faithview db check`."
        )
    with destination.open("rb") as stream:
        os.fsync(stream.fileno())


def restore_store(url: str, backup: Path) -> Path | None:
    """Replace the store with a backup and return the path of the replaced store; None if there was none.

    Programs that have the store open see the backup's contents from then on. A store that SQLite cannot write to any
    more is moved aside unchanged.

    Raises:
        InvalidInput: the backup is not a FaithView store, or is damaged.
        StoreTooNew: it was written by a newer FaithView.
        StoreTooOld: its schema is too old to be upgraded.
        StoreError: the store is not in SQLite, is in use for too long, or the backup cannot be written.
    """
    path = _file_of(url)
    _refuse_unusable(backup, store=path)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.before-restore-{_timestamp()}")
    is_there, is_moved = path.exists(), False
    if is_there:
        try:
            sqlite.copy_sqlite(path, aside)
        except StoreError as error:
            if isinstance(error.__cause__, sqlite3.OperationalError):  # locked, or a full disk: it is not damaged
                raise
            _move(path, aside)
            is_moved = True
    try:
        _write_over(backup, path)
    except sqlite3.Error as error:  # locked, or a full disk: the store is unchanged
        if is_moved:
            _move(aside, path)
        elif not is_there:  # SQLite has created a file where there was none
            path.unlink(missing_ok=True)
        aside.unlink(missing_ok=True)
        raise StoreError(f"The backup {str(backup)!r} cannot be written to {str(path)!r}: {words_of(error)}") from error
    return aside if is_there else None


def _is_database(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(_HEADER)) == _HEADER


def _file_of(url: str) -> Path:
    path = sqlite_path(url)
    if path is None:
        raise StoreError(
            "The store is in PostgreSQL; use PostgreSQL's own tools. `pg_dump --format=custom --file=FILE URL` makes a "
            "backup while the store is in use, and `pg_restore --clean --dbname=URL FILE` restores it."
        )
    return path


def _refuse_unusable(backup: Path, *, store: Path) -> None:
    if not backup.is_file():
        raise InvalidInput(f"There is no file {str(backup)!r}.")
    if store.exists() and backup.samefile(store):
        raise InvalidInput(f"{str(backup)!r} is the store itself; name a backup.")
    if not _is_database(backup):
        raise InvalidInput(f"{str(backup)!r} is not a backup of a FaithView store.")
    damage = _damage(backup)
    if damage is not None:
        raise InvalidInput(f"The backup {str(backup)!r} is damaged: {damage}.")
    state = check_schema(f"sqlite:///{backup.absolute()}?mode=ro")
    if state.current is None:
        raise InvalidInput(f"{str(backup)!r} is not a backup of a FaithView store.")
    if state.current < OLDEST_REVISION:
        raise too_old(f"The backup {str(backup)!r}", state.current)
    if state.current > state.wanted:
        raise StoreTooNew(
            f"The backup {str(backup)!r} has schema {state.current}, but this FaithView knows schemas up to "
            f"{state.wanted}. Install the newer FaithView that wrote it."
        )


def _damage(path: Path) -> str | None:
    """Return the damage that SQLite finds in a database, or None."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        return str(error)
    return None if found == "ok" else " ".join(str(found).split())


def _write_over(backup: Path, path: Path) -> None:
    """Overwrite a store with a backup; raises sqlite3's errors. If writing fails, the store is unchanged."""
    last = monotonic()

    def give_up(status: int, _remaining: int, _total: int) -> None:
        # Python retries a locked database forever.
        nonlocal last
        if status not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            last = monotonic()
        elif monotonic() - last > sqlite.BUSY_TIMEOUT_MS / 1000:
            raise sqlite3.OperationalError(f"the store is locked. {LOCKED}")

    with suppress(OSError):  # SQLite meets the same error and reports it
        begin_private(path)
    with (
        closing(sqlite3.connect(backup, timeout=sqlite.BUSY_TIMEOUT_MS / 1000)) as source,
        closing(sqlite3.connect(path, timeout=0)) as target,  # each try ends immediately, and `give_up` counts them
    ):
        # Even if other programs have the store open; they wait for the lock that this takes.
        source.backup(target, pages=_PAGES_AT_A_TIME, progress=give_up)


def _move(path: Path, place: Path) -> None:
    """Move a database with SQLite's files next to it, which it would treat as part of another database in its place."""
    for companion in ("", "-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + companion)
        if beside.exists():
            beside.replace(place.with_name(place.name + companion))


def _timestamp() -> str:
    return f"{datetime.now(UTC):%Y%m%d%H%M%S}"
