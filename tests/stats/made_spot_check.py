"""Spot-checks for the tests of estimators, made from one row for every claim of a run."""

import numpy as np
from numpy.typing import ArrayLike

from faithview.stats.corrected_score import Floats, SpotCheckSample, Stratum


def make_spot_check(
    *, answer: ArrayLike, stratum: ArrayLike, pi: ArrayLike, judge: ArrayLike, people: ArrayLike
) -> SpotCheckSample:
    """Build a spot-check; `pi` is nan where the claim was not drawn, `people` nan where it has no label."""
    _, answers = np.unique(np.asarray(answer), return_inverse=True)
    names, strata = np.unique(np.asarray(stratum), return_inverse=True)
    chances, judged, labelled = (np.asarray(values, dtype=np.float64) for values in (pi, judge, people))
    claims = np.bincount(answers).astype(np.float64)
    weight = 1 / (len(claims) * claims[answers])
    drawn = ~np.isnan(chances)
    return SpotCheckSample(
        strata=tuple(_stratum(str(name), weight[strata == at], judged[strata == at]) for at, name in enumerate(names)),
        stratum=strata[drawn],
        pi=chances[drawn],
        weight=weight[drawn],
        judge=judged[drawn],
        people=labelled[drawn],
        is_claim=np.ones(int(drawn.sum()), dtype=np.bool_),
    )


def _stratum(name: str, weight: Floats, judged: Floats) -> Stratum:
    return Stratum(name=name, claims=len(weight), weight=sum(weight.tolist()), judged=sum((weight * judged).tolist()))
