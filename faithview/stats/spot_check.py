"""The labels of a spot-check as numbers.

A *unit* is drawn as a whole: an answer with all its claims, or a single claim. Its `weight` is its share of the run's
score: 1 / N for each of N answers, 1 / (N m) for a claim of an answer with m claims, so the run's score is the sum of
weight times score and all weights add up to 1.
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
    labelled claims, nan if none is labelled. `is_claim` is False for a labelled unit that reviewers say has no claim:
    it is not part of the population. `worst` and `best` are the unit's score if its skipped or tied claims were all
    wrong, and all right; they equal `people` if all of the unit is known. `labels_per_unit` is the mean number of
    claims of a unit, which converts units to labels.
    """

    strata: tuple[Stratum, ...]
    stratum: Integers
    pi: Floats
    weight: Floats
    judge: Floats
    people: Floats
    is_claim: Booleans
    worst: Floats
    best: Floats
    unit: Unit = Unit.ANSWER
    labels_per_unit: float = 1.0

    @property
    def raw_judge(self) -> float:
        """The judge's own mean over the whole run."""
        return min(1.0, math.fsum(stratum.judged for stratum in self.strata))
