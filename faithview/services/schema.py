"""Check, migrate, back up and restore the store without opening it, and answer health probes."""

import asyncio
import time
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
    ".part"; the next backup with the same name removes the leftover of a killed process. Next to the store, any later
    backup and deletions remove it too.

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


# The probe is public, so the store is not checked on every request.
REMEMBERED_S = 2.0
_PATIENCE_S = 5.0


class StoreProbe:
    """Remembers for a moment whether the store works; `ask` runs in a thread and may block.

    Only one check runs at a time: otherwise a store that does not respond would block one thread after another, and
    judging and storing need threads too.
    """

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._asked_at = float("-inf")
        self._answer = False
        self._asking: asyncio.Future[bool] | None = None
        self._lock = asyncio.Lock()

    async def works(self) -> bool:
        """Return whether the store works; False if it does not respond within 5 seconds."""
        async with self._lock:
            if time.monotonic() - self._asked_at > REMEMBERED_S:
                try:
                    async with asyncio.timeout(_PATIENCE_S):
                        self._answer = await asyncio.shield(self._asked())
                except TimeoutError:
                    self._answer = False
                self._asked_at = time.monotonic()
            return self._answer

    def _asked(self) -> "asyncio.Future[bool]":
        """Return the check under way, or a new one."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(asyncio.to_thread(self._ask))
        return self._asking
