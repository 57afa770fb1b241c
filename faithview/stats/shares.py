"""Shares of labelled claims, with intervals that account for weights and for correlation within answers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import CONFIDENCE, student_quantile, wilson_interval

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of labelled claims.

    `value` is None if there is nothing to take a share of; `interval` also if there are fewer than two answers, which
    give no estimate of the spread. `labels` is the number of claims behind it and `hits` the number of hits among them,
    both unweighted; `effective` is the number of independent, equally weighted claims that would give the same
    precision.
    """

    value: float | None
    interval: Interval | None
    labels: int
    effective: float
    hits: int = 0


def share(
    hits: ArrayLike,
    *,
    answers: ArrayLike,
    weights: ArrayLike | None = None,
    among: ArrayLike | None = None,
    level: float = CONFIDENCE,
) -> Share:
    """Return the weighted share of hits, with Wilson's interval (1927) on the effective number of labels.

    The variance is that of a ratio with answers as clusters (Särndal, Swensson and Wretman 1992, 5.6). If it is 0
    because all or none are hits, the effective number of answers (Kish 1965) is used instead.

    Args:
        hits: True for each claim that is a hit.
        answers: the answer of each claim.
        weights: the claims' weights, 1 / pi for a spot-check; None for equal ones.
        among: True for the claims in the denominator; None for all.
        level: the interval's confidence.
    """
    hit = np.asarray(hits, dtype=np.float64)
    weight = np.ones(len(hit)) if weights is None else np.asarray(weights, dtype=np.float64)
    answer = np.asarray(answers)
    if not len(hit) == len(weight) == len(answer):
        raise ValueError(
            f"{len(hit)} hits, {len(weight)} weights and {len(answer)} answers: give one of each per claim."
        )
    if not (weight > 0).all():
        raise ValueError(f"A weight is {weight.min()!r}; every label must weigh more than 0.")
    if among is not None:
        inside = np.asarray(among, dtype=bool)
        hit, weight, answer = hit[inside], weight[inside], answer[inside]
    if not len(hit):
        return Share(value=None, interval=None, labels=0, effective=0.0)
    value = float(weight @ hit / weight.sum())
    _, cluster = np.unique(answer, return_inverse=True)
    effective = _effective(hit, weight, cluster, value)
    clusters = int(cluster.max()) + 1
    interval = None
    if clusters > 1:
        interval = wilson_interval(value, effective, z=student_quantile(level, clusters - 1))
    return Share(value=value, interval=interval, labels=len(hit), effective=effective, hits=int((hit > 0).sum()))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """A difference of two means over the same answers: `value` in [-1, 1], with a 95% interval.

    `interval` is None if there are fewer than two answers. `labels` counts the pairs behind it.
    """

    value: float
    interval: Interval | None
    labels: int


def paired_difference(
    first: ArrayLike, second: ArrayLike, *, answers: ArrayLike, level: float = CONFIDENCE
) -> MeanDifference | None:
    """Return the mean of first - second over pairs, with answers as clusters; None if there are no pairs.

    Student's t on the variance between answers: the pairs of one answer are not independent.

    Args:
        first: a figure in [0, 1] for each pair, for example 1 for a hit.
        second: the other figure of the same pair.
        answers: the answer of each pair, in any values.
        level: the interval's confidence.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if not len(differences):
        return None
    value = float(differences.mean())
    _, cluster = np.unique(np.asarray(answers), return_inverse=True)
    clusters = int(cluster.max()) + 1
    if clusters < 2:
        return MeanDifference(value=value, interval=None, labels=len(differences))
    residual = np.bincount(cluster, differences - value)
    deviation = float(np.sqrt(clusters / (clusters - 1) * (residual @ residual))) / len(differences)
    reach = student_quantile(level, clusters - 1) * deviation
    return MeanDifference(
        value=value, interval=Interval(max(-1.0, value - reach), min(1.0, value + reach)), labels=len(differences)
    )


def _effective(
    hit: NDArray[np.float64], weight: NDArray[np.float64], cluster: NDArray[np.int64], value: float
) -> float:
    total = weight.sum()
    most = float(total**2 / (weight**2).sum())
    together = np.bincount(cluster, weight)
    clusters = len(together)
    if clusters < 2 or value * (1 - value) < _NO_SPREAD:
        return float(total**2 / (together**2).sum())
    residual = np.bincount(cluster, weight * (hit - value))
    variance = clusters / (clusters - 1) * float(residual @ residual) / total**2
    return most if variance < _NO_SPREAD else min(most, value * (1 - value) / variance)
