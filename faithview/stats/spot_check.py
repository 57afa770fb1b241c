"""A spot-check as numbers: a run's strata, the units drawn from them with known chances, and people's labels.

A *unit* is what was drawn: an answer with all its claims, or a single claim. Its `weight` is its share of the run's
score: 1 / N for each of N answers, 1 / (N m) for a claim of an answer with m claims, so that the run's score is the sum
of weight times score and all weights add up to 1.

Only units drawn by the design belong here. A label given outside a spot-check has no inclusion probability, so it
does not stand for claims that nobody looked at.
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
class SpotCheckSample:
    """What an estimate needs: the strata, and the arrays of the units that were drawn, in any order.

    `stratum` is the position in `strata`; `pi` the inclusion probability in (0, 1], fixed when the unit was drawn;
    `weight` as in the module's text; `judge` the judge's score of the unit in [0, 1]; `people` the people's over its
    labelled claims, nan where none is labelled yet. `labels_per_unit` is the mean number of claims of a unit, from
    which units are turned into labels.

    The columns below are None where they say nothing:

    - `is_claim`: False for a labelled unit that people say holds no claim. Such units are not part of the population.
    - `labelled_share`: which share of the unit's claims is labelled, in (0, 1]; 1 where `people` is nan.
    - `per_real`: for a claim drawn singly, by how many of its answer's claims one real claim is to be multiplied so
      that the answer counts in full: the claims by the judge over those that people call real, as far as that is known.
    - `worst` and `best`: the unit's score if its claims that were passed over or tied were all wrong, and all right,
      and labels of one reviewer were wrong as often as others say; nan where nothing of the unit was reached. They
      equal `people` where all of the unit is known.
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
    def has_unknown(self) -> bool:
        """Whether claims were passed over or tied, so that the score depends on what they would turn out to be."""
        if self.worst is None or self.best is None:
            return False
        return bool((self.worst < self.best).any())

    @property
    def raw_judge(self) -> float:
        """The judge's own mean over the whole run."""
        return min(1.0, math.fsum(stratum.judged for stratum in self.strata))
