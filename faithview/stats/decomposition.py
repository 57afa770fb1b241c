"""Decompositions of a change: by causes, whose shares add up to it exactly, and by segments with an excess share.

The largest segment has the largest part of a uniform change, so a segment's part says nothing by itself. With d the
difference of a pair of answers and dbar the mean over all pairs, a segment's excess is the sum of d - dbar over its
pairs: it has more than its share of the loss exactly if that is below zero. If segments did not matter, any questions
could be in it, so its excess is compared with those of random sets of as many questions. Excesses are divided by their
standard deviations under that, and each is compared with the largest of all segments (Westfall and Young 1993,
"Resampling-Based Multiple Testing", 2.3), which adjusts for testing all of them.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from faithview.domain.comparison import Cause, CauseShare, Term
from faithview.stats.intervals import ALPHA, SEED


def share_causes(answers: Iterable[Sequence[Term]], *, pairs: int) -> tuple[CauseShare, ...]:
    """Return the causes' shares of the mean difference, the largest loss first and the largest gain last.

    A cause's share is the sum of its terms' values divided by the number of pairs.

    Args:
        answers: the terms of each pair of answers that has any.
        pairs: how many pairs the mean is over, at least 1, including those without terms.
    """
    values: dict[Cause, list[float]] = defaultdict(list)
    affected: dict[Cause, int] = defaultdict(int)
    for terms in answers:
        for term in terms:
            values[term.cause].append(term.value)
        for cause in {term.cause for term in terms}:
            affected[cause] += 1
    shares = [
        CauseShare(
            cause=cause,
            lost=math.fsum(value for value in of_cause if value < 0) / pairs,
            won=math.fsum(value for value in of_cause if value > 0) / pairs,
            total=math.fsum(of_cause) / pairs,
            broken=0 if cause is Cause.OTHER else sum(value < 0 for value in of_cause),
            fixed=0 if cause is Cause.OTHER else sum(value > 0 for value in of_cause),
            answers=affected[cause],
        )
        for cause, of_cause in values.items()
    ]
    return tuple(sorted(shares, key=lambda share: (share.total, share.cause)))


_NO_CHANGE = 1e-9
_ORDERS = 1_999
_MOST_VALUES = 2_000_000  # in memory at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentShare:
    """A segment's part of a change.

    `share_of_change` is its contribution as a share of the whole change, above 1 if the other segments changed the
    other way. `share_of_answers` is its share of the pairs, in [0, 1]. `p_value`, in [0, 1], tests whether it has no
    more of the change than of the answers, adjusted for all segments.
    """

    segment: str | None
    share_of_change: float
    share_of_answers: float
    p_value: float

    @property
    def stands_out(self) -> bool:
        """Whether it has significantly more of the change than of the answers (adjusted p < 0.05)."""
        return self.share_of_change > self.share_of_answers and self.p_value < ALPHA


def segment_shares(
    segments: Sequence[str | None], change: NDArray[np.float64], clusters: NDArray[np.int64]
) -> tuple[SegmentShare, ...]:
    """Return each segment's part of the mean change, the largest first; nothing if the mean did not change.

    Args:
        segments: each pair's segment; None for a pair without one.
        change: the difference of each pair, in [-1, 1].
        clusters: the question that each pair belongs to.

    Raises:
        ValueError: the three differ in length.
    """
    if not len(segments) == len(change) == len(clusters):
        raise ValueError(f"{len(segments)} segments, {len(change)} differences and {len(clusters)} questions.")
    total = math.fsum(change)
    if abs(total) < _NO_CHANGE * max(1, len(change)):
        return ()
    names = sorted(set(segments), key=lambda name: (name is None, name or ""))
    place = {name: at for at, name in enumerate(names)}
    own = np.array([place[name] for name in segments], dtype=np.int64)
    p_values = _excess_p_values(own, np.asarray(change) * math.copysign(1.0, total), clusters, len(names))
    parts = np.bincount(own, change) / total
    answers = np.bincount(own) / len(own)
    found = [
        SegmentShare(
            segment=name,
            share_of_change=float(parts[at]),
            share_of_answers=float(answers[at]),
            p_value=p_values[at],
        )
        for at, name in enumerate(names)
    ]
    return tuple(sorted(found, key=lambda share: -share.share_of_change))


def leading_segments(
    segments: Sequence[str | None], change: NDArray[np.float64], clusters: NDArray[np.int64]
) -> tuple[SegmentShare, ...]:
    """Return the segments with significantly more of the change than of the answers, largest first."""
    return tuple(share for share in segment_shares(segments, change, clusters) if share.stands_out)


def _excess_p_values(
    own: NDArray[np.int64], gain: NDArray[np.float64], clusters: NDArray[np.int64], number: int
) -> list[float]:
    """Return the p-value of each segment's excess in the direction in which `gain` is positive."""
    # A question whose answers are in two segments is a unit in both.
    _, unit = np.unique(np.column_stack([clusters, own]), axis=0, return_inverse=True)
    unit = unit.reshape(-1)
    residual = np.bincount(unit, gain - gain.mean())
    place = np.zeros(len(residual), dtype=np.int64)
    place[unit] = own
    sizes = np.bincount(place, minlength=number).astype(np.float64)
    units = len(residual)
    spread = np.sqrt(np.maximum(sizes * (units - sizes) / units, 1e-12))
    excess = np.bincount(place, residual, minlength=number) / spread
    if number < 2 or units < 3 or float(residual @ residual) < _NO_CHANGE:
        return [1.0] * number
    # Units sorted by segment, so a segment's sum in any order is a difference of two cumulative sums.
    edges = np.concatenate([[0.0], np.cumsum(sizes)]).astype(np.int64)
    rng = np.random.default_rng(SEED)
    largest: list[NDArray[np.float64]] = []
    block = max(1, min(_ORDERS, _MOST_VALUES // units))
    for first in range(0, _ORDERS, block):
        orders = rng.permuted(np.tile(residual, (min(block, _ORDERS - first), 1)), axis=1)
        sums = np.pad(np.cumsum(orders, axis=1), ((0, 0), (1, 0)))[:, edges]
        largest.append((np.diff(sums, axis=1) / spread).max(axis=1))
    most = np.concatenate(largest)
    return [(1 + int((most >= value - _NO_CHANGE).sum())) / (1 + _ORDERS) for value in excess.tolist()]
