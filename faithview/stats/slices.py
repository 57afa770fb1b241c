"""The slices of a run with lower scores than the run's other answers, found among many.

A *slice* is a set of answers that have something in common: a segment, a word of the question, a retrieved document.
Whether it scores lower than the run's other answers is tested by Fisher's exact test (one-sided; Fisher 1922, "On the
interpretation of chi-square from contingency tables", JRSS 85): of all ways to spread the lost score over the answers,
how many give the slice as much or more? Answers count as what they are worth in answers that are entirely right or
wrong, mean (1 - mean) / variance, where answers to one question are one unit of the variance. Welch's t finds far less
where scores are near 1, because a low slice varies much, and it finds small slices by chance where they are not.

The p-values are adjusted for all tested slices by the false discovery rate (Benjamini and Hochberg 1995,
"Controlling the False Discovery Rate", JRSS B 57): in a run without a low slice, the probability of reporting one is at
most 5% (`tests/performance/slices.py` measures it), and among reported slices few are there by chance. The intervals of
the reported slices hold together in the same sense (Benjamini and Yekutieli 2005, "False Discovery Rate-Adjusted
Multiple Confidence Intervals for Selected Parameters", JASA 100).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import ALPHA, independent_difference
from faithview.stats.run_score import Cluster, mean_interval

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_FEWEST_QUESTIONS = 8
_LEAST_SHARE, _MOST_FEWEST = 0.01, 50
_NO_SPREAD = 1e-9
_MOST_SLICES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LowSlice:
    """A slice that scores lower than elsewhere.

    `number` is its place among the slices given. `mean` is its mean score and `elsewhere` that of all other answers.
    `interval` is that of `difference`, mean - elsewhere; it and `p_value` are adjusted for all tested slices.
    """

    number: int
    answers: int
    questions: int
    mean: float
    elsewhere: float
    difference: float
    interval: Interval
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceSearch:
    """The result of a search.

    `tested` counts the tested slices, of at least `fewest` questions each. `low` are the numbers of all significantly
    low ones, the most certain first. `slices` are those of them that are still low without the answers of those before.
    """

    questions: int
    fewest: int
    tested: int
    low: tuple[int, ...]
    slices: tuple[LowSlice, ...]


def fewest_questions(questions: int) -> int:
    """Return the minimum number of questions of a tested slice, in a run of this many."""
    return max(_FEWEST_QUESTIONS, min(_MOST_FEWEST, math.ceil(_LEAST_SHARE * questions)))


def find_low_slices(
    scores: FloatArray, questions: IntArray, members: Sequence[IntArray], *, fewest: int | None = None
) -> SliceSearch:
    """Find the slices that score lower than elsewhere.

    Args:
        scores: the score of each answer, in [0, 1].
        questions: the question of each answer, as any numbers.
        members: the answers of each slice, as places in `scores`; of equally certain slices the first comes first.
        fewest: the minimum number of questions of a tested slice, at least 2; by default `fewest_questions`.
    """
    from scipy.stats import false_discovery_control  # here, so `import faithview` stays quick

    asked = len(np.unique(questions))
    fewest = fewest or fewest_questions(asked)
    p_values = slice_p_values(scores, questions, members, fewest=fewest)
    tested = np.flatnonzero(~np.isnan(p_values))
    adjusted = np.ones(len(members))
    if len(tested):
        adjusted[tested] = false_discovery_control(p_values[tested])
    low = sorted(np.flatnonzero(adjusted < ALPHA).tolist(), key=p_values.__getitem__)
    level = 1 - ALPHA * len(low) / max(1, len(tested))
    slices: list[LowSlice] = []
    left = np.arange(len(scores))
    for number in low:
        rest = np.flatnonzero(np.isin(left, members[number]))
        is_low_still = slice_p_values(scores[left], questions[left], [rest], fewest=fewest)[0] < ALPHA
        if is_low_still and len(slices) < _MOST_SLICES:
            left = np.setdiff1d(left, members[number])
            slices.append(_describe(scores, questions, members[number], number, float(adjusted[number]), level))
    return SliceSearch(questions=asked, fewest=fewest, tested=len(tested), low=tuple(low), slices=tuple(slices))


def slice_p_values(scores: FloatArray, questions: IntArray, members: Sequence[IntArray], *, fewest: int) -> FloatArray:
    """Return for each slice the p-value, in [0, 1], of its mean being lower than that of the other answers.

    Args:
        scores: the score of each answer, in [0, 1].
        questions: the question of each answer, as any numbers.
        members: the answers of each slice, as places in `scores`.
        fewest: the minimum number of questions in a slice, and outside it; NaN if there are fewer.
    """
    from scipy.stats import hypergeom  # here, so `import faithview` stays quick

    question = np.unique(questions, return_inverse=True)[1]
    sizes = np.bincount(question)
    inside = [np.bincount(question[rows], minlength=len(sizes)) for rows in members]
    counts = [(np.count_nonzero(of), np.count_nonzero(of < sizes)) for of in inside]
    tested = [at for at, count in enumerate(counts) if min(count) >= fewest]
    p_values = np.full(len(members), np.nan)
    if not tested:
        return p_values
    mean = float(scores.mean())
    off = np.bincount(question, scores - mean)
    variance = float(off @ off) / len(scores)
    if variance < _NO_SPREAD:
        p_values[tested] = 1
        return p_values
    worth = mean * (1 - mean) / variance
    # Of the run and of each slice, in answers that are entirely right or wrong.
    whole, wrong = round(worth * len(scores)), round(worth * (1 - mean) * len(scores))
    drawn = [round(worth * len(members[at])) for at in tested]
    wrong_inside = np.array([round(worth * float((1 - scores[members[at]]).sum())) for at in tested])
    p_values[tested] = hypergeom.sf(wrong_inside - 1, whole, wrong, drawn)
    return p_values


def _describe(
    scores: FloatArray, questions: IntArray, rows: IntArray, number: int, p_value: float, level: float
) -> LowSlice:
    means, intervals, asked = [], [], []
    for part in (rows, np.delete(np.arange(len(scores)), rows)):
        _, question, sizes = np.unique(questions[part], return_inverse=True, return_counts=True)
        totals = np.bincount(question, scores[part])
        clusters = [Cluster(answers=int(size), total=float(total)) for size, total in zip(sizes, totals, strict=True)]
        interval = mean_interval(clusters, level=level)
        assert interval is not None  # noqa: S101 - a tested slice has several questions, and leaves several outside
        means.append(float(scores[part].mean()))
        intervals.append(interval)
        asked.append(len(sizes))
    between = independent_difference(means[0], intervals[0], means[1], intervals[1])
    return LowSlice(
        number=number,
        answers=len(rows),
        questions=asked[0],
        mean=means[0],
        elsewhere=means[1],
        difference=means[0] - means[1],
        # The test has excluded 0; if these limits are wider than the test implies, they end there.
        interval=Interval(between.low, min(0.0, between.high)),
        p_value=p_value,
    )
