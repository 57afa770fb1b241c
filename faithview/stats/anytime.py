"""Wider intervals for a score that is looked at again and again while answers arrive, as in a window of live traffic.

A 95% interval is valid at one look. An asymptotic confidence sequence is valid at all looks together (Waudby-Smith,
Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and asymptotic confidence sequences", Annals
of Statistics 52, theorem 2.2). With t the information gathered, it reaches z standard errors to both sides, where

    z^2 = (1 + 1 / g) (log(1 + g) + 2 log(1 / alpha)),     g = t rho^2,

and rho sets where it is tightest, at t = 1, where

    g = 2 log(1 / alpha) + log(2 log(1 / alpha)) + 1     (their equation 46).

The theorem is about large samples: for few answers z is replaced by the Student quantile of the same tail.
"""

import math

from faithview.stats.intervals import CONFIDENCE

_LEAST_TAIL = 1e-300  # below it the normal tail is 0 and the quantile infinite


def look_quantile(information: float, *, degrees: float, level: float = CONFIDENCE) -> float:
    """Return how many standard errors an interval must reach to be valid at every look.

    Args:
        information: one over the estimate's variance, as a share of that where the interval is to be tightest; above 0.
        degrees: Student's degrees of freedom of the variance, at least 1.
        level: the confidence that no look misses the truth, in (0, 1).
    """
    from scipy.special import ndtr, stdtrit  # here, so `import faithview` stays quick

    doubled = -2 * math.log(1 - level)
    growth = information * (doubled + math.log(doubled) + 1)
    reach = math.sqrt((1 + 1 / growth) * (math.log1p(growth) + doubled))
    return -float(stdtrit(degrees, max(float(ndtr(-reach)), _LEAST_TAIL)))
