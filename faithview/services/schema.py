"""Check, migrate, back up and restore the store without opening it, and answer health probes."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from faithview.domain.errors import StoreMissing
from faithview.formats.files.atomic_file import atomic_file
from faithview.settings import Settings
from faithview.store import backups
from faithview.store.database import SchemaState, check_contents, check_schema, is_missing, upgrade_schema
from faithview.store.urls import parse
from faithview.store.urls import shown_url as shown


def check(settings: Settings) -> SchemaState:
    """Return the store's schema and the one that this version needs, without changes. Raises StoreError."""
    return check_schema(settings.database_url)


def check_url(settings: Settings) -> None:
    """Raise StoreError if the settings do not have a valid URL of a store; the store is not accessed."""
    parse(settings.database_url)


def require_store(settings: Settings) -> None:
    """Raise StoreMissing if the settings name a missing SQLite file, StoreError if the URL is not valid."""
    if is_missing(settings.database_url):
        raise StoreMissing(
            f"There is no store at {shown(settings.database_url)}. Check --db, or the project's `db`; `faithview "
            "evaluate`, `faithview import` and `faithview db upgrade` create a store."
        )


def check_whole(settings: Settings) -> tuple[SchemaState, list[str]]:
    """Return the schema as `check` does, and sentences about damage; every text is read and hashed."""
    return check_contents(settings.database_url)


def upgrade(settings: Settings) -> SchemaState:
    """Migrate the store; return its state before, with the path of its backup. Raises StoreError, StoreTooNew."""
    return upgrade_schema(settings.database_url)


def backup(settings: Settings, destination: Path | None) -> Path:
    """Back up the store while it is in use, and return the path: `destination`, or a file next to the store.

    The file appears complete or not at all, and never replaces a database. Until it is complete its name ends in
    ".part"; the next backup with the same name replaces what a killed one left.

    Raises:
        StoreError: the store does not exist, is not in SQLite or is damaged.
        InvalidInput: the file cannot be written, or is already a database.
    """
    url = settings.database_url
    path = destination or backups.default_backup(url)
    with atomic_file(path, part=lambda target: backups.new_part(url, target)) as temporary:
        backups.copy_store(url, temporary)
    return path


def restore(settings: Settings, source: Path) -> Path | None:
    """Replace the store with a backup; return the path of the replaced store, None if there was none.

    Raises:
        InvalidInput: the backup cannot be used; StoreTooNew if a newer FaithView wrote it.
        StoreError: the store cannot be replaced.
    """
    return backups.restore_store(settings.database_url, source)


def shown_url(settings: Settings) -> str:
    """Return the store's URL without password and parameters; a dash if it cannot be read."""
    return shown(settings.database_url)


_PATIENCE_S = 5.0


async def answers(is_reachable: Callable[[], bool]) -> bool:
    """Return what the function says of the store; False if it does not within 5 seconds. It runs in a thread."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await asyncio.to_thread(is_reachable)
    except TimeoutError:
        return False
