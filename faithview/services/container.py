"""Open the store that the settings name. Every use case takes the store as its first argument.

What is slow to compute is cached until the data that it was computed from changes.

"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Self, TypeVar, cast

from faithview.domain.audit import UNKNOWN
from faithview.domain.errors import StoreError
from faithview.settings import Settings
from faithview.store.database import Database, open_database

T = TypeVar("T")

_MOST = 512


class RevisionCache:
    """A least-recently-used cache of results by subject. Safe to share between threads.

    A cached result is returned while its state is unchanged, so the state must cover everything that the result depends
    on (the store counts the revisions of a run). Then a result is never out of date, whoever writes to the store.
    Results are not copied, so they must be frozen.
    """

    def __init__(self, *, most: int = _MOST) -> None:
        self._most = most
        self._results: OrderedDict[tuple[str, Hashable], tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, name: str, subject: Hashable, state: Hashable, compute: Callable[[], T]) -> T:
        """Return the cached result of a subject if its state is unchanged; else compute and cache it.

        Args:
            name: the kind of result.
            subject: what it is about; a new result replaces the old one of the same subject.
            state: a value that changes when the result has to be computed again.
            compute: returns the result; if it raises, nothing is cached.
        """
        place = (name, subject)
        with self._lock:
            known = self._results.get(place)
            if known is not None and known[0] == state:
                self._results.move_to_end(place)
                return cast(T, known[1])
        # Outside the lock: two threads may compute the same result, but nobody waits for another result.
        result = compute()
        with self._lock:
            self._results[place] = (state, result)
            self._results.move_to_end(place)
            while len(self._results) > self._most:
                self._results.popitem(last=False)
        return result


# One comparison of ten thousand answers takes tens of megabytes.
_COMPARISONS = 6
# A series of 500 runs has as many pairs of runs in a row; of a few hundred answers a pair takes a few kilobytes.
_PAIRS = 2_000


class Store:
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
                f"The store {self.database_url} is damaged: {damage[0]} Run `faithview db check` to see what else is "
                "damaged, and `faithview db restore` to restore a backup."
            ) from error

    @property
    def database_url(self) -> str:
        """The store's URL, its password hidden."""
        return self.db.url


def build(
    settings: Settings, *, who: Callable[[], str] = lambda: UNKNOWN, refusal: Callable[[], str | None] = lambda: None
) -> Store:
    """Open the store that the settings name, migrating it if it is older.

    Args:
        settings: they name the store.
        who: returns who writes, for the audit log; it is called at each change.
        refusal: returns why whoever asks may change nothing, as a sentence, None where they may; it is called before
            each change, which raises NotAllowed with the sentence.

    Raises:
        StoreError: it cannot be used; StoreTooNew if it was written by a newer FaithView.
    """
    return Store(open_database(settings.database_url, who=who, refusal=refusal))
