"""Wider intervals for a corrected score that reviewers look at repeatedly while they are still labelling.

A 95% interval is valid at one look. Reviewers who look after every few labels and may stop at any look have as many
chances to be misled; over 35 looks the truth is outside at some look in about one spot-check of four. An asymptotic
confidence sequence is valid at all looks together (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform
central limit theory and asymptotic confidence sequences", Annals of Statistics 52, theorem 2.2). With t the information
gathered, it reaches z standard errors to both sides, where

    z^2 = (1 + 1 / g) (log(1 + g) + 2 log(1 / alpha)),     g = t rho^2,

and rho, chosen before anything is labelled, sets where it is tightest. Here that is half of the spot-check, where

    g = 2 log(1 / alpha) + log(2 log(1 / alpha)) + 1     (their equation 46).

- Information is one over the variance of the estimate. Of a finite run, drawn without replacement, the successive
  estimates have the covariance of the later one's variance, as the means of a Brownian motion have at the times
  1 / variance, so the sequence is valid with the finite-population correction.
- The theorem is about large samples. For few labels z is replaced by the Student quantile of the same tail, and the
  reach enters Wilson's interval like that of the fixed interval (see `corrected_score`). So it stays in [0, 1]
  and is never narrower than the fixed one, whose quantile is the smaller at every number of labels.
- At some of many looks, reviewers happen to agree with the judge more than they will later. To the variance of a
  corrected score that of z^2 / 4 disagreements is added, as the score interval (Wilson 1927) of a rare rate does.

Betting confidence sequences (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting")
are valid for small samples, but need a bounded variable with a known inclusion probability for every unit, which
strata, ratios and a judge with a fitted weight do not give.
"""

import math

from faithview.stats.intervals import CONFIDENCE

_LEAST_TAIL = 1e-300  # below it the normal tail is 0 and the quantile infinite


def look_quantile(information: float, *, degrees: float, level: float = CONFIDENCE) -> float:
    """Return how many standard errors an interval must reach to be valid at every look.

    Args:
        information: one over the estimate's variance, as a share of that of half of the spot-check; above 0.
        degrees: Student's degrees of freedom of the variance, at least 1.
        level: the confidence that no look misses the truth, in (0, 1).
    """
    from scipy.special import ndtr, stdtrit  # here, so `import faithview` stays quick

    doubled = -2 * math.log(1 - level)
    growth = information * (doubled + math.log(doubled) + 1)
    reach = math.sqrt((1 + 1 / growth) * (math.log1p(growth) + doubled))
    return -float(stdtrit(degrees, max(float(ndtr(-reach)), _LEAST_TAIL)))
