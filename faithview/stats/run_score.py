"""A run's mean faithfulness with its interval, from answers grouped by question."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.domain.scoring import Interval, RunScore
from faithview.stats.conventions import CONFIDENCE
from faithview.stats.prediction_powered import clip, student_quantile
from faithview.stats.wilson import wilson_interval

# How many questions, right or wrong as a whole, the spread is taken to rest on before any was seen.
_PRIOR_QUESTIONS = 1.0

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """The answers to one question: how many, the sum of their scores, and how many questions are exactly like it.

    `count` lets equal clusters be passed as one, so that a run is summarised from a few rows of SQL.
    """

    answers: int
    total: float
    count: int = 1


def run_score(clusters: Iterable[Cluster], *, unscored: int) -> RunScore:
    """Summarise a run.

    Args:
        clusters: the judged answers, grouped by question: answers to one question are not independent.
        unscored: how many answers should have a score and have none (failed, or not judged yet).
    """
    clusters = list(clusters)
    judged = sum(c.answers * c.count for c in clusters)
    if judged == 0:
        return RunScore(mean=None, interval=None, bounds=None, judged=0, unscored=unscored)
    total = math.fsum(c.total * c.count for c in clusters)  # exact, so that the order of the answers never shows
    rows = judged + unscored
    return RunScore(
        mean=total / judged,
        interval=mean_interval(clusters),
        bounds=Interval(total / rows, (total + unscored) / rows),
        judged=judged,
        unscored=unscored,
    )


def mean_interval(clusters: Sequence[Cluster], *, level: float = CONFIDENCE) -> Interval | None:
    """Return the interval of the mean over answers, with questions as the independent units.

    Wilson's interval (1927) with Student's quantile, on the number of questions, right or wrong as a whole, that would
    say as much: theta (1 - theta) / V, where V is the variance of a ratio with questions as clusters (Särndal, Swensson
    and Wretman 1992, 5.6). It stays in [0, 1] and is skewed as a score near 1 is. A percentile bootstrap is too short
    for fewer than about 100 answers; `tests/performance/run_intervals.py` prints how often either holds the truth.

    Answers that are partly right vary less than answers right or wrong as a whole. How much less is read from the
    questions that are not perfect; with few of those the advantage is shrunk, as if one question without it had been
    seen too. Where all questions score alike, V says only that the sample is small, and every question counts once.

    Returns:
        Limits in [0, 1]; None where there are fewer than two questions.
    """
    number = sum(c.count for c in clusters)
    if number < 2:
        return None
    # Merged and sorted, so that neither the order nor the grouping of the answers shows in the last digit.
    merged: Counter[tuple[int, float]] = Counter()
    for c in clusters:
        merged[c.answers, c.total] += c.count
    kinds = sorted(merged.items())
    answers = sum(size * count for (size, _), count in kinds)
    mean = clip(math.fsum(total * count for (_, total), count in kinds) / answers)
    squares = math.fsum(count * (total - mean * size) ** 2 for (size, total), count in kinds)
    variance = number / (number - 1) * squares / answers**2
    # The variance if every answer were wholly right or wrong and all questions had equally many answers.
    most = mean * (1 - mean) / (number - 1)
    effective = float(number)
    if variance > _NO_SPREAD and most > _NO_SPREAD:
        ratio = variance / most
        wholly_right = sum(count for (size, total), count in kinds if total >= size)
        wholly_wrong = sum(count for (_, total), count in kinds if total <= 0)
        mixed = min(number - wholly_right, number - wholly_wrong)
        ratio = max(ratio, (mixed * ratio + _PRIOR_QUESTIONS) / (mixed + _PRIOR_QUESTIONS))
        effective = (number - 1) / ratio
    return wilson_interval(mean, effective, z=student_quantile(level, number - 1))
