"""How many labels a wanted interval width needs: before a spot-check, and after part of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from faithview.stats.conventions import CONFIDENCE
from faithview.stats.prediction_powered import CorrectedScore, student_quantile, uncertain_part, wilson_of_rest
from faithview.stats.spot_check import SpotCheckSample


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsNeeded:
    """How much to label: `units` are answers or claims as they are drawn, `labels` is about how many claims that is."""

    units: int
    labels: int


def labels_needed(
    check: SpotCheckSample, score: CorrectedScore, *, half_width: float, level: float = CONFIDENCE
) -> LabelsNeeded:
    """Return how much more to label, drawn in the same way, for the corrected score to be known within +- half_width.

    Inverts the variance formula: the variance falls with 1 / n - 1 / N as n of N units are labelled, at the estimated
    score and with the judge as useful as it has been so far. Labelling everything reaches any width.

    Raises:
        ValueError: `half_width` is not in (0, 0.5).
    """
    _require_half_width(half_width)
    units = sum(stratum.units for stratum in check.strata)
    labelled = score.labelled
    if score.sampling_half_width <= half_width:
        return LabelsNeeded(units=0, labels=0)
    now = 1 / labelled - 1 / units

    def reached(more: int) -> bool:
        number = labelled + more
        ahead = 1 / number - 1 / units
        return (
            number >= units
            or _half_width(
                score.corrected.score,
                labels=score.corrected.effective * now / ahead,
                known=number / units,
                quantile=student_quantile(level, score.degrees * number / labelled),
            )
            <= half_width
        )

    more = _least(reached, units - labelled)
    return LabelsNeeded(units=more, labels=math.ceil(more * check.labels_per_unit))


def size_for(
    *, half_width: float, expected: float, units: int, labels_per_unit: float = 1.0, level: float = CONFIDENCE
) -> LabelsNeeded:
    """Return how much to label, drawn at random, before anything but a guess at the score is known.

    On the safe side: the judge is assumed to be of no help, and answers to be right or wrong as a whole.

    Args:
        half_width: the wanted precision, in (0, 0.5).
        expected: a guess at the score, such as the judge's mean, in [0, 1].
        units: how many answers (or claims, where they are drawn singly) the run has.
        labels_per_unit: claims to label in each.
        level: the interval's confidence.

    Raises:
        ValueError: `half_width` is not in (0, 0.5), or `expected` is not in [0, 1].
    """
    _require_half_width(half_width)
    if not 0 <= expected <= 1:
        raise ValueError(f"The expected score is {expected!r}; it must lie in [0, 1].")

    def reached(number: int) -> bool:
        return number >= units or (
            number >= 2
            and _half_width(
                expected,
                labels=(number - 1) / (1 - number / units),
                known=number / units,
                quantile=student_quantile(level, number - 1),
            )
            <= half_width
        )

    number = _least(reached, units)
    return LabelsNeeded(units=number, labels=math.ceil(number * labels_per_unit))


def _half_width(score: float, *, labels: float, known: float, quantile: float) -> float:
    part = uncertain_part(known)
    interval = wilson_of_rest(score, labels=labels * part**2, part=part, base=score * (1 - part), quantile=quantile)
    return (interval.high - interval.low) / 2


def _least(reached: Callable[[int], bool], most: int) -> int:
    """Return the least number that reaches the goal; `most` always does."""
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
            f"The half-width is {half_width!r}; it must lie between 0 and 0.5, for example 0.03 for +-3 points."
        )
