"""The composition root: settings in, services out. Every use case takes the services as its first argument."""

from faithview.services.revision_cache import RevisionCache
from faithview.settings import Settings
from faithview.store.database import Database, open_database

# One comparison of ten thousand answers takes tens of megabytes.
_COMPARISONS = 6


class Services:
    """One store, and caches of what was computed from it. Safe to share between threads; close it when done.

    `cache` holds figures of runs until a run changes, `comparison_cache` the most recent comparisons.
    """

    def __init__(self, db: Database) -> None:
        self.db = db
        self.cache = RevisionCache()
        self.comparison_cache = RevisionCache(most=_COMPARISONS)

    def __enter__(self) -> "Services":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store's connections."""
        self.db.close()

    @property
    def database_url(self) -> str:
        """The store's URL, its password hidden."""
        return self.db.url


def build(settings: Settings) -> Services:
    """Open the store that the settings name, migrating it if it is older.

    Raises:
        StoreError: it cannot be used; StoreTooNew if it was written by a newer FaithView.
    """
    return Services(open_database(settings.database_url))
