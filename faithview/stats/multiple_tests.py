"""P-values adjusted for multiple tests, and the parts of a run that score significantly lower.

A part is compared with the run's mean mu. If the n answers of the part are worth n_e answers that are entirely right or
wrong, p is the probability that a binomial share of n_e answers with mean mu is as low as the part's or lower, as in
the interval of Korn and Graubard 1998 ("Confidence intervals for proportions with small expected number of positive
counts estimated from survey data", Survey Methodology 24). A normal approximation makes low shares far too rare if mu
is near 1. n_e / n is computed from the interval of the whole run, since a part is too small to tell. The part belongs
to the run, so mu is drawn towards it, and p is slightly too large.

The p-values are adjusted for the number of parts (Benjamini and Hochberg 1995): if all parts are alike, one of them is
reported for at most 5% of runs. `tests/performance/slices.py` measures it.
"""

from collections.abc import Sequence

from faithview.domain.scoring import RunScore
from faithview.stats.intervals import CONFIDENCE, student_quantile


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values in [0, 1], in their order, adjusted so the probability of any false alarm is that of one test.

    Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6.
    """
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[at] * (len(p_values) - rank)))
        adjusted[at] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return p-values in [0, 1], in their order, adjusted to control the false discovery rate.

    Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", JRSS B 57. None, for nothing to test, stays
    None and does not count as a test.
    """
    known = [(p, at) for at, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    lowest = 1.0
    for rank, (p, at) in sorted(enumerate(sorted(known), start=1), reverse=True):
        # The factor first, as in SciPy, so figures stay the same to the last digit.
        lowest = min(lowest, p * (len(known) / rank))
        adjusted[at] = lowest
    return tuple(adjusted)


def low_part_p_values(whole: RunScore, parts: Sequence[RunScore]) -> tuple[float | None, ...]:
    """Return for each part the p-value of being lower than the run, adjusted for the number of parts.

    Args:
        whole: the run's score.
        parts: the scores of parts of its answers.

    Returns:
        p-values in [0, 1], in the order of the parts; None for a part without a score, and for all if the run has
        no interval.
    """
    worth = _worth(whole)
    if worth is None or whole.mean is None:
        return (None,) * len(parts)
    mean = whole.mean
    return benjamini_hochberg([None if p.mean is None else _tail(p.mean, p.judged * worth, mean) for p in parts])


def _worth(whole: RunScore) -> float | None:
    """Return how many answers that are entirely right or wrong one answer of the run is worth.

    The interval is Wilson's: its lower end L satisfies (mean - L)^2 = z^2 L (1 - L) / n_e.
    """
    if whole.mean is None or whole.interval is None or whole.judged < 2:
        return None
    end = whole.interval.low if whole.interval.low > 0 else whole.interval.high
    if end in {0.0, 1.0, whole.mean}:
        return None
    quantile = student_quantile(CONFIDENCE, whole.judged - 1)
    return quantile**2 * end * (1 - end) / (whole.mean - end) ** 2 / whole.judged


def _tail(share: float, n: float, mean: float) -> float:
    """Return P(X <= share n) of a binomial X with that mean and n trials, which may be fractional."""
    from scipy.special import betainc  # here, so `import faithview` stays quick

    if share >= 1 or mean <= 0:
        return 1.0
    return float(betainc(n * (1 - share), n * share + 1, 1 - mean))
