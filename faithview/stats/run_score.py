"""A run's mean faithfulness with its interval, from answers grouped by question."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.domain.scoring import Interval, RunScore
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile, wilson_interval

# The prior for the spread counts as this many questions, entirely right or wrong.
_PRIOR_QUESTIONS = 1.0

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """The answers to one question: how many, the sum of their scores, and how many questions are identical to it.

    `count` lets equal clusters be passed as one. If answers were drawn
    with different probabilities p, `weight` is the sum of 1 / p over the answers and `total` the sum of their scores
    over p; None is for answers with equal weights.
    """

    answers: int
    total: float
    count: int = 1
    weight: float | None = None

    @property
    def size(self) -> float:
        """The cluster's weight: its number of answers, or the sum of their weights."""
        return self.answers if self.weight is None else self.weight


def run_score(clusters: Iterable[Cluster], *, unscored: int, unscored_weight: float | None = None) -> RunScore:
    """Summarise a run.

    Args:
        clusters: the judged answers, grouped by question: answers to one question are not independent.
        unscored: how many answers lack a score that they should have (failed, or not judged yet).
        unscored_weight: the sum of their weights, if the clusters have weights.
    """
    clusters = list(clusters)
    judged = sum(c.answers * c.count for c in clusters)
    if judged == 0:
        return RunScore(mean=None, interval=None, bounds=None, judged=0, unscored=unscored)
    total = math.fsum(c.total * c.count for c in clusters)  # exact, so the order of the answers has no effect
    size = math.fsum(c.size * c.count for c in clusters)
    without = unscored if unscored_weight is None else unscored_weight
    return RunScore(
        mean=clip(total / size),
        interval=mean_interval(clusters),
        bounds=Interval(clip(total / (size + without)), clip((total + without) / (size + without))),
        judged=judged,
        unscored=unscored,
    )


def mean_interval(clusters: Sequence[Cluster], *, level: float = CONFIDENCE) -> Interval | None:
    """Return the interval of the mean over answers, with questions as the independent units.

    Wilson's interval (1927) with Student's quantile, on the number of questions, entirely right or wrong, with the same
    information: theta (1 - theta) / V, where V is the variance of a ratio with questions as clusters (Särndal, Swensson
    and Wretman 1992, 5.6). It stays in [0, 1] and is skewed for scores near 1. A percentile bootstrap is too short for
    fewer than about 100 answers.

    Answers that are partly right vary less than answers that are entirely right or wrong. How much less is estimated
    from the imperfect questions; with few of those the advantage is shrunk, as if one question without it had been seen
    as well. If all questions score alike, V says only that the sample is small, and every question counts once.

    Answers that were drawn with different probabilities are weighted by the inverse (Hájek 1971), and V is that of the
    weighted ratio. Unequal weights reduce a sample's information: with k the sum of squared weights times n over the
    squared sum (Kish 1965, "Survey Sampling", 11.7), questions count as n / k in the formulas above.

    Returns:
        Limits in [0, 1]; None if there are fewer than two questions.
    """
    number = sum(c.count for c in clusters)
    if number < 2:
        return None
    # Merged and sorted, so the order and grouping of the answers do not change the last digit.
    merged: Counter[tuple[int, float, float]] = Counter()
    for c in clusters:
        merged[c.answers, c.size, c.total] += c.count
    kinds = sorted(merged.items())
    whole = math.fsum(size * count for (_, size, _), count in kinds)
    mean = clip(math.fsum(total * count for (_, _, total), count in kinds) / whole)
    squares = math.fsum(count * (total - mean * size) ** 2 for (_, size, total), count in kinds)
    variance = number / (number - 1) * squares / whole**2
    design_effect = _design_effect(kinds)
    # The variance if every answer were entirely right or wrong and all questions had equally many answers.
    most = design_effect * mean * (1 - mean) / (number - 1)
    effective = number / design_effect
    if variance > _NO_SPREAD and most > _NO_SPREAD:
        ratio = variance / most
        wholly_right = sum(count for (_, size, total), count in kinds if total >= size * (1 - _NO_SPREAD))
        wholly_wrong = sum(count for (_, _, total), count in kinds if total <= 0)
        mixed = min(number - wholly_right, number - wholly_wrong) / design_effect
        ratio = max(ratio, (mixed * ratio + _PRIOR_QUESTIONS) / (mixed + _PRIOR_QUESTIONS))
        effective = (number - 1) / design_effect / ratio
    degrees = max(1.0, number / design_effect - 1)
    return wilson_interval(mean, effective, z=student_quantile(level, degrees))


def _design_effect(kinds: Sequence[tuple[tuple[int, float, float], int]]) -> float:
    """Return by which factor unequal weights increase the number of answers needed; 1 for equal ones."""
    if all(size == answers for (answers, size, _), _ in kinds):
        return 1.0
    answers = sum(answers * count for (answers, _, _), count in kinds)
    whole = math.fsum(size * count for (_, size, _), count in kinds)
    return answers * math.fsum(count * size**2 / answers for (answers, size, _), count in kinds) / whole**2
