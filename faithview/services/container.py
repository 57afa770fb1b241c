"""Open the store that the settings name. Every use case takes the store as its first argument.

Slow results are cached until their data changes.

"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Any, Self, TypeVar, cast

from faithview.domain.audit import UNKNOWN
from faithview.domain.errors import StoreError
from faithview.settings import Settings
from faithview.store.database import Database, open_database

S = TypeVar("S", bound=Hashable)
T = TypeVar("T")

_MOST = 4_096  # a series of 500 runs has two summaries of each, of a few kilobytes


class RevisionCache:
    """A least-recently-used cache of results by subject. Safe to share between threads.

    A cached result is returned while its state is unchanged, so the state must cover everything that the result depends
    on (the store counts the revisions of a run). A result is then never out of date, even if another process writes to
    the store. Results are not copied, so they must be frozen.
    """

    def __init__(self, *, most: int = _MOST) -> None:
        self._most = most
        self._results: OrderedDict[tuple[str, Hashable], tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, name: str, subject: Hashable, state: Hashable, compute: Callable[[], T]) -> T:
        """Return the cached result of a subject if its state is unchanged; otherwise compute and cache it.

        Args:
            name: the kind of result.
            subject: the subject; a new result replaces its old one.
            state: a value that changes when the result has to be computed again.
            compute: returns the result; if it raises, nothing is cached.
        """
        return self.get_all(name, {subject: state}, lambda _: [compute()])[subject]

    def get_all(self, name: str, states: Mapping[S, Hashable], compute: Callable[[list[S]], Iterable[T]]) -> dict[S, T]:
        """Return the cached results of subjects whose state is unchanged; compute and cache those of the others.

        Args:
            name: the kind of result.
            states: the states by subject, as for `get`.
            compute: returns the results of these subjects, in their order; if it raises, nothing is cached.
        """
        with self._lock:
            known = {subject: self._results.get((name, subject)) for subject in states}
            results = {
                subject: cast(T, found[1])
                for subject, found in known.items()
                if found is not None and found[0] == states[subject]
            }
            for subject in results:
                self._results.move_to_end((name, subject))
        missing = [subject for subject in states if subject not in results]
        if missing:
            # Outside the lock: two threads may compute the same result, but no thread waits for an unrelated one.
            computed = dict(zip(missing, compute(missing), strict=True))
            with self._lock:
                for subject, result in computed.items():
                    self._results[name, subject] = (states[subject], result)
                    self._results.move_to_end((name, subject))
                while len(self._results) > self._most:
                    self._results.popitem(last=False)
            results |= computed
        return results


# One comparison of ten thousand answers takes tens of megabytes.
_COMPARISONS = 6
# A series of 500 runs has about 500 pairs of consecutive runs; a pair of a few hundred answers takes a few kilobytes.
_PAIRS = 2_000


class Store:
    """One store, and caches of results computed from it. Safe to share between threads; close it when done.

    `cache` has the figures of runs until a run changes, `comparison_cache` the most recent comparisons, and
    `pair_cache` the answers that two runs of a trend share.
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
        """Return whether the store responds and has this FaithView's schema; a slow database makes it slow."""
        return self.db.is_reachable()

    @property
    def is_read_only(self) -> bool:
        """Whether the store is open for reading only."""
        return self.db.is_read_only

    def check_in_place(self) -> None:
        """Raise StoreError if the store is missing or cannot be reached, StoreReplaced if another file replaced it."""
        self.db.check_in_place()

    def explain_damage(self, error: Exception) -> None:
        """Raise StoreError if the store is damaged: damage, not a bug, is then the likely cause of `error`."""
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
        who: returns the current user, for the audit log; it is called at each change.
        refusal: returns a sentence saying why the current user may not change anything, or None if they may; it is
            called before each change, which then raises NotAllowed with the sentence.

    Raises:
        StoreError: the store cannot be used; StoreTooNew if a newer FaithView wrote it.
    """
    return Store(open_database(settings.database_url, who=who, refusal=refusal))
