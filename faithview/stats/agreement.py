"""Shares of labelled claims and the agreement of two raters, with intervals that allow for weights and clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile, wilson_interval

_NONE = 1e-12  # what rounding leaves of a sum that is 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its 95% interval and the labels behind it.

    `value` is None if the labels do not define it, and `interval` also if all are of one cluster, which shows no
    spread. `labels` counts the labels and `hits` those among them that are hits, both unweighted.
    """

    value: float | None = None
    interval: Interval | None = None
    labels: int = 0
    hits: int = 0


def share(hits: ArrayLike, *, clusters: ArrayLike, weights: ArrayLike | None = None) -> Estimate:
    """Return the weighted share of hits, with Wilson's interval (1927) on the effective number of labels.

    Args:
        hits: whether each label is a hit.
        clusters: what the labels that are not independent have in common: their answer or their question.
        weights: above 0: 1 / pi for labels of a spot-check; None for equal ones.
    """
    hit = np.asarray(hits, dtype=np.float64)
    if not len(hit):
        return Estimate()
    weight, cluster, number = _columns(len(hit), clusters, weights)
    value = clip(float(weight @ hit / weight.sum()))
    interval = None
    if number > 1:
        most = float(weight.sum() ** 2 / (weight**2).sum())
        effective = min(most, _effective(value, hit - value, weight, cluster))
        interval = wilson_interval(value, effective, z=student_quantile(CONFIDENCE, number - 1))
    return Estimate(value=value, interval=interval, labels=len(hit), hits=int((hit > 0).sum()))


def kappa(first: ArrayLike, second: ArrayLike, *, clusters: ArrayLike, weights: ArrayLike | None = None) -> Estimate:
    """Return Cohen's kappa (1960) of two raters of the same claims; `hits` counts equal verdicts.

        kappa = (observed - chance) / (1 - chance): 1 is perfect, 0 is the level of chance, below 0 is worse.

    It is None if all verdicts are the same, so that no disagreement is expected. The variance is that of Fleiss, Cohen
    and Everitt (1969), between clusters. The interval is Wilson's of the observed agreement, for the number of labels
    that gives this variance, since a normal one is too narrow for few labels.

    Args:
        first: one rater's verdicts.
        second: the other's verdicts on the same claims.
        clusters: as for `share`.
        weights: as for `share`; each cell of the table of verdicts is then an estimate (Horvitz and Thompson 1952).
    """
    ours, theirs = np.asarray(first), np.asarray(second)
    hits = int((ours == theirs).sum())
    weight, cluster, number = _columns(len(ours), clusters, weights)
    verdicts, codes = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    at, other = codes[: len(ours)], codes[len(ours) :]
    table = np.zeros((len(verdicts), len(verdicts)))
    np.add.at(table, (at, other), weight)
    total = max(table.sum(), _NONE)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed, left = float(np.trace(table) / total), float(1 - (rows * columns).sum() / total**2)
    if not len(ours) or left < _NONE:
        return Estimate(labels=len(ours), hits=hits)
    interval = None
    if number > 1:
        # By how much a claim moves `observed`, less by how much it moves what chance gives: kappa's linear part.
        by_chance = (columns[at] + rows[other]) / total - 2 * (1 - left)
        influence = (at == other) - observed - (1 - observed) / left * by_chance
        effective = _effective(observed, influence, weight, cluster)
        between = wilson_interval(observed, effective, z=student_quantile(CONFIDENCE, number - 1))
        interval = Interval(max(-1.0, 1 - (1 - between.low) / left), 1 - (1 - between.high) / left)
    return Estimate(value=1 - (1 - observed) / left, interval=interval, labels=len(ours), hits=hits)


def _columns(
    length: int, clusters: ArrayLike, weights: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.int64], int]:
    """Return the weights, each label's cluster as a number from 0, and how many clusters there are."""
    found, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    return np.ones(length) if weights is None else np.asarray(weights, dtype=np.float64), cluster, len(found)


def _effective(
    value: float, influence: NDArray[np.float64], weight: NDArray[np.float64], cluster: NDArray[np.int64]
) -> float:
    """Return how many independent labels would give the share `value` the variance that it has here.

    The variance is that of a ratio with clusters (Särndal, Swensson and Wretman 1992, 5.6). Where it is 0, the
    effective number of clusters (Kish 1965) takes its place.
    """
    total, together = weight.sum(), np.bincount(cluster, weight)
    residual = np.bincount(cluster, weight * influence)
    variance = len(together) / (len(together) - 1) * float(residual @ residual) / total**2
    if min(value * (1 - value), variance) < _NONE:
        return float(total**2 / (together**2).sum())
    return float(value * (1 - value) / variance)
