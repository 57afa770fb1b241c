"""Which steps from one point of a trend to the next are more than chance.

The two points' own intervals decide: half an interval's width is 1.96 standard errors, and the difference is compared
with the root of the sum of both squares. That test is unpaired and so cautious: where both runs asked the same
questions, a comparison of the runs detects smaller changes. A line of k points has k - 1 steps, any of which could be
chance; so p-values are adjusted (Holm 1979) over all steps that are looked at together.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendPoint
from faithview.stats.conventions import ALPHA, NORMAL_QUANTILE
from faithview.stats.multiple_tests import holm

# An interval of no width would make any difference certain; no mean of answers is known better than this.
_LEAST_ERROR = 1e-3
_POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendStep:
    """A step between two points of a line; `p_value` is unpaired and for this step alone, `adjusted` is Holm's."""

    before: TrendPoint
    after: TrendPoint
    p_value: float
    adjusted: float

    @property
    def delta(self) -> float:
        """How far the mean moved, in [-1, 1]; negative for a fall."""
        return self.after.mean - self.before.mean

    @property
    def is_real(self) -> bool:
        """Whether the step is more than chance at the 5 % level, however many steps were looked at."""
        return self.adjusted < ALPHA


def trend_steps(lines: Iterable[Sequence[TrendPoint]]) -> list[list[TrendStep]]:
    """Return the steps of each line, tested together: Holm's adjustment is over the steps of all of them.

    A step from or to a point without an interval is left out.
    """
    steps = [list(pairwise(line)) for line in lines]
    tested = [[(a, b, p) for a, b in line if (p := step_p_value(a, b)) is not None] for line in steps]
    adjusted = iter(holm([p for line in tested for _, _, p in line]))
    return [[TrendStep(before=a, after=b, p_value=p, adjusted=next(adjusted)) for a, b, p in line] for line in tested]


def step_p_value(before: TrendPoint, after: TrendPoint) -> float | None:
    """Return the two-sided p-value of the difference of two points; None where one has no interval."""
    if before.interval is None or after.interval is None:
        return None
    error = math.hypot(_error(before.interval), _error(after.interval))
    return math.erfc(abs(after.mean - before.mean) / error / math.sqrt(2))


def noticeable_step(points: Sequence[TrendPoint]) -> float | None:
    """Return the change that would be noticed 80 % of the time between any two points in a row.

    It is the largest over the steps of z(1 - alpha / 2k) + z(0.8) standard errors, with k steps: Holm's first and
    hardest comparison. None where no step can be tested.
    """
    errors = [
        math.hypot(_error(before.interval), _error(after.interval))
        for before, after in pairwise(points)
        if before.interval is not None and after.interval is not None
    ]
    if not errors:
        return None
    normal = NormalDist()
    return (normal.inv_cdf(1 - ALPHA / (2 * len(errors))) + normal.inv_cdf(_POWER)) * max(errors)


def _error(interval: Interval) -> float:
    return max((interval.high - interval.low) / (2 * NORMAL_QUANTILE), _LEAST_ERROR)
