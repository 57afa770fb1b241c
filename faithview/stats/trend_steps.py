"""Which steps from one point of a trend to the next are significant, and whether the line drifts.

The caller's tester compares two points. Runs over the same questions are compared on their pairs, exactly as in the
comparison of two runs (`services/level_changes.py`). Points over other questions are independent: the interval of their
difference is computed from both intervals (`independent_difference`), and p is the probability by Student's
distribution of the distance to zero, measured in half intervals. Below 20 questions on either side intervals are too
unreliable, and nothing is called a step.

A line of k points has k - 1 steps, and any of them could be due to chance. A slow fall has no single large step, so a
line of three or more points is also tested for drift: its last point against its first, and the slope of the points'
weighted regression on their number (one degree of freedom, weights 1 / error^2). P-values are adjusted (Holm 1979) over
all tests together.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import NormalDist

from faithview.domain.trend import TrendLine, TrendPoint
from faithview.stats.intervals import ALPHA, CONFIDENCE, independent_difference, student_p_value, student_quantile
from faithview.stats.multiple_tests import holm

LEAST_QUESTIONS = 20  # on either side; with fewer, 9 to 24% of steps without a change were called one

_LEAST_FOR_DRIFT = 3  # two points have one step, which is the drift
# An interval of width 0 would make any difference certain; no mean of answers is known better than this.
_LEAST_ERROR = 1e-3
_POWER = 0.8
# A quick p-value is replaced by the exact one if that could be significant.
_DOUBTFUL_ADJUSTED, _DOUBTFUL, _MOST_DOUBTFUL = 0.2, 0.1, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTest:
    """The difference of two points, later minus earlier, and its test.

    `error` is the standard error of `delta`, None if the pairs show no spread. `pairs` counts the answers that both
    sides have; None if the points are independent. `bound` is a bound on p that is finer than `p_value` can be, for
    adjusting many tests; None if `p_value` is fine enough. `exact` returns the exact test if this one is an
    approximation, which suffices to see that a step is not significant.
    """

    delta: float
    p_value: float
    error: float | None
    pairs: int | None = None
    bound: float | None = None
    exact: Callable[[], "StepTest | None"] | None = field(default=None, compare=False, repr=False)

    @property
    def ranked_p(self) -> float:
        """The p-value that is adjusted for other tests."""
        return self.p_value if self.bound is None else min(self.p_value, self.bound)


StepTester = Callable[[TrendLine, TrendPoint, TrendPoint], StepTest | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendStep:
    """A step between two points of a line; `p_value` is for this step alone, `adjusted` for all tests.

    `pairs` counts the answers that both points have, and `paired_delta` is the difference on these; both are None if
    the points are independent.
    """

    before: TrendPoint
    after: TrendPoint
    p_value: float
    adjusted: float
    pairs: int | None = None
    paired_delta: float | None = None

    @property
    def delta(self) -> float:
        """The change of the score, in [-1, 1], on the pairs if there are any; negative for a fall."""
        return self.after.mean - self.before.mean if self.paired_delta is None else self.paired_delta

    @property
    def is_real(self) -> bool:
        """Whether the step is significant at the 5% level, after adjustment for all tests."""
        return self.adjusted < ALPHA


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTests:
    """The results of a line's tests.

    `steps` are those that could be tested, oldest first. `drift` is from the first point to the last, None if there are
    fewer than three points, if neither the difference nor the slope could be tested, or if they disagree. `tests` is
    the number of tests that the p-values are adjusted for. `noticeable` is the change that would be noticed 80% of the
    time between any two successive points; None if no step can be tested. `untested` counts the steps that cannot be.
    """

    steps: tuple[TrendStep, ...]
    drift: TrendStep | None
    tests: int
    noticeable: float | None
    untested: int

    @property
    def alone(self) -> TrendStep | None:
        """The step with the lowest p-value, if it is significant by itself but not among all tests; else None."""
        least = min(self.steps, key=lambda step: step.p_value, default=None)
        return least if least is not None and least.p_value < ALPHA <= least.adjusted else None


@dataclass(frozen=True, slots=True)
class _Looked:
    """One test of a line: its two points, and whether it tests the drift."""

    line: int
    before: TrendPoint
    after: TrendPoint
    is_drift: bool
    test: StepTest


def line_tests(lines: Iterable[TrendLine], tester: StepTester, *, with_drift: bool = False) -> list[LineTests]:
    """Return the tests of each line, adjusted together: Holm's adjustment is over the tests of all of them.

    Args:
        lines: the lines; a step is left out if the tester returns None for it.
        tester: compares two points of a line.
        with_drift: whether lines of three or more points are also tested for drift.
    """
    known = list(lines)
    looked = [
        one for number, line in enumerate(known) for one in _test_steps(number, line, tester, with_drift=with_drift)
    ]
    looked = _exact(looked)
    adjusted = holm([one.test.ranked_p for one in looked])
    by_line: list[list[tuple[_Looked, float]]] = [[] for _ in known]
    for one, p in zip(looked, adjusted, strict=True):
        by_line[one.line].append((one, p))
    return [_tests_of(line, own, len(looked)) for line, own in zip(known, by_line, strict=True)]


def independent_step(line: TrendLine, before: TrendPoint, after: TrendPoint) -> StepTest | None:
    """Compare two points over different questions; None if one has no interval or fewer than 20 questions."""
    del line
    if before.interval is None or after.interval is None:
        return None
    if min(_questions(before), _questions(after)) < LEAST_QUESTIONS:
        return None
    delta = after.mean - before.mean
    between = independent_difference(after.mean, after.interval, before.mean, before.interval)
    reach = max(delta - between.low if delta > 0 else between.high - delta, _LEAST_ERROR)
    degrees = _questions(before) + _questions(after) - 2
    p_value = student_p_value(abs(delta) / reach * student_quantile(CONFIDENCE, degrees), degrees)
    return StepTest(delta=delta, p_value=p_value, error=math.hypot(_error(before), _error(after)))


def step_of(before: TrendPoint, after: TrendPoint, test: StepTest, *, adjusted: float) -> TrendStep:
    """Return the step between two points with its test."""
    return TrendStep(
        before=before,
        after=after,
        p_value=test.p_value,
        adjusted=adjusted,
        pairs=test.pairs,
        paired_delta=None if test.pairs is None else test.delta,
    )


def _test_steps(number: int, line: TrendLine, tester: StepTester, *, with_drift: bool) -> list[_Looked]:
    points = line.points
    looked = [
        _Looked(number, before, after, False, test)
        for before, after in pairwise(points)
        if (test := tester(line, before, after)) is not None
    ]
    if not with_drift or len(points) < _LEAST_FOR_DRIFT:
        return looked
    ends = tester(line, points[0], points[-1])
    for test in (ends, _slope(line)):
        if test is not None:
            looked.append(_Looked(number, points[0], points[-1], True, test))
    return looked


def _slope(line: TrendLine) -> StepTest | None:
    """Test the slope of the regression on the points' numbers; `delta` is its change from the first to the last."""
    known = [
        (at, point)
        for at, point in enumerate(line.points)
        if point.interval is not None and _questions(point) >= LEAST_QUESTIONS
    ]
    if len(known) < _LEAST_FOR_DRIFT:
        return None
    weights = [_error(point) ** -2 for _, point in known]
    middle = math.fsum(w * at for w, (at, _) in zip(weights, known, strict=True)) / math.fsum(weights)
    spread = math.fsum(w * (at - middle) ** 2 for w, (at, _) in zip(weights, known, strict=True))
    slope = math.fsum(w * (at - middle) * point.mean for w, (at, point) in zip(weights, known, strict=True)) / spread
    p_value = math.erfc(abs(slope) * math.sqrt(spread / 2))
    return StepTest(delta=slope * (len(line.points) - 1), p_value=p_value, error=None)


def _exact(looked: Sequence[_Looked]) -> list[_Looked]:
    """Replace approximate tests if the exact one could be significant or is reported."""
    quick = holm([one.test.p_value for one in looked])
    is_short = len(looked) <= _MOST_DOUBTFUL
    found: list[_Looked] = []
    for one, adjusted in zip(looked, quick, strict=True):
        is_doubtful = adjusted < _DOUBTFUL_ADJUSTED or (is_short and one.test.p_value < _DOUBTFUL)
        if one.test.exact is None or not is_doubtful:
            found.append(one)
        elif (exact := one.test.exact()) is not None:
            found.append(replace(one, test=exact))
    return found


def _tests_of(line: TrendLine, own: Sequence[tuple[_Looked, float]], tests: int) -> LineTests:
    steps = tuple(step_of(one.before, one.after, one.test, adjusted=p) for one, p in own if not one.is_drift)
    errors = [one.test.error for one, _ in own if one.test.error is not None and not one.is_drift]
    normal = NormalDist()
    quantile = normal.inv_cdf(1 - ALPHA / (2 * max(1, tests))) + normal.inv_cdf(_POWER)
    return LineTests(
        steps=steps,
        drift=_drift([(one, adjusted) for one, adjusted in own if one.is_drift]),
        tests=tests,
        noticeable=quantile * max(errors) if errors else None,
        untested=len(line.points) - 1 - len(steps),
    )


def _drift(own: Sequence[tuple[_Looked, float]]) -> TrendStep | None:
    """Return the difference of the ends with the smaller of its own p-value and the slope's."""
    if not own:
        return None
    ends = next((one for one, _ in own if one.test.pairs is not None or one.test.error is not None), own[0][0])
    least, adjusted = min(own, key=lambda item: item[1])
    delta = ends.test.delta if ends.test.pairs is not None else ends.after.mean - ends.before.mean
    if least.test.delta * delta <= 0:
        return None
    paired = ends.test.delta if ends.test.pairs is not None else None
    return TrendStep(
        before=ends.before,
        after=ends.after,
        p_value=least.test.p_value,
        adjusted=adjusted,
        pairs=ends.test.pairs,
        paired_delta=paired,
    )


def _questions(point: TrendPoint) -> int:
    return point.judged if point.questions is None else point.questions


def _error(point: TrendPoint) -> float:
    interval = point.interval
    assert interval is not None  # noqa: S101 - only points with an interval are tested
    quantile = student_quantile(CONFIDENCE, max(1, _questions(point) - 1))
    return max((interval.high - interval.low) / (2 * quantile), _LEAST_ERROR)
