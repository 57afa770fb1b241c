"""Shared parts of the statistics: level, seed, Wilson's interval, Student's quantiles, independent differences.

Most other intervals are built from them. They do not need numpy: `faithview run list` loads nothing more.

**Independent differences.** The method of variance estimates recovery (Newcombe 1998, "Interval estimation for the
difference between independent proportions", method 10; Zou and Donner 2008, "Construction of confidence limits about
effect measures") computes it from the distances of both estimates to their limits, so it keeps their skew:

    low = d - sqrt((first - its low)^2 + (the second's high - second)^2),      high likewise.
"""

from faithview.domain.scoring import Interval

# A p-value below ALPHA is called significant, and intervals are for 95% confidence, unless a caller asks otherwise.
ALPHA = 0.05
CONFIDENCE = 1 - ALPHA

# 97.5% of a normal distribution lie below this many standard deviations: half the width of a 95% interval. Rounded to
# six decimals in every released version; more digits would change stored and exported intervals.
NORMAL_QUANTILE = 1.959964

# A share or a corrected score is shown only if half of its interval's width is at most this. Eight labels give "0.61
# (0.12-0.95)": readers remember the bold number and not the interval, which also hides steps between runs, rarely
# larger than 0.10.
HEADLINE_HALF_WIDTH = 0.10

# The same rows give the same interval and p-value everywhere.
SEED = 20_260_301


def wilson_interval(share: float, n: float, *, z: float = NORMAL_QUANTILE) -> Interval:
    """Return the score interval for a share of n trials, in [0, 1] (Wilson 1927, "Probable Inference", JASA 22).

    Args:
        share: the observed share, in [0, 1].
        n: the number of independent trials, above 0; an effective number may be fractional.
        z: the quantile for the interval's confidence; the normal one for 95% by default.
    """
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def student_quantile(level: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution for a two-sided interval of this level."""
    from scipy.special import stdtrit  # here, so `import faithview` stays quick

    return float(stdtrit(degrees, (1 + level) / 2))


def student_p_value(value: float, degrees: float) -> float:
    """Return the two-sided p-value, in [0, 1], of a value that has Student's t distribution if nothing differs."""
    from scipy.special import stdtr

    return min(1.0, 2 * float(stdtr(degrees, -abs(value))))


def clip(value: float) -> float:
    """Return the value clipped to [0, 1]."""
    return min(1.0, max(0.0, float(value)))


def independent_difference(
    first: float, first_interval: Interval, second: float, second_interval: Interval
) -> Interval:
    """Return the interval of first - second, in [-1, 1], at the level of both intervals.

    Args:
        first: an estimate in [0, 1].
        first_interval: its interval.
        second: an estimate in [0, 1] from other data.
        second_interval: its interval.
    """
    middle = first - second
    below = _distance(first - first_interval.low, second_interval.high - second)
    above = _distance(first_interval.high - first, second - second_interval.low)
    return Interval(max(-1.0, middle - below), min(1.0, middle + above))


def _distance(first: float, second: float) -> float:
    return float((max(0.0, first) ** 2 + max(0.0, second) ** 2) ** 0.5)
