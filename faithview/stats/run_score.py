"""A run's mean faithfulness with its interval, from answers grouped by question."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.domain.scoring import Interval, RunScore
from faithview.stats.conventions import CONFIDENCE, RESAMPLES, SEED
from faithview.stats.wilson import wilson_interval


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
    """Return the percentile bootstrap interval of the mean over answers, resampling questions (Efron 1979).

    Equal clusters are resampled together with one multinomial draw a resample, which has the same distribution as
    drawing them one by one and costs only as much as there are different clusters. Where all clusters have the same
    mean the bootstrap would return a single point however few they are; Wilson's interval (1927) for that mean and
    that many clusters stands in, which is exact enough at 0 and 1, where this happens.

    Returns:
        Limits in [0, 1]; None where there are fewer than two clusters.
    """
    import numpy as np  # here, so that `import faithview` stays quick

    number = sum(c.count for c in clusters)
    if number < 2:
        return None
    # Merged and sorted, so that neither the order nor the grouping of the answers shows in the draws.
    merged: Counter[tuple[int, float]] = Counter()
    for c in clusters:
        merged[c.answers, c.total] += c.count
    answers, totals = np.array(sorted(merged), dtype=np.float64).T
    counts = np.array([merged[kind] for kind in sorted(merged)], dtype=np.float64)
    if len({round(c.total / c.answers, 9) for c in clusters}) == 1:
        return wilson_interval(clusters[0].total / clusters[0].answers, number)
    draws = np.random.default_rng(SEED).multinomial(number, counts / number, size=RESAMPLES)
    means = (draws @ totals) / (draws @ answers)
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(min(1.0, max(0.0, low))), float(min(1.0, max(0.0, high))))
