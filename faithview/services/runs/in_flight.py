"""Answers of one run with the same texts: one is judged, the others wait for it and take its result over.

Files hold the same row twice more often than one thinks, and what is under way cannot be found in the store yet.
"""

from collections import OrderedDict, deque

from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.services.runs.verdict_cache import take_over

Row = tuple[int, Sample]
Judged = tuple[int, Sample, Result]


class Twins:
    """Which texts are under way or were judged lately. Used from one event loop.

    `remembered` is how many results are kept at least: as many as may be judged and not stored yet, or stored since the
    rows at hand were looked up.
    """

    def __init__(self, *, remembered: int) -> None:
        self._remembered = remembered
        self._judged: OrderedDict[str, tuple[Sample, Result]] = OrderedDict()
        self._waiting: dict[str, list[Row]] = {}
        self._left: deque[Row] = deque()

    def find(self, sample: Sample) -> Result | None:
        """Return the result that a row with the same texts has, None where there is none."""
        known = self._judged.get(sample.content_hash)
        return None if known is None else take_over(*known, sample)

    def waits(self, position: int, sample: Sample) -> bool:
        """Return whether a row with the same texts is under way, for which this one waits now; else this one is."""
        waiting = self._waiting.get(sample.content_hash)
        if waiting is None:
            self._waiting[sample.content_hash] = []
            return False
        waiting.append((position, sample))
        return True

    def end(self, sample: Sample, result: Result | None) -> list[Judged]:
        """Note what became of a row that was under way; return those that waited for it with their results.

        Without a result that can be taken over (None, a failure) they have to be judged themselves: `next_left`.
        """
        waiting = self._waiting.pop(sample.content_hash, [])
        if result is None or not can_be_taken_over(result):
            self._left.extend(waiting)
            return []
        self._judged[sample.content_hash] = (sample, result)
        if len(self._judged) > self._remembered:
            self._judged.popitem(last=False)
        return [(position, twin, take_over(sample, result, twin)) for position, twin in waiting]

    def next_left(self) -> Row | None:
        """Return a row that waited in vain, None where there is none."""
        return self._left.popleft() if self._left else None


def can_be_taken_over(result: Result) -> bool:
    """Return whether judging again would be a waste: a failure may pass, and what is missing may come."""
    return result.state not in (State.FAILED, State.PENDING) and not result.warnings
