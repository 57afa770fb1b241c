"""Wilson's interval for a share, on which most other intervals of FaithView fall back."""

from faithview.domain.scoring import Interval
from faithview.stats.conventions import NORMAL_QUANTILE


def wilson_interval(share: float, n: float, *, z: float = NORMAL_QUANTILE) -> Interval:
    """Return the score interval for a share of n trials, in [0, 1] (Wilson 1927, "Probable Inference", JASA 22).

    Args:
        share: the observed share, in [0, 1].
        n: the number of independent trials, above 0; an effective number may be fractional.
        z: the quantile for the interval's confidence; the normal one for 95 % by default.
    """
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
