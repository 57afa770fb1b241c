"""What slices of a run would score if nothing about an answer had to do with its score.

A *slice* is a set of answers that have something in common: a segment, a word of the question, a retrieved document.
The scores are shuffled among the answers many times, and each time the loss of every slice is added up (loss = 1 -
score). If a slice's own loss is seldom reached by the worst slice of a shuffle, it is more than chance (the maximum
statistic of Westfall and Young 1993, "Resampling-Based Multiple Testing"). The shuffles keep how the slices overlap, so
that a thousand slices which are nearly the same cost no more than one.

Three things make the shuffles fair:

- Answers to one question stay together: whole questions trade places with questions of as many answers, and answers
  with answers of their own question.
- The mean of many claims spreads less than that of one. What is shuffled is a score's distance from the run's mean in
  standard deviations for its number of claims m, from the variance a + b / m of m equally correlated claims.
- A small slice of scores near 1 has a skewed loss. Each slice's loss is brought to a normal scale by its mean, variance
  and skewness over the other shuffles (Wilson and Hilferty 1931), so that small and large slices compete evenly.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_LEAST_VARIANCE = 0.05  # of an answer with many claims, as a share of the variance of all
_NO_SKEW = 1e-3
_NO_SPREAD = 1e-9
_ROUNDING = 1e-4  # strengths that differ by less are the same: sums of the same scores in another order
_BLOCK = 125  # shuffles at a time, so that they stay in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceStrengths:
    """How strongly each slice departs downwards, as a normal deviate: 3 is about one in 740 for one slice alone.

    `observed` has one value for each slice; `shuffled` one column for each shuffle, of which the first is the observed
    one. `adjusted` holds the p-values that allow for all slices (step-down, Westfall and Young 1993, 2.8).
    """

    observed: FloatArray
    shuffled: NDArray[np.float32]
    adjusted: FloatArray

    def critical(self, level: float) -> float:
        """Return the strength that the strongest slice of a run without any reaches with the chance 1 - level."""
        return float(np.quantile(self.shuffled.max(axis=0), level))


def slice_strengths(
    losses: FloatArray, claims: IntArray, questions: IntArray, members: Any, *, shuffles: int, seed: int
) -> SliceStrengths | None:
    """Return how strongly each slice departs downwards; None where all losses are the same, or there is no slice.

    Args:
        losses: 1 - score of each answer, in [0, 1].
        claims: how many claims each score is the mean of, from 1.
        questions: the question of each answer, as any numbers.
        members: a sparse matrix (slices x answers), 1 where the answer is in the slice.
        shuffles: how many; the smallest p-value is 1 / (shuffles + 1).
        seed: of the shuffles.
    """
    if not members.shape[0]:
        return None
    residuals = losses - losses.mean()
    if float(np.abs(residuals).max(initial=0.0)) < _NO_SPREAD:
        return None
    scale = deviations(residuals, claims)
    standard = residuals / scale
    rng = np.random.default_rng(seed)
    blocks = _blocks(questions)
    members = members.astype(np.float32)
    totals = np.empty((members.shape[0], shuffles + 1))
    totals[:, 0] = members @ residuals.astype(np.float32)
    for first in range(1, totals.shape[1], _BLOCK):
        columns = totals[:, first : first + _BLOCK]
        drawn = np.empty((columns.shape[1], len(losses)), dtype=np.float32)
        for row in drawn:
            row[:] = scale * standard[_shuffle(blocks, len(losses), rng)]
        drawn -= drawn.mean(axis=1, keepdims=True)  # the mean is estimated anew in each, as in the run itself
        columns[:] = members @ np.ascontiguousarray(drawn.T)
    strengths = _on_normal_scale(totals)
    observed = strengths[:, 0].astype(np.float64)
    return SliceStrengths(observed=observed, shuffled=strengths, adjusted=_step_down(strengths))


def deviations(residuals: FloatArray, claims: IntArray) -> FloatArray:
    """Return the standard deviation of each answer's score from its number of claims m: the root of a + b / m.

    a and b are fitted to the squared residuals by least squares and are never negative.
    """
    squares, parts = residuals**2, 1.0 / np.maximum(claims, 1)
    floor, part = _fit_line(parts, squares)
    return np.asarray(np.sqrt(np.maximum(floor + part * parts, _LEAST_VARIANCE * squares.mean())))


def _fit_line(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the intercept and the slope that fit y best by least squares where neither may be negative.

    If the best line of all has a negative part, the best one allowed has 0 there: there are only two to look at.
    """
    x_mean, y_mean = float(x.mean()), float(y.mean())
    spread = float(((x - x_mean) ** 2).sum())
    slope = float(((x - x_mean) * (y - y_mean)).sum()) / spread if spread > 0 else 0.0
    if slope <= 0:
        return y_mean, 0.0
    if slope * x_mean > y_mean:
        return 0.0, float(x @ y) / float(x @ x)
    return y_mean - slope * x_mean, slope


def _blocks(questions: IntArray) -> list[IntArray]:
    """Return the answers of the questions, one array (questions x answers) for each number of answers."""
    _, question = np.unique(questions, return_inverse=True)
    order = np.argsort(question, kind="stable")
    sizes = np.bincount(question)
    starts = np.cumsum(sizes) - sizes
    return [order[starts[sizes == size][:, np.newaxis] + np.arange(size)] for size in np.unique(sizes)]


def _shuffle(blocks: list[IntArray], answers: int, rng: np.random.Generator) -> IntArray:
    source = np.empty(answers, dtype=np.int64)
    for block in blocks:
        drawn = rng.permutation(block)
        source[block] = drawn if block.shape[1] == 1 else rng.permuted(drawn, axis=1)
    return source


def _on_normal_scale(totals: FloatArray) -> NDArray[np.float32]:
    """Bring each slice's totals to a normal scale by the mean, variance and skewness of the slice's other columns.

    The observed total is a column like any other: nothing distinguishes it from a shuffled one if there is no slice.
    """
    strengths = np.empty(totals.shape, dtype=np.float32)
    others = totals.shape[1] - 1
    # One slice at a time, which stays in the processor's cache; products and roots, for powers take ten times as long.
    for number, row in enumerate(totals):
        centred = row - row.mean()
        square = centred * centred
        cube = square * centred
        mean = centred / -others
        variance = np.maximum((square.sum() - square) / others - mean * mean, _NO_SPREAD)
        spread = np.sqrt(variance)
        third = (cube.sum() - cube) / others - mean * (3 * variance + mean * mean)
        skew = third / (variance * spread)
        deviate = (centred - mean) / spread
        is_skewed = np.abs(skew) > _NO_SKEW
        strengths[number] = np.where(is_skewed, from_skewed(deviate, np.where(is_skewed, skew, 1.0)), deviate)
    return strengths


def from_skewed(deviate: Any, skew: Any) -> Any:
    """Return the normal deviate of a standardised gamma variable of this skewness, not 0 (Wilson and Hilferty 1931)."""
    return 6 / skew * (np.cbrt(1 + skew * deviate / 2) - 1 + skew**2 / 36)


def to_skewed(normal: float, skew: float) -> float:
    """Return the standardised gamma variable with this skewness for a normal deviate: the inverse of `from_skewed`."""
    if abs(skew) < _NO_SKEW:
        return normal
    return float(2 / skew * ((normal * skew / 6 + 1 - skew**2 / 36) ** 3 - 1))


def _step_down(strengths: NDArray[np.float32]) -> FloatArray:
    """Return adjusted p-values: each slice competes with those that are no stronger than it."""
    order = np.argsort(-strengths[:, 0], kind="stable")
    strongest = np.maximum.accumulate(strengths[order[::-1]], axis=0)[::-1]
    reached = (strongest >= strongest[:, :1] - _ROUNDING).mean(axis=1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(reached)
    return adjusted
