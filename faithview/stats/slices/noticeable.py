"""How much lower a slice of some size would have to score to be found: what "nothing found" is worth."""

import math
from dataclasses import dataclass

import numpy as np

from faithview.stats.slices.shuffled_scores import FloatArray, IntArray, to_skewed

_SHARES = (0.05, 0.1, 0.25)
_POWER_80 = 0.841621  # the 80 % quantile of the normal distribution
_STEPS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticeable:
    """A slice of so many `questions` would be found in 80 % of cases if its mean score were lower by `difference`.

    `difference` is in [0, 1]; None where even a slice of scores 0 would be missed more often.
    """

    questions: int
    difference: float | None


def noticeable_sizes(
    scores: FloatArray, questions: IntArray, *, critical: float, fewest: int
) -> tuple[Noticeable, ...]:
    """Return what would have been found in slices of a 20th, a 10th and a quarter of the questions.

    Args:
        scores: of the answers that are in no slice found.
        questions: the question of each, as any numbers.
        critical: the strength that a slice needs to be reported, as a normal deviate.
        fewest: the smallest slice looked at, in questions.
    """
    _, question = np.unique(questions, return_inverse=True)
    means = np.bincount(question, scores) / np.bincount(question)
    sizes = sorted({max(fewest, round(share * len(means))) for share in _SHARES})
    return tuple(
        Noticeable(questions=size, difference=_noticeable(means, size, critical))
        for size in sizes
        if size <= len(means) - fewest
    )


def _noticeable(means: FloatArray, size: int, critical: float) -> float | None:
    number, mean, variance = len(means), float(means.mean()), float(means.var())
    if variance <= 0:
        return None
    share = size / number
    skew = -float(((means - mean) ** 3).mean()) / variance**1.5  # of the losses
    # The skewness of the sum of a simple random sample without replacement (Cochran 1977, "Sampling Techniques", 2.15).
    skew_of_sum = skew / math.sqrt(size) * (1 - 2 * share) / math.sqrt(1 - share)
    needed = to_skewed(critical, skew_of_sum) * math.sqrt(variance / size + variance / (number - size))
    # Inside the slice the scores spread as theirs do elsewhere, in proportion to what their mean allows.
    ratio = min(1.0, variance / max(mean * (1 - mean), 1e-9))
    difference = needed
    for _ in range(_STEPS):
        low = max(0.0, mean - difference)
        error = math.sqrt(ratio * low * (1 - low) / size + variance / (number - size))
        difference = needed + _POWER_80 * error
    return difference if difference <= mean else None
