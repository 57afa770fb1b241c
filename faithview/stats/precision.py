"""How many labels are needed for a given interval width, before a spot-check and after it.

A mean of n of N units with variance v has the half-width x = z sqrt(v (1 / n - 1 / N)), so n = n0 / (1 + n0 / N) with
n0 = z^2 v / x^2 (Cochran 1977, 4.4).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.intervals import NORMAL_QUANTILE
from faithview.stats.spot_check import SpotCheckSample


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsNeeded:
    """How much to label: `units` are the drawn answers or claims, `labels` is about the number of claims in them.

    `is_all` says that the whole run must be labelled.
    """

    units: int
    labels: int
    is_all: bool = False


def labels_needed(check: SpotCheckSample, score: CorrectedScore, *, half_width: float) -> LabelsNeeded:
    """Return how much more to label, drawn in the same way, for a corrected score within +- half_width.

    The spread of the units is the one found so far, and so is the judge's help. `half_width` is in (0, 0.5).
    """
    total = sum(stratum.units for stratum in check.strata)
    if score.sampling_half_width <= half_width or score.labelled >= total:
        return LabelsNeeded(units=0, labels=0)
    spread = score.corrected.variance / (1 / score.labelled - 1 / total)
    more = max(1, _units(spread, half_width, total) - score.labelled)
    return LabelsNeeded(
        units=more, labels=math.ceil(more * check.labels_per_unit), is_all=score.labelled + more == total
    )


def size_for(weight: ArrayLike, judge: ArrayLike, *, half_width: float, labels_per_unit: float = 1.0) -> LabelsNeeded:
    """Return how much to label, drawn at random, when only the judge's verdicts are known.

    Args:
        weight: the units' shares of the run's score (see `spot_check`), on any scale.
        judge: the judge's scores of the units, in [0, 1].
        half_width: the wanted precision, in (0, 0.5).
        labels_per_unit: claims to label in each unit.

    Raises:
        ValueError: `half_width` is not in (0, 0.5), or there is no unit.
    """
    if not 0 < half_width < 0.5:
        raise ValueError(f"The half-width is {half_width!r}; it must be between 0 and 0.5, for example 0.03.")
    total = len(np.asarray(judge))
    units = _units(judged_spread(weight, judge), half_width, total)
    return LabelsNeeded(units=units, labels=math.ceil(units * labels_per_unit), is_all=units == total)


def half_width_for(weight: ArrayLike, judge: ArrayLike, units: float) -> float:
    """Return about half the width of the interval that this many labelled units give; arguments as for `size_for`."""
    total = len(np.asarray(judge))
    if units >= total:
        return 0.0
    return NORMAL_QUANTILE * math.sqrt(judged_spread(weight, judge) * (1 / max(units, 1.0) - 1 / total))


def judged_spread(weight: ArrayLike, judge: ArrayLike) -> float:
    """Return the variance of the units' scores by the judge, with one more right and one more wrong unit.

    Units of unequal weight count by it, as in the estimate.
    """
    scores, weights = np.asarray(judge, dtype=np.float64), np.asarray(weight, dtype=np.float64)
    if not len(scores):
        raise ValueError("There is no unit to label.")
    count = np.append(weights / weights.mean(), [1.0, 1.0])
    scores = np.append(scores, [1.0, 0.0])
    middle = float(count @ scores / count.sum())
    return float((count**2 @ (scores - middle) ** 2) / len(scores))


def _units(spread: float, half_width: float, total: int) -> int:
    endless = NORMAL_QUANTILE**2 * spread / half_width**2
    return min(total, math.ceil(endless / (1 + endless / total)))
