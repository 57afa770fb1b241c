"""How many labels are needed for a given interval width, before a spot-check and after part of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from faithview.stats.corrected_score import (
    LEAST_LABELLED,
    CorrectedScore,
    UnitSpread,
    foreseen_labels,
    uncertain_part,
    wilson_of_rest,
)
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile
from faithview.stats.sampling import inclusion_probabilities
from faithview.stats.spot_check import Floats, SpotCheckSample, Survey

# An unknown variance is assumed to be larger than estimated by this many standard errors, so
# spot-checks of five reach the width: the normal quantile is 0.84, and the standard errors are themselves estimated.
_ASSURANCE = 0.95

# The distance of the reviewers' mean from the judge's towards 0.5, as a standard deviation. On the labelled files of
# tests/performance/coverage.py it is 0.02 to 0.11 further from 0.5.
_JUDGE_OFF = 0.04

# The share of the variance that the judge removes; on these files 0.13 to 0.29, drawn at random.
_JUDGE_HELPS = 0.25

_ROUNDING = 1e-9  # a spread below it comes from rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsNeeded:
    """How much to label: `units` are the drawn answers or claims, `labels` is about the number of claims in them.

    `is_all` says that the whole run must be labelled.
    """

    units: int
    labels: int
    is_all: bool = False


def labels_needed(
    check: SpotCheckSample, score: CorrectedScore, *, half_width: float, level: float = CONFIDENCE
) -> LabelsNeeded:
    """Return how much more to label, drawn in the same way, for a corrected score within +- half_width.

    The variance formula inverted: it decreases with 1 / n - 1 / N as n of N units are labelled, here at the estimated
    score and with the judge as useful as it has proved so far; the penalties for small samples wear off
    (`foreseen_labels`). As the variance may prove larger, the result suffices for about four spot-checks of five.
    Labelling everything reaches any width.

    Raises:
        ValueError: `half_width` is not in (0, 0.5).
    """
    _require_half_width(half_width)
    units = sum(stratum.units for stratum in check.strata)
    labelled = score.labelled
    if score.sampling_half_width <= half_width:
        return LabelsNeeded(units=0, labels=0)
    now = 1 / labelled - 1 / units
    survey = Survey(check)
    wavering = survey.variance_of_variance(survey.people - score.tuning * survey.judge)

    def reached(more: int) -> bool:
        number = labelled + more
        ahead = 1 / number - 1 / units
        # The present labels are a part of those then, so only the rest of the variance's own variance is added.
        dearer = 1 + _ASSURANCE * math.sqrt(wavering * (1 - ahead / now))
        effective = foreseen_labels(check, times=number / labelled) * (labelled / number) * (now / ahead)
        width = _half_width(
            score.corrected.score,
            labels=effective / dearer,
            known=number / units,
            quantile=student_quantile(level, score.degrees * number / labelled),
        )
        return width <= half_width

    more = _least(reached, units - labelled)
    return LabelsNeeded(units=more, labels=math.ceil(more * check.labels_per_unit), is_all=labelled + more == units)


def size_for(
    weight: ArrayLike,
    judge: ArrayLike,
    *,
    half_width: float,
    labels_per_unit: float = 1.0,
    level: float = CONFIDENCE,
) -> LabelsNeeded:
    """Return how much to label, drawn at random, when only the judge's verdicts are known.

    The variance is the design's, with the spread of the judge's scores: answers that are partly right vary less than
    answers that are entirely right or wrong, and similar claims of one answer give less information than claims of many
    answers. The judge may be wrong: the reviewers' mean is assumed to be nearer to 0.5 than the judge's, where a share
    is hardest to estimate, by as much as both the judge's errors and the luck of the draw make likely in four
    spot-checks of five. In return the judge is assumed to help a little.

    Args:
        weight: the units' shares of the run's score (see `spot_check`), on any scale.
        judge: the judge's scores of the units, in [0, 1].
        half_width: the wanted precision, in (0, 0.5).
        labels_per_unit: claims to label in each unit.
        level: the interval's confidence.

    Raises:
        ValueError: `half_width` is not in (0, 0.5), a score is not in [0, 1], or there is no unit.
    """
    _require_half_width(half_width)
    scores = np.asarray(judge, dtype=np.float64)
    weights = np.asarray(weight, dtype=np.float64)
    units = len(scores)
    if not units or not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError("The judge's scores must be in [0, 1], and there must be at least one.")
    weights = weights / weights.sum()
    mean = clip(float(weights @ scores))
    normal = student_quantile(level, math.inf)
    expected = _towards_half(mean, _ASSURANCE * math.hypot(_JUDGE_OFF, half_width / normal))
    spread, help_ = _judged_spread(weights, scores, mean, expected)

    def reached(number: int) -> bool:
        if number < LEAST_LABELLED:
            return False
        pi = inclusion_probabilities(weights, number)
        variance = float(((1 - pi) / pi) @ weights**2) * number / (number - 1) * spread.of(number) * (1 - help_)
        known = float(pi @ weights)
        quantile = student_quantile(level, number - 1)
        return variance <= 0 or _half_width(expected, labels=1 / variance, known=known, quantile=quantile) <= half_width

    number = _least(reached, units)
    return LabelsNeeded(units=number, labels=math.ceil(number * labels_per_unit), is_all=number == units)


def _judged_spread(weights: Floats, scores: Floats, mean: float, expected: float) -> tuple[UnitSpread, float]:
    """Return the units' spread by the judge, for one labelled unit, and the part of the variance that it removes."""
    whole, most = mean * (1 - mean), expected * (1 - expected)
    ratio = float(weights @ (scores - mean) ** 2) / whole if whole > _ROUNDING else 1.0
    mixed = min(float(weights @ (scores < 1)), float(weights @ (scores > 0)))
    spread = UnitSpread(ratio=min(1.0, ratio), mixed=max(mixed, min(expected, 1 - expected)))
    # A judge that calls nearly everything supported says little about where reviewers will disagree.
    return spread, _JUDGE_HELPS * min(1.0, whole / most)


def _half_width(score: float, *, labels: float, known: float, quantile: float) -> float:
    part = uncertain_part(known)
    interval = wilson_of_rest(score, labels=labels * part**2, part=part, base=score * (1 - part), quantile=quantile)
    return (interval.high - interval.low) / 2


def _towards_half(score: float, distance: float) -> float:
    """Return the score moved towards 0.5 and not beyond; there a share is hardest to estimate."""
    return max(0.5, score - distance) if score > 0.5 else min(0.5, score + distance)


def _least(reached: Callable[[int], bool], most: int) -> int:
    """Return the least number that reaches the goal; `most` always does and is not tried."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _require_half_width(half_width: float) -> None:
    if not 0 < half_width < 0.5:
        raise ValueError(
            f"The half-width is {half_width!r}; it must be between 0 and 0.5, for example 0.03 for +-3 points."
        )
