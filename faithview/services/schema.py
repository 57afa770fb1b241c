"""Check, migrate, back up and restore the store without opening it, and tell probes whether it works."""

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
    """Return which schema the store has and which this version needs; changes nothing. Raises StoreError."""
    return check_schema(settings.database_url)


def check_url(settings: Settings) -> None:
    """Raise StoreError where the settings hold what cannot be a store's URL; the store is not looked at."""
    parse(settings.database_url)


def require_store(settings: Settings) -> None:
    """Raise StoreMissing where the settings name an SQLite file that is not there; StoreError for what is no URL."""
    if is_missing(settings.database_url):
        raise StoreMissing(
            f"There is no store at {shown(settings.database_url)}. Check --db, or the project's `db`; `faithview "
            "evaluate`, `faithview import` and `faithview db upgrade` create a store."
        )


def check_whole(settings: Settings) -> tuple[SchemaState, list[str]]:
    """Return the schema as `check` does, and what is damaged, as sentences: every text is read and hashed."""
    return check_contents(settings.database_url)


def upgrade(settings: Settings) -> SchemaState:
    """Migrate the store; return its state before, with the path of its backup. Raises StoreError, StoreTooNew."""
    return upgrade_schema(settings.database_url)


def backup(settings: Settings, destination: Path | None) -> Path:
    """Back up the store while others use it, and return where: `destination`, else a file beside the store.

    The file appears complete or not at all, and never replaces a database. Until it is complete it has ".part" behind
    its name; what a killed process leaves there is removed by the next backup of that name. Beside the store the next
    one of any name removes it, and so do deletions.

    Raises:
        StoreError: there is no store, it is not in SQLite or is damaged.
        InvalidInput: the file cannot be written, or is a database already.
    """
    url = settings.database_url
    path = destination or backups.default_backup(url)
    with atomic_file(path, part=lambda target: backups.new_part(url, target)) as temporary:
        backups.copy_store(url, temporary)
    return path


def restore(settings: Settings, source: Path) -> Path | None:
    """Put a backup in the place of the store; return where the store is that it replaces, None if there was none.

    Raises:
        InvalidInput: the backup cannot be used; StoreTooNew where a newer FaithView wrote it.
        StoreError: the store cannot be replaced.
    """
    return backups.restore_store(settings.database_url, source)


def shown_url(settings: Settings) -> str:
    """Return the store's URL without a password and parameters; a dash where it cannot be read."""
    return shown(settings.database_url)


# Anybody may ask, so the store is not asked each time.
REMEMBERED_S = 2.0
_PATIENCE_S = 5.0


class StoreProbe:
    """Remembers for a moment whether the store works; `ask` is called in a thread and may block.

    It is asked once at a time: a store that answers nobody would else take one thread after the other, and what
    judges and stores needs them too.
    """

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._asked_at = float("-inf")
        self._answer = False
        self._asking: asyncio.Future[bool] | None = None
        self._lock = asyncio.Lock()

    async def works(self) -> bool:
        """Return whether the store works; False where it does not answer within 5 seconds."""
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
        """Return the question under way, or a new one."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(asyncio.to_thread(self._ask))
        return self._asking
