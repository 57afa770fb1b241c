"""Spot-checks for the tests of estimators, made from one row for every claim of a run."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from faithview.stats.spot_check import SpotCheckSample, Stratum, Unit

Floats = NDArray[np.float64]


def make_spot_check(
    *,
    answer: ArrayLike,
    stratum: ArrayLike,
    pi: ArrayLike,
    judge: ArrayLike,
    people: ArrayLike,
    unit: Unit = Unit.ANSWER,
) -> SpotCheckSample:
    """Build a spot-check; `pi` is nan where the claim was not drawn, `people` nan where it has no label."""
    _, answers = np.unique(np.asarray(answer), return_inverse=True)
    names, strata = np.unique(np.asarray(stratum), return_inverse=True)
    columns = [np.asarray(values, dtype=np.float64) for values in (pi, judge, people)]
    claims = np.bincount(answers).astype(np.float64)
    weight = 1 / (len(claims) * claims[answers])
    if unit is Unit.ANSWER:
        _, first = np.unique(answers, return_index=True)
        chances, judged, labelled = columns
        # The mean of an answer with a claim that has no label yet is nan.
        columns = [chances[first], np.bincount(answers, judged) / claims, np.bincount(answers, labelled) / claims]
        strata, weight = strata[first], np.full(len(claims), 1 / len(claims))
    chances, judged, labelled = columns
    drawn = ~np.isnan(chances)
    return SpotCheckSample(
        strata=tuple(_stratum(str(name), weight[strata == at], judged[strata == at]) for at, name in enumerate(names)),
        stratum=strata[drawn],
        pi=chances[drawn],
        weight=weight[drawn],
        judge=judged[drawn],
        people=labelled[drawn],
        is_claim=np.ones(int(drawn.sum()), dtype=np.bool_),
        worst=labelled[drawn],
        best=labelled[drawn],
        unit=unit,
        labels_per_unit=float(claims.mean()) if unit is Unit.ANSWER else 1.0,
    )


def _stratum(name: str, weight: Floats, judged: Floats) -> Stratum:
    return Stratum(name=name, units=len(weight), weight=sum(weight.tolist()), judged=sum((weight * judged).tolist()))
