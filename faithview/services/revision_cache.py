"""What takes a while to work out, kept as long as what it was worked out from stays the same."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

T = TypeVar("T")

_MOST = 512


class RevisionCache:
    """Results by what they are about, the one asked for last kept longest. Safe to share between threads.

    A result is handed out again while the state is what it was, so the state must tell of everything that the result
    depends on (`store/revisions.py` says of runs when they changed); then nothing is ever out of date, whoever writes
    to the store. Results are handed out as they are: they must be frozen.
    """

    def __init__(self, *, most: int = _MOST) -> None:
        self._most = most
        self._found: OrderedDict[tuple[str, Hashable], tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, name: str, subject: Hashable, state: Hashable, work_out: Callable[[], T]) -> T:
        """Return what was kept about a subject if its state is still the same, else work it out and keep it.

        Args:
            name: what kind of result it is.
            subject: what it is about; a new result replaces the old one about the same.
            state: what tells whether it still holds.
            work_out: gives the result; what it raises is raised, and nothing is kept.
        """
        place = (name, subject)
        with self._lock:
            known = self._found.get(place)
            if known is not None and known[0] == state:
                self._found.move_to_end(place)
                return cast(T, known[1])
        # Outside the lock: two who ask at the same moment work it out twice, and nobody waits for something else.
        result = work_out()
        with self._lock:
            self._found[place] = (state, result)
            self._found.move_to_end(place)
            while len(self._found) > self._most:
                self._found.popitem(last=False)
        return result
