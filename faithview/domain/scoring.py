"""Every score FaithView shows, defined once.

With claims j of answer i, m_i of them, s_ij = 1 where the verdict is *supported* and 0 otherwise, and w_ij the
verdict's weight:

    faithfulness_i          = mean_j s_ij                    (the Ragas ratio; Es et al. 2024, "RAGAs")
    faithfulness_weighted_i = clip(mean_j w_ij, 0, 1)
    is_faithful_i           = no claim contradicted and faithfulness_i >= threshold

An answer without claims, an abstention included, scores 1.0 on its own. A run's faithfulness is the mean over its
`judged` answers; answers in every other state are counted beside it and never become a number.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# Below this share of supported claims an answer is not called faithful, unless the run says otherwise.
DEFAULT_THRESHOLD = 0.8

WEIGHTS: Mapping[str, float] = {
    "supported": 1.0,
    "partially_supported": 0.5,
    "not_mentioned": 0.0,
    "contradicted": -1.0,
}

# 2,000 resamples put the Monte Carlo error of a 95 % limit near 3 % of the interval's width; the seed makes the same
# rows give the same interval everywhere.
_RESAMPLES = 2_000
_SEED = 20_260_301


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Answers to one question, as far as a mean needs them: how many, the sum of their scores, how often that occurs.

    `count` lets equal clusters be handed over as one, so that a run is summarised from a few rows of SQL.
    """

    answers: int
    total: float
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScore:
    """A run's mean faithfulness with what it rests on.

    `mean` and `interval` are None where no answer was judged; `interval` also where there are fewer than two clusters,
    from which no spread can be estimated. `bounds` are the means if every unscored answer had scored 0, then 1.
    """

    mean: float | None
    interval: Interval | None
    bounds: Interval | None
    judged: int
    unscored: int


def faithfulness(verdicts: Sequence[str]) -> float:
    """Return supported / all claims, in [0, 1]; 1.0 where there are no claims."""
    if not verdicts:
        return 1.0
    return sum(verdict == "supported" for verdict in verdicts) / len(verdicts)


def faithfulness_weighted(verdicts: Sequence[str]) -> float:
    """Return the mean verdict weight clipped to [0, 1]; 1.0 where there are no claims."""
    if not verdicts:
        return 1.0
    return min(1.0, max(0.0, sum(WEIGHTS[verdict] for verdict in verdicts) / len(verdicts)))


def is_faithful(verdicts: Sequence[str], *, threshold: float = DEFAULT_THRESHOLD) -> bool:
    """Return whether no claim is contradicted and the share of supported claims reaches the threshold."""
    return "contradicted" not in verdicts and faithfulness(verdicts) >= threshold


def hallucination_rate(counts: Mapping[str, int]) -> float | None:
    """Return claims not supported / all claims, from counts by verdict; None where there is no claim."""
    total = sum(counts.values())
    return None if total == 0 else 1 - counts.get("supported", 0) / total


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


def mean_interval(clusters: Sequence[Cluster], *, level: float = 0.95) -> Interval | None:
    """Return the percentile bootstrap interval of the mean over answers, resampling questions (Efron 1979).

    Equal clusters are resampled together with one multinomial draw a resample, which has the same distribution as
    drawing them one by one and costs only as much as there are different clusters. Where all clusters have the same
    mean the bootstrap would return a single point however few they are; Wilson's interval (1927) for that mean and
    that many clusters stands in, which is exact enough at 0 and 1, where this happens.

    Returns:
        None where there are fewer than two clusters.
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
    draws = np.random.default_rng(_SEED).multinomial(number, counts / number, size=_RESAMPLES)
    means = (draws @ totals) / (draws @ answers)
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(min(1.0, max(0.0, low))), float(min(1.0, max(0.0, high))))


def wilson_interval(share: float, n: float, *, z: float = 1.959964) -> Interval:
    """Return Wilson's score interval (1927) for a share observed in n trials; z is the normal quantile."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
