"""How far a judge disagrees with itself when it judges the same answers again."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_NO_CHANGE = 1e-9  # smaller differences of scores are rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How far a judge disagrees with itself when it judges the same answers again.

    `answers` are those with a score in at least two of the `repeats`. `flip_rate` is the probability in [0, 1] that two
    judgings of an answer score it differently. `deviation` is the resulting standard deviation of the mean difference
    of two runs over as many answers, each judged once. Both are None if no answer was scored twice.
    """

    repeats: int
    answers: int
    flip_rate: float | None
    deviation: float | None


def flip_noise(repeats: Sequence[FloatArray]) -> Noise:
    """Measure a judge's noise from repeated judgings of the same answers.

    With v_i the variance of answer i's score over the repeats, a run's mean over n answers has the variance
    sum_i v_i / n^2 from the judge alone, and the difference of two such runs twice that.

    Args:
        repeats: for each judging, a score for each answer in the same order; nan if it has none.

    Raises:
        ValueError: the repeats differ in length.
    """
    lengths = {len(scores) for scores in repeats}
    if len(lengths) > 1:
        raise ValueError(f"The repeats have different lengths {sorted(lengths)}; give each the same answers.")
    scores = np.array(repeats, dtype=np.float64).reshape(len(repeats), max(lengths, default=0))
    known = ~np.isnan(scores)
    times = known.sum(axis=0)
    scores, known, times = scores[:, times > 1], known[:, times > 1], times[times > 1]
    answers = len(times)
    if not answers:
        return Noise(repeats=len(repeats), answers=0, flip_rate=None, deviation=None)
    differ = np.zeros(answers)
    for first in range(len(repeats)):
        for second in range(first):
            differ += np.abs(scores[first] - scores[second]) > _NO_CHANGE  # False for nan
    flip_rate = min(1.0, math.fsum(differ / (times * (times - 1) / 2)) / answers)
    centred = np.where(known, scores - np.nanmean(scores, axis=0), 0.0)
    variance = (centred**2).sum(axis=0) / (times - 1)
    deviation = (2 * math.fsum(variance)) ** 0.5 / answers
    return Noise(
        repeats=len(repeats),
        answers=answers,
        flip_rate=flip_rate,
        deviation=deviation,
    )
