"""From a claim's features to the probability that it is supported; another model replaces this module's figures."""

from collections.abc import Mapping, Sequence
from math import exp

from faithview.judges.lexical.coefficients import CLAIM_COEFFICIENTS, CLAIM_INTERCEPT
from faithview.judges.lexical.features import FEATURES

# With the means and deviations folded in, a score is one sum: (index of the feature, weight).
_WEIGHTS = [
    (FEATURES.index(name), coefficient / deviation) for name, (_, deviation, coefficient) in CLAIM_COEFFICIENTS.items()
]
_OFFSET = CLAIM_INTERCEPT - sum(mean / deviation * c for mean, deviation, c in CLAIM_COEFFICIENTS.values())


def support_probability(features: Sequence[float]) -> float:
    """Return the probability in (0, 1) that a claim with these features is supported."""
    return logistic(_OFFSET + sum(weight * features[index] for index, weight in _WEIGHTS))


def linear_score(
    figures: Mapping[str, float], coefficients: Mapping[str, tuple[float, float, float]], intercept: float
) -> float:
    """Return intercept + sum of coefficient * (figure - mean) / deviation."""
    return intercept + sum(
        c * (figures[name] - mean) / deviation for name, (mean, deviation, c) in coefficients.items()
    )


def logistic(score: float) -> float:
    """Return 1 / (1 + exp(-score)), in (0, 1)."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, score))))
