"""Slow results, cached until the data they were computed from changes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

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
