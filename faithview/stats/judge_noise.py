"""How far a judge disagrees with itself when it judges the same answers again."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from faithview.stats.intervals import NORMAL_QUANTILE

_NO_CHANGE = 1e-9  # smaller differences of scores are rounding


def answers_moved(scores: NDArray[np.float64]) -> float:
    """Return the probability, in [0, 1], that two judgings of an answer score it differently.

    Args:
        scores: a row for each judging and a column for each answer, in [0, 1]; nan where an answer has no score. Each
            answer has at least two scores.
    """
    known = (~np.isnan(scores)).sum(axis=0)
    differ = sum(np.abs(first - second) > _NO_CHANGE for first, second in combinations(scores, 2))  # False for nan
    return float(np.mean(differ / (known * (known - 1) / 2)))


def noise_half_width(scores: NDArray[np.float64], answers: int) -> float:
    """Return by how much the judge alone moves the mean difference of two runs, at most, in 95 of 100 cases.

    With v_i the variance of answer i's score over the judgings, a run's mean over n answers has the variance
    mean(v) / n from the judge alone, and the difference of two such runs twice that.

    Args:
        scores: as for `answers_moved`.
        answers: how many answers each of the two runs has.
    """
    return float(NORMAL_QUANTILE * np.sqrt(2 * np.nanvar(scores, axis=0, ddof=1).mean() / answers))
