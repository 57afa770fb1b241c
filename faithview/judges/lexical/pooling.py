"""From the claims' probabilities to the answer's."""

from collections.abc import Sequence
from math import log1p

from faithview.judges.lexical.coefficients import ANSWER_COEFFICIENTS, ANSWER_INTERCEPT
from faithview.judges.lexical.model import linear_score, logistic


def answer_figures(support: Sequence[float]) -> dict[str, float]:
    """Return what the pooling knows of an answer: figures over the support scores of its claims (at least one)."""
    ranked = sorted(support)
    return {
        "mean": sum(ranked) / len(ranked),
        "lowest": ranked[0],
        "second_lowest": ranked[min(1, len(ranked) - 1)],
        "claims": log1p(len(ranked)),
    }


def answer_probability(support: Sequence[float]) -> float:
    """Return the probability that the whole answer is faithful; 1.0 where it claims nothing."""
    if not support:
        return 1.0
    return logistic(linear_score(answer_figures(support), ANSWER_COEFFICIENTS, ANSWER_INTERCEPT))
