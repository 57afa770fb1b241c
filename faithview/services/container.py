"""The composition root: settings in, services out. Every use case takes the services as its first argument."""

from collections.abc import Callable
from typing import Self

from faithview.domain.audit import UNKNOWN
from faithview.domain.errors import StoreError
from faithview.services.revision_cache import RevisionCache
from faithview.settings import Settings
from faithview.store.database import Database, open_database

# One comparison of ten thousand answers takes tens of megabytes.
_COMPARISONS = 6
# A series of 500 runs has as many pairs of runs in a row; of a few hundred answers a pair takes a few kilobytes.
_PAIRS = 2_000


class Services:
    """One store, and caches of what was computed from it. Safe to share between threads; close it when done.

    `cache` holds figures of runs until a run changes, `comparison_cache` the most recent comparisons, and `pair_cache`
    which answers two runs of a trend share.
    """

    def __init__(self, db: Database) -> None:
        self.db = db
        self.cache = RevisionCache()
        self.comparison_cache = RevisionCache(most=_COMPARISONS)
        self.pair_cache = RevisionCache(most=_PAIRS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store's connections."""
        self.db.close()

    def is_reachable(self) -> bool:
        """Return whether the store answers and has this FaithView's schema; it may take as long as the database."""
        return self.db.is_reachable()

    @property
    def is_read_only(self) -> bool:
        """Whether the store may only be looked at."""
        return self.db.is_read_only

    def check_in_place(self) -> None:
        """Raise StoreError if the store is gone or cannot be reached, StoreReplaced if another file is in its place."""
        self.db.check_in_place()

    def explain_damage(self, error: Exception) -> None:
        """Raise StoreError if the store is damaged: that, and no mistake of ours, is then where `error` comes from."""
        damage = self.db.find_damage()
        if damage:
            raise StoreError(
                f"The store {self.database_url} is damaged: {damage[0]} `faithview db check` says what else is, "
                "`faithview db restore` puts a backup in its place."
            ) from error

    @property
    def database_url(self) -> str:
        """The store's URL, its password hidden."""
        return self.db.url


def build(
    settings: Settings, *, who: Callable[[], str] = lambda: UNKNOWN, refusal: Callable[[], str | None] = lambda: None
) -> Services:
    """Open the store that the settings name, migrating it if it is older.

    Args:
        settings: they name the store.
        who: returns who writes, for the audit log; it is called at each change.
        refusal: returns why whoever asks may change nothing, as a sentence, None where they may; it is called before
            each change, which raises NotAllowed with the sentence.

    Raises:
        StoreError: it cannot be used; StoreTooNew if it was written by a newer FaithView.
    """
    return Services(open_database(settings.database_url, who=who, refusal=refusal))
