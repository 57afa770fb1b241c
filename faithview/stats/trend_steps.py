"""Tests of a change from one point of a trend to the next, and of the newest point against those before it.

Points over the same questions are compared on their pairs, by the sign-flip test of a comparison. Points over other
questions are independent: the interval of their difference is put together from both intervals
(`independent_difference`), and p is the probability by Student's distribution of the distance to zero, measured in half
intervals. Below 20 questions on either side intervals are too unreliable, and nothing is tested.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import (
    ALPHA,
    CONFIDENCE,
    SEED,
    independent_difference,
    student_p_value,
    student_quantile,
)
from faithview.stats.paired import FloatArray, sign_flip_test, standard_error

LEAST_QUESTIONS = 20  # on either side; with fewer, 9 to 24% of steps without a change were called one

# An interval of width 0 would make any difference certain; no mean of answers is known better than this.
_LEAST_ERROR = 1e-3
_POWER = 0.8
_NO_CHANGE = 1e-9
_ORDERS = 10_000
_ORDERS_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean score with its interval and the number of different questions behind it."""

    mean: float
    interval: Interval | None
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTest:
    """The difference of two points, later minus earlier, and its test.

    `error` is the standard error of `delta`, 0 if the pairs show no spread. `pairs` counts the answers that both sides
    have, None if the points are independent. `least_p` is the p-value that is adjusted for other tests: random signs
    cannot show a p-value below 0.0001, a bound on it can.
    """

    delta: float
    p_value: float
    least_p: float
    error: float
    pairs: int | None = None


def paired_test(before: FloatArray, after: FloatArray, questions: NDArray[np.int64]) -> StepTest | None:
    """Compare two points on the answers that both have, as `compare_pairs` does; None below 20 questions."""
    question = np.unique(questions, return_inverse=True)[1]
    sizes = np.bincount(question).astype(np.float64)
    if len(sizes) < LEAST_QUESTIONS:
        return None
    change = after - before
    change[np.abs(change) < _NO_CHANGE] = 0.0
    sums = np.bincount(question, change).astype(np.float64)
    p_value = sign_flip_test(sums)
    # Hoeffding's bound (1963) on a sum with random signs.
    bound = 2 * math.exp(-(math.fsum(sums) ** 2) / (2 * float(sums @ sums))) if sums.any() else 1.0
    return StepTest(
        delta=math.fsum(change) / len(change),
        p_value=p_value,
        least_p=min(p_value, bound),
        error=standard_error(sums, sizes),
        pairs=len(change),
    )


def independent_test(before: Estimate, after: Estimate) -> StepTest | None:
    """Compare two points over different questions; None if one has no interval or fewer than 20 questions."""
    if before.interval is None or after.interval is None or min(before.questions, after.questions) < LEAST_QUESTIONS:
        return None
    delta = after.mean - before.mean
    between = independent_difference(after.mean, after.interval, before.mean, before.interval)
    degrees = before.questions + after.questions - 2
    quantile = student_quantile(CONFIDENCE, degrees)
    reach = max(delta - between.low if delta > 0 else between.high - delta, _LEAST_ERROR)
    p_value = student_p_value(abs(delta) / reach * quantile, degrees)
    error = max((between.high - between.low) / (2 * quantile), _LEAST_ERROR)
    return StepTest(delta=delta, p_value=p_value, least_p=p_value, error=error)


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of independent estimates, its interval put together from theirs as that of a difference is."""
    mean = math.fsum(one.mean for one in estimates) / len(estimates)
    known = [(one.mean, one.interval) for one in estimates if one.interval is not None]
    interval = None
    if len(known) == len(estimates):
        below = math.hypot(*(own - limits.low for own, limits in known)) / len(known)
        above = math.hypot(*(limits.high - own for own, limits in known)) / len(known)
        interval = Interval(max(0.0, mean - below), min(1.0, mean + above))
    return Estimate(mean=mean, interval=interval, questions=sum(one.questions for one in estimates))


def drift_test(scores: FloatArray, *, seed: int = SEED) -> StepTest | None:
    """Compare the last column of scores, a row for each question, with the mean of the columns before it.

    If nothing changed, each of a question's scores could as well be the last: p is the share of 10,000 random choices
    of the last, made for each question, whose difference is as large. None below 20 questions.
    """
    questions, runs = scores.shape
    if questions < LEAST_QUESTIONS:
        return None
    # Its difference from the mean of the others, for each score that could be the last.
    changes = (scores - scores.mean(axis=1, keepdims=True)) * (runs / (runs - 1))
    reached = abs(math.fsum(changes[:, -1])) - _NO_CHANGE * questions
    rng = np.random.default_rng(seed)
    extreme = 0
    for _ in range(0, _ORDERS, _ORDERS_AT_ONCE):
        chosen = rng.integers(0, runs, (_ORDERS_AT_ONCE, questions))
        extreme += int((np.abs(changes[np.arange(questions), chosen].sum(axis=1)) >= reached).sum())
    p_value = (1 + extreme) / (1 + _ORDERS)
    return StepTest(
        delta=math.fsum(changes[:, -1]) / questions,
        p_value=p_value,
        least_p=p_value,
        error=standard_error(changes[:, -1], np.ones(questions)),
        pairs=questions,
    )


def noticeable_change(errors: Sequence[float], tests: int) -> float | None:
    """Return the change that so many tests, adjusted together, would notice 80% of the time where it is hardest.

    None if there is no test, or if none shows a spread.
    """
    least = max(errors, default=0.0)
    normal = NormalDist()
    quantile = normal.inv_cdf(1 - ALPHA / (2 * max(1, tests))) + normal.inv_cdf(_POWER)
    return quantile * least if least > _NO_CHANGE else None
