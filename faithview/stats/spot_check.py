"""A spot-check as numbers, and estimates from it: weights, totals and variances.

A *unit* is drawn as a whole: an answer with all its claims, or a single claim. Its `weight` is its share of the run's
score: 1 / N for each of N answers, 1 / (N m) for a claim of an answer with m claims, so the run's score is the sum of
weight times score and all weights add up to 1.

Only units drawn by the design are used here. A label given outside a spot-check has no inclusion probability, so it
does not represent unlabelled claims.

Weights are Hájek's (1971): within each stratum the estimated weight sum_drawn a / pi is scaled to the known one. If
a / pi does not vary that is the Horvitz-Thompson estimator; if it does, it is the better one.

Variances are the design's, between units within strata, with the finite-population correction (Hájek 1964, Deville and
Tillé 2005, "Variance approximation under balanced sampling"); with w the weights, r a unit's residual and n / (n - 1)
refined to 1 / (1 - its share) for unequal weights:

    V = sum_strata sum_drawn (1 - pi) / (1 - share) (z - mean)^2,     z = w r,  mean weighted by 1 - pi

No joint probabilities are needed, and for simple random sampling it is (1 - n / N) s^2 / n exactly.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


class Unit(StrEnum):
    """The unit of drawing: an answer with its claims together, or a single claim."""

    ANSWER = "answer"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """All units of one stratum, drawn or not.

    `units` is their number; `weight` the sum of their weights; `judged` the sum of weight times the judge's score.
    """

    name: str
    units: int
    weight: float
    judged: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheckSample:
    """The data of an estimate: the strata, and the arrays of the drawn units, in any order.

    `stratum` is the position in `strata`; `pi` the inclusion probability in (0, 1], fixed when the unit was drawn;
    `weight` as in the module's text; `judge` the judge's score of the unit in [0, 1]; `people` the reviewers' over its
    labelled claims, nan if none is labelled yet. `labels_per_unit` is the mean number of claims of a unit, which
    converts units to labels.

    The columns below may be None:

    - `is_claim`: False for a labelled unit that reviewers say has no claim. Such units are not part of the population.
    - `labelled_share`: the share of the unit's claims that is labelled, in (0, 1]; 1 where `people` is nan.
    - `per_real`: for a claim drawn singly, the factor for a real claim with which its answer counts in full: the number
      of claims by the judge divided by the number that reviewers call real, as far as that is known.
    - `worst` and `best`: the unit's score if its skipped or tied claims were all wrong, and all right, and labels of
      one reviewer were wrong as often as others imply; nan if nothing of the unit was reached. They equal `people` if
      all of the unit is known.
    """

    strata: tuple[Stratum, ...]
    stratum: Integers
    pi: Floats
    weight: Floats
    judge: Floats
    people: Floats
    unit: Unit = Unit.ANSWER
    labels_per_unit: float = 1.0
    is_claim: Booleans | None = None
    labelled_share: Floats | None = None
    per_real: Floats | None = None
    worst: Floats | None = None
    best: Floats | None = None

    def __post_init__(self) -> None:
        optional = (self.is_claim, self.labelled_share, self.per_real, self.worst, self.best)
        columns = [self.stratum, self.pi, self.weight, self.judge, self.people, *(c for c in optional if c is not None)]
        lengths = {len(column) for column in columns}
        if len(lengths) > 1:
            raise ValueError(
                f"The drawn units' columns have different lengths {sorted(lengths)}; give one row per unit."
            )
        if not self.strata:
            raise ValueError("A spot-check has no stratum; it needs at least one, with all units of the run.")
        bad = self.pi[~((self.pi > 0) & (self.pi <= 1))]
        if len(bad):
            raise ValueError(f"An inclusion probability is {bad[0]!r}; it must be in (0, 1], as stored at the draw.")
        for name, values in (("judge", self.judge), ("people", self.people)):
            known = values[~np.isnan(values)] if name == "people" else values
            outside = known[~((known >= 0) & (known <= 1))]
            if len(outside):
                raise ValueError(f"A score of the {name} is {outside[0]!r}; a unit's scores must be in [0, 1].")

    @property
    def has_unknown(self) -> bool:
        """Whether claims were skipped or tied, so the score depends on unknown labels."""
        if self.worst is None or self.best is None:
            return False
        return bool((self.worst < self.best).any())

    @property
    def raw_judge(self) -> float:
        """The judge's own mean over the whole run."""
        return min(1.0, math.fsum(stratum.judged for stratum in self.strata))


_ALIKE = 1e-9  # sums of scores that differ by less are equal except for rounding
_CERTAIN = 1e-12  # an inclusion probability this close to 1 is 1


class Survey:
    """The labelled units of a spot-check, weighted.

    A drawn unit that is not labelled yet is left out, and the probabilities of the others in its stratum are reduced by
    the labelled share: units are presented in random order (`sampling.Draw`), so those labelled first are a random
    part. A completely labelled stratum is known, whatever its probabilities were.
    """

    def __init__(self, check: SpotCheckSample) -> None:
        labelled = ~np.isnan(check.people)
        share_of_unit = np.ones(len(check.people)) if check.labelled_share is None else check.labelled_share
        part_labelled: Floats = share_of_unit[labelled]
        self._strata = len(check.strata)
        self._stratum: Integers = check.stratum[labelled]
        drawn = self._count(check.stratum)
        share = self._count(self._stratum) / np.maximum(drawn, 1)
        wholly = self._count(self._stratum) == np.array([stratum.units for stratum in check.strata])
        self._pi: Floats = np.where(wholly[self._stratum], 1.0, check.pi[labelled] * share[self._stratum])
        self.scores: Floats = check.people[labelled]
        self.judge: Floats = check.judge[labelled]
        weight = check.weight[labelled]
        self.known = float(weight @ part_labelled)
        self._stratum_weight = np.array([stratum.weight for stratum in check.strata])
        self._weights = weight / self._pi
        self._weights *= _divide(self._stratum_weight, self._sum(self._weights))[self._stratum]
        # The unlabelled rest of a partly labelled unit is as unknown as a unit that was not drawn.
        seen = self._pi * part_labelled
        self._chance_out = np.where(seen < 1 - _CERTAIN, 1 - seen, 0.0)
        spread = self._chance_out * self._weights
        part = _divide(spread, self._sum(spread)[self._stratum])
        self._factor = np.where(part < 1, self._chance_out / np.where(part < 1, 1 - part, 1.0), 0.0)
        is_claim = None if check.is_claim is None else check.is_claim[labelled]
        size = None if is_claim is None or is_claim.all() else is_claim.astype(np.float64)
        if size is not None and check.per_real is not None:
            size *= check.per_real[labelled]
        self.people: Floats = self.scores if size is None else self._linearised(size)
        self.known_score = float((weight * part_labelled) @ self.people)

    @property
    def labelled(self) -> Integers:
        """Labelled units by stratum."""
        return self._count(self._stratum)

    @property
    def by_chance(self) -> Integers:
        """Labelled units by stratum that might not have been drawn; only they add to the variance."""
        return self._count(self._stratum[self._chance_out > 0])

    @property
    def degrees(self) -> float:
        """Degrees of freedom, at least 1: units less strata for equal weights, otherwise fewer (Satterthwaite 1946).

        Computed from the weights alone, so the figure is steady.
        """
        each = self._factor * self._weights**2
        strata = self._sum(each)
        effective = _divide(strata**2, self._sum(each**2))  # Kish's effective number of units by stratum
        return max(1.0, _ratio(strata.sum() ** 2, (strata**2 / np.maximum(effective - 1, 1)).sum()))

    @property
    def unit_variance(self) -> float:
        """The variance of the estimate if a unit's score had variance 1, in every stratum."""
        return float(self._factor @ self._weights**2)

    @property
    def disagreement_variance(self) -> float:
        """The variance that a single unit of ordinary weight, off by 1, would give."""
        return float((self._chance_out @ self._weights**2) / max(len(self._pi), 1))

    @property
    def hidden_variance(self) -> float:
        """The variance of strata whose labels are all alike, if others show a spread; 0 if none does.

        Fifteen supported claims out of fifteen do not prove that the whole stratum is supported. Its share of
        exceptions is assumed to be 0.5 / (n + 1) for the n labels of all such strata together (Jeffreys' prior, as
        elsewhere for a whole sample).
        """
        out = self._chance_out > 0
        count = self._count(self._stratum[out])
        mean = _divide(self._sum(np.where(out, self.people, 0.0)), count.astype(np.float64))
        away = np.where(out, np.abs(self.people - mean[self._stratum]), 0.0)
        is_alike = (self._sum(away) < _ALIKE) & (count > 0)
        if not is_alike.any() or is_alike[count > 0].all():
            return 0.0
        exceptions = 0.5 / (int(count[is_alike].sum()) + 1)
        spread = self._sum(self._factor * self._weights**2)[is_alike].sum()
        return float(exceptions * (1 - exceptions) * spread)

    def mean(self, values: Floats) -> float:
        """Estimate the run's mean of values that are known for the labelled units."""
        return float(self._weights @ values)

    def covariance(self, values: Floats, others: Floats) -> float:
        """Estimate the covariance of two such means over all possible samples."""
        return float((self._factor * self._residuals(values)) @ self._residuals(others))

    def variance_of_variance(self, values: Floats) -> float:
        """Estimate the relative variance of the estimated variance of such a mean, 0 or more.

        The variance is a sum over units; with g its terms, n sum g^2 / (sum g)^2 - 1 is the relative variance of one
        term, and that over n the sum's. For plain draws it is (kurtosis - 1) / n (Cochran 1977, 2.14).
        """
        terms = (self._factor * self._residuals(values) ** 2)[self._chance_out > 0]
        total = float(terms.sum())
        return max(0.0, float(terms @ terms) / total**2 - 1 / len(terms)) if total > 0 else 0.0

    def regression_variance(self, values: Floats, on: Floats, slope: float, *, times: float = 1.0) -> float:
        """Estimate the variance of the mean of values - slope * on, with a slope that was fitted to the same units.

        Residuals are divided by 1 - leverage, as if each unit were left out in turn (the jackknife; MacKinnon and White
        1985, HC3): fitted residuals are too small, most of all for units that determine the slope. With `times` as many
        units the slope would depend on each that much less.
        """
        along = self._residuals(on)
        pull = self._factor * along**2
        leverage = np.clip(_divide(pull, np.full(len(pull), pull.sum())), 0.0, 0.5) / times
        left = self._residuals(values - slope * on) / (1 - leverage)
        return float(self._factor @ left**2)

    def _linearised(self, size: Floats) -> Floats:
        """Return scores whose mean and variance are those of the ratio "supported claims / claims".

        Both sums are estimated, because the real number of claims is known only where reviewers labelled. A ratio's
        first-order Taylor expansion is theta + z (y - theta) / mean(z) (Särndal, Swensson and Wretman 1992, 5.5), with
        z = 0 for a unit that is not a claim: it gets the mean and adds no spread. For a claim z is 1, or
        `SpotCheckSample.per_real`: then the ratio is the mean over answers of "supported claims / claims", exactly so
        if all claims of all drawn answers are labelled.
        """
        whole = self.mean(size)
        if whole <= 0:
            return self.scores
        ratio = self.mean(size * self.scores) / whole
        return np.where(size > 0, ratio + size * (self.scores - ratio) / whole, ratio)

    def _residuals(self, values: Floats) -> Floats:
        mean = _divide(self._sum(self._weights * values), self._stratum_weight)
        z = self._weights * (values - mean[self._stratum])
        centre = _divide(self._sum(self._chance_out * z), self._sum(self._chance_out))
        return z - centre[self._stratum]

    def _sum(self, values: Floats) -> Floats:
        return np.bincount(self._stratum, values, minlength=self._strata).astype(np.float64)

    def _count(self, strata: Integers) -> Integers:
        return np.bincount(strata, minlength=self._strata)


def _divide(part: Floats, whole: Floats) -> Floats:
    """Divide; 0 where the whole is 0, because a stratum without uncertainty adds none."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else 0.0
