"""Answers of one run with the same texts: one is judged, and the others wait for its result.

Files often contain the same row twice, and a row that is being judged is not in the store yet.
"""

from collections import OrderedDict, deque

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.services.runs.verdict_cache import is_reusable, reuse_result

Row = tuple[int, Sample]
JudgedRow = tuple[int, Sample, Result]


class InFlightDuplicates:
    """Which texts are being judged or were judged lately. Used from one event loop.

    `remembered` is how many results are kept: at least as many as may be judged and not stored yet, or stored since the
    pending rows were read.
    """

    def __init__(self, *, remembered: int = 0) -> None:
        self._remembered = remembered
        self._judged: OrderedDict[str, tuple[Sample, Result]] = OrderedDict()
        self._waiting: dict[str, list[Row]] = {}
        self._released: deque[Row] = deque()

    def find(self, sample: Sample) -> Result | None:
        """Return the result of a row with the same texts; None if none is remembered."""
        known = self._judged.get(sample.content_hash)
        return None if known is None else reuse_result(*known, sample)

    def waits(self, position: int, sample: Sample) -> bool:
        """Return True if a row with the same texts is being judged: this row waits for it. Else this row is judged."""
        waiting = self._waiting.get(sample.content_hash)
        if waiting is None:
            self._waiting[sample.content_hash] = []
            return False
        waiting.append((position, sample))
        return True

    def end(self, sample: Sample, result: Result | None) -> list[JudgedRow]:
        """Note the result of a row that was judged; return the rows that waited for it, with their results.

        If the result cannot be reused (None, a failure), these rows have to be judged too: see `next_released`.
        """
        waiting = self._waiting.pop(sample.content_hash, [])
        if result is None or not is_reusable(result):
            self._released.extend(waiting)
            return []
        self._judged[sample.content_hash] = (sample, result)
        if len(self._judged) > self._remembered:
            self._judged.popitem(last=False)
        return [(position, duplicate, reuse_result(sample, result, duplicate)) for position, duplicate in waiting]

    def next_released(self) -> Row | None:
        """Return a row whose duplicate brought no reusable result; None if there is none."""
        return self._released.popleft() if self._released else None
