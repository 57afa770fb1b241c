"""How many labels are needed for a given interval width, before a spot-check and after it.

A mean of n of N claims with variance v has the half-width x = z sqrt(v (1 / n - 1 / N)), so n = n0 / (1 + n0 / N) with
n0 = z^2 v / x^2 (Cochran 1977, 4.4).
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from faithview.stats.corrected_score import CorrectedScore, SpotCheckSample
from faithview.stats.intervals import NORMAL_QUANTILE


def labels_needed(check: SpotCheckSample, score: CorrectedScore, *, half_width: float) -> int:
    """Return how many more labels, drawn in the same way, give a corrected score within +- half_width.

    The spread of the claims is the one found so far, and so is the judge's help. `half_width` is in (0, 0.5).
    """
    total = sum(stratum.claims for stratum in check.strata)
    if score.sampling_half_width <= half_width or score.labelled >= total:
        return 0
    spread = score.corrected.variance / (1 / score.labelled - 1 / total)
    return max(1, _number(spread, half_width, total) - score.labelled)


def labels_for(weight: ArrayLike, judge: ArrayLike, *, half_width: float) -> int:
    """Return how many labels to draw at random, when only the judge's verdicts are known.

    Args:
        weight: the claims' shares of the run's score, on any scale.
        judge: the judge's scores of the claims, in [0, 1].
        half_width: the wanted precision, in (0, 0.5).

    Raises:
        ValueError: `half_width` is not in (0, 0.5), or there is no claim.
    """
    if not 0 < half_width < 0.5:
        raise ValueError(f"The half-width is {half_width!r}; it must be between 0 and 0.5, for example 0.03.")
    return _number(_judged_spread(weight, judge), half_width, len(np.asarray(judge)))


def half_width_for(weight: ArrayLike, judge: ArrayLike, labels: float) -> float:
    """Return about half the width of the interval that this many labels give; arguments as for `labels_for`."""
    total = len(np.asarray(judge))
    if labels >= total:
        return 0.0
    return NORMAL_QUANTILE * math.sqrt(_judged_spread(weight, judge) * (1 / max(labels, 1.0) - 1 / total))


def _judged_spread(weight: ArrayLike, judge: ArrayLike) -> float:
    """Return the variance of the claims' scores by the judge, with one more right and one more wrong claim.

    Claims of unequal weight count by it, as in the estimate.
    """
    scores, weights = np.asarray(judge, dtype=np.float64), np.asarray(weight, dtype=np.float64)
    if not len(scores):
        raise ValueError("There is no claim to label.")
    count = np.append(weights / weights.mean(), [1.0, 1.0])
    scores = np.append(scores, [1.0, 0.0])
    middle = float(count @ scores / count.sum())
    return float((count**2 @ (scores - middle) ** 2) / len(scores))


def _number(spread: float, half_width: float, total: int) -> int:
    endless = NORMAL_QUANTILE**2 * spread / half_width**2
    return min(total, math.ceil(endless / (1 + endless / total)))
