"""How well a judge tells faithful from unfaithful: rates, balanced accuracy, F1, and the area under the ROC curve.

The class of interest is *unfaithful*. Every figure is in [0, 1] and None where the data cannot give it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How good a yes/no prediction of "unfaithful" is; each rate in [0, 1], None where it is not defined."""

    balanced_accuracy: float | None
    f1: float | None
    precision: float | None
    recall: float | None


def rates(actual: Sequence[bool], predicted: Sequence[bool]) -> Rates:
    """Return the rates of a prediction; both sequences say "is unfaithful".

    Balanced accuracy is the mean of the recalls of both classes and needs both to occur. Precision needs a positive
    prediction, recall a positive case; F1 = 2tp / (2tp + fp + fn) is 0 where no case is predicted right.
    """
    pairs = list(zip(actual, predicted, strict=True))
    tp = sum(a and p for a, p in pairs)
    fp = sum(p and not a for a, p in pairs)
    fn = sum(a and not p for a, p in pairs)
    tn = len(pairs) - tp - fp - fn
    recall = _ratio(tp, tp + fn)
    specificity = _ratio(tn, tn + fp)
    return Rates(
        balanced_accuracy=None if recall is None or specificity is None else (recall + specificity) / 2,
        f1=_ratio(2 * tp, 2 * tp + fp + fn),
        precision=_ratio(tp, tp + fp),
        recall=recall,
    )


def auroc(actual: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the probability that a positive case outranks a negative one, ties counted half (Mann and Whitney 1947).

    Returns:
        None where one of the classes does not occur.
    """
    positive = np.asarray(actual, dtype=bool)
    values = np.asarray(scores, dtype=np.float64)
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return None
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    # The mean rank of each group of ties, counted from 1.
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    above = ranks[positive].sum() - n_positive * (n_positive + 1) / 2
    return float(above / (n_positive * n_negative))


def f1(true_positive: int, false_positive: int, false_negative: int) -> float | None:
    """Return 2tp / (2tp + fp + fn); None where all three are 0."""
    return _ratio(2 * true_positive, 2 * true_positive + false_positive + false_negative)


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are not None; None where there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
