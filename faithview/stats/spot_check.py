"""A spot-check as numbers: a run's strata, the units drawn from them with known chances, and what people found.

A *unit* is what was drawn: an answer with all its claims, or a single claim. Its `weight` is its share of the run's
score: 1 / N for each of N answers, 1 / (N m) for a claim of an answer with m claims, so that the run's score is the sum
of weight times score and all weights add up to 1 (METHODS: a_ij).

Only units drawn by the design belong here. A label given outside a spot-check has no inclusion probability and says
nothing about claims nobody looked at.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Unit(StrEnum):
    """What is drawn at once: an answer with its claims together, or claims one by one."""

    ANSWER = "answer"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Everything in one stratum, drawn or not.

    `units` is how many; `weight` the sum of their weights; `judged` the sum of weight times the judge's score.
    """

    name: str
    units: int
    weight: float
    judged: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheck:
    """What an estimate needs: the strata, and the arrays of the units that were drawn, in any order.

    `stratum` is the position in `strata`; `pi` the inclusion probability in (0, 1], fixed when the unit was drawn;
    `weight` as in the module's text; `judge` the judge's score of the unit in [0, 1]; `people` the people's, nan where
    the unit was drawn and is not labelled (wholly) yet. `labels_per_unit` is the mean number of claims of a unit, from
    which units are turned into labels.
    """

    strata: tuple[Stratum, ...]
    stratum: Integers
    pi: Floats
    weight: Floats
    judge: Floats
    people: Floats
    unit: Unit = Unit.ANSWER
    labels_per_unit: float = 1.0

    def __post_init__(self) -> None:
        lengths = {len(a) for a in (self.stratum, self.pi, self.weight, self.judge, self.people)}
        if len(lengths) > 1:
            raise ValueError(f"The drawn units' columns have different lengths {sorted(lengths)}; give one row a unit.")
        if not self.strata:
            raise ValueError("A spot-check has no stratum; it needs at least one, with all units of the run.")
        bad = self.pi[~((self.pi > 0) & (self.pi <= 1))]
        if len(bad):
            raise ValueError(f"An inclusion probability is {bad[0]!r}; it must be in (0, 1], as stored at the draw.")
        for name, values in (("judge", self.judge), ("people", self.people)):
            known = values[~np.isnan(values)] if name == "people" else values
            outside = known[~((known >= 0) & (known <= 1))]
            if len(outside):
                raise ValueError(f"A score of the {name} is {outside[0]!r}; scores of a unit lie in [0, 1].")

    @property
    def raw_judge(self) -> float:
        """The judge's own mean over the whole run."""
        return sum(stratum.judged for stratum in self.strata)


def spot_check_of(
    *,
    answer: ArrayLike,
    stratum: ArrayLike,
    pi: ArrayLike,
    judge: ArrayLike,
    people: ArrayLike,
    unit: Unit = Unit.ANSWER,
    not_a_claim: ArrayLike | None = None,
) -> SpotCheck:
    """Build a spot-check from one row for every claim of the run, drawn or not, as a query returns them.

    Args:
        answer: which answer the claim belongs to.
        stratum: the stratum its unit was drawn from; the same for all claims of an answer that is drawn whole.
        pi: the unit's inclusion probability; nan where it was not drawn.
        judge: 1.0 where the judge calls the claim supported, else 0.0; nan for a claim that only people saw (missed by
            the judge), which counts for the people's score of its answer.
        people: 1.0 / 0.0 likewise, by people's effective verdict; nan where there is no label.
        unit: what was drawn at once.
        not_a_claim: True where people say that the row is an extraction error: it leaves the people's score of its
            answer (an answer without any claim left scores 1). Drawn singly, such a row is left out of the estimate.

    Raises:
        ValueError: the columns differ in length, or a probability or score is out of its range.
    """
    _, of = np.unique(np.asarray(answer), return_inverse=True)
    names, strata = np.unique(np.asarray(stratum), return_inverse=True)
    chances, f, y = (np.asarray(values, dtype=np.float64) for values in (pi, judge, people))
    error = np.zeros(len(of), bool) if not_a_claim is None else np.asarray(not_a_claim, dtype=bool)
    lengths = {len(of), len(strata), len(chances), len(f), len(y), len(error)}
    if len(lengths) > 1:
        raise ValueError(f"The columns have different lengths {sorted(lengths)}; give one row a claim.")
    if not len(of):
        raise ValueError("The run has no judged answer, so there is no score to estimate; judge it first.")
    seen = ~np.isnan(f)
    answers = int(of.max()) + 1
    claims = np.bincount(of[seen], minlength=answers).astype(np.float64)
    if not claims.all():
        raise ValueError(
            "An answer has no claim by the judge; leave it out: a run's score is about judged answers only."
        )
    if unit is Unit.CLAIM:
        where = np.flatnonzero(seen)
        weight = 1 / (answers * claims[of[where]])
        columns = (strata[where], chances[where], weight, f[where], np.where(error, np.nan, y)[where])
        return _of_units(names, columns, unit=unit, labels_per_unit=1.0)
    _, first = np.unique(of, return_index=True)
    judged = np.bincount(of[seen], f[seen], minlength=answers) / claims
    columns = (
        strata[first],
        chances[first],
        np.full(answers, 1 / answers),
        judged,
        _people_scores(of, y, error, answers),
    )
    return _of_units(names, columns, unit=unit, labels_per_unit=float(claims.mean()))


def _people_scores(of: Integers, y: Floats, error: NDArray[np.bool_], answers: int) -> Floats:
    """Return the share of supported claims by answer; nan where a claim has no label yet, 1 where none is left."""
    labelled = ~error & ~np.isnan(y)
    kept = np.bincount(of[labelled], minlength=answers)
    found = np.bincount(of[labelled], y[labelled], minlength=answers)
    complete = np.bincount(of[np.isnan(y) & ~error], minlength=answers) == 0
    return np.where(complete, np.where(kept == 0, 1.0, found / np.maximum(kept, 1)), np.nan)


def _of_units(
    names: NDArray[np.str_],
    columns: tuple[Integers, Floats, Floats, Floats, Floats],
    *,
    unit: Unit,
    labels_per_unit: float,
) -> SpotCheck:
    stratum, pi, weight, judge, people = columns
    drawn = ~np.isnan(pi)
    size = len(names)
    totals = (
        np.bincount(stratum, minlength=size),
        np.bincount(stratum, weight, minlength=size),
        np.bincount(stratum, weight * judge, minlength=size),
    )
    return SpotCheck(
        strata=tuple(
            Stratum(name=str(name), units=int(units), weight=float(a), judged=float(f))
            for name, units, a, f in zip(names, *totals, strict=True)
        ),
        stratum=stratum[drawn],
        pi=pi[drawn],
        weight=weight[drawn],
        judge=judge[drawn],
        people=people[drawn],
        unit=unit,
        labels_per_unit=labels_per_unit,
    )
