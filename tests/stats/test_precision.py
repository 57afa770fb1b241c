"""How many labels a precision takes, checked by labelling so many and looking."""

import math
from dataclasses import dataclass

import numpy as np

from faithview.stats.corrected_score import CorrectedScore, corrected_score
from faithview.stats.intervals import student_quantile, wilson_interval
from faithview.stats.precision import LabelsNeeded, labels_needed, size_for
from faithview.stats.sampling import draw, inclusion_probabilities, plan_spot_check
from faithview.stats.spot_check import Floats, Integers, SpotCheckSample, Stratum, Unit

N = 800
_RNG = np.random.default_rng(7)
PEOPLE = (_RNG.random(N) < 0.85).astype(np.float64)
JUDGE = np.where(_RNG.random(N) < 0.9, PEOPLE, 1 - PEOPLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """A run's units, with what judge and people say of each."""

    unit: Unit
    weight: Floats
    judge: Floats
    people: Floats
    labels_per_unit: float

    def order(self, seed: int) -> Integers:
        """Return the units in a random order, the likelier ahead, of which every spot-check is a first part."""
        drawn: Integers = np.argsort(np.random.default_rng(seed).exponential(size=len(self.weight)) / self.weight)
        return drawn

    def spot_check(self, order: Integers, number: int) -> SpotCheckSample:
        at = order[:number]
        judged = float(self.weight @ self.judge)
        return SpotCheckSample(
            strata=(Stratum(name="all", units=len(self.weight), weight=1.0, judged=judged),),
            stratum=np.zeros(number, dtype=np.int64),
            pi=inclusion_probabilities(self.weight, number)[at],
            weight=self.weight[at],
            judge=self.judge[at],
            people=self.people[at],
            unit=self.unit,
            labels_per_unit=self.labels_per_unit,
        )

    def half_width(self, order: Integers, number: int) -> float:
        return scored(self.spot_check(order, number)).sampling_half_width

    def least(self, order: Integers, half_width: float) -> int:
        """Return how many labels of this order give the width."""
        low, high = 5, len(order)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.half_width(order, middle) <= half_width else (middle + 1, high)
        return low


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A run of 600 answers with one to seven claims: claims of an answer are alike, as much as two figures say."""

    right: float
    wrong: float

    def units(self, unit: Unit) -> Units:
        rng = np.random.default_rng(0)
        answers = 600
        claims = rng.integers(1, 8, answers)
        answer = np.repeat(np.arange(answers), claims)
        people = (rng.random(len(answer)) < rng.beta(self.right, self.wrong, answers)[answer]).astype(np.float64)
        judge = np.where(rng.random(len(answer)) < 0.15, 1 - people, people)
        if unit is Unit.ANSWER:
            scores = [np.bincount(answer, values) / claims for values in (judge, people)]
            weight = np.full(answers, 1 / answers)
            return Units(
                unit=unit, weight=weight, judge=scores[0], people=scores[1], labels_per_unit=float(claims.mean())
            )
        return Units(unit=unit, weight=1 / answers / claims[answer], judge=judge, people=people, labels_per_unit=1.0)


MOSTLY_RIGHT = Made(right=5, wrong=0.6)


def spot_check(number: int, *, seed: int) -> SpotCheckSample:
    drawn = draw(plan_spot_check(np.full(N, 1 / N), size=number), seed=seed)
    return SpotCheckSample(
        strata=(Stratum(name="all", units=N, weight=1.0, judged=float(JUDGE.mean())),),
        stratum=np.zeros(number, dtype=np.int64),
        pi=drawn.pi,
        weight=np.full(number, 1 / N),
        judge=JUDGE[drawn.units],
        people=PEOPLE[drawn.units],
        labels_per_unit=3.5,
    )


def scored(check: SpotCheckSample) -> CorrectedScore:
    score = corrected_score(check)
    assert isinstance(score, CorrectedScore)
    return score


def test_a_precision_already_reached_needs_no_more() -> None:
    check = spot_check(200, seed=1)
    assert labels_needed(check, scored(check), half_width=0.2).labels == 0


def test_an_extreme_precision_needs_all_that_is_left_and_no_more() -> None:
    check = spot_check(200, seed=1)
    assert labels_needed(check, scored(check), half_width=1e-6).units == N - 200


def test_answers_drawn_whole_take_as_many_labels_as_they_have_claims() -> None:
    check = spot_check(80, seed=1)
    needed = labels_needed(check, scored(check), half_width=0.04)
    assert needed.labels == np.ceil(3.5 * needed.units)


def test_single_claims_take_fewer_labels_than_whole_answers() -> None:
    claims, answers = (
        size_for(units.weight, units.judge, half_width=0.05, labels_per_unit=units.labels_per_unit).labels
        for units in (MOSTLY_RIGHT.units(Unit.CLAIM), MOSTLY_RIGHT.units(Unit.ANSWER))
    )
    assert claims < 0.7 * answers


def width_of(score: float, *, labels: float, known: float, quantile: float) -> float:
    """Half the width of Wilson's interval of the part of a run that is not known, by so many labels."""
    part = 2 * (1 - known) / (2 - known)
    interval = wilson_interval(score, labels * part**2, z=quantile)
    return part * (interval.high - interval.low) / 2


def test_how_many_more_labels_a_width_takes_worked_by_hand() -> None:
    # 40 of 400 answers, 36 right, and a judge that says the same of all: 39 / 0.9 labels. The variance of the variance
    # is (1 / (0.9 * 0.1) - 4) / 40 of its square, and the labels so far are a part of those then.
    check = SpotCheckSample(
        strata=(Stratum(name="all", units=400, weight=1.0, judged=1.0),),
        stratum=np.zeros(40, dtype=np.int64),
        pi=np.full(40, 0.1),
        weight=np.full(40, 1 / 400),
        judge=np.ones(40),
        people=np.repeat([1.0, 0.0], [36, 4]),
        labels_per_unit=2.5,
    )

    def width(more: int) -> float:
        number = 40 + more
        ahead = (1 / number - 1 / 400) / (1 / 40 - 1 / 400)
        dearer = 1 + 0.95 * math.sqrt((1 / 0.09 - 4) / 40 * (1 - ahead))
        quantile = student_quantile(0.95, 39 * number / 40)
        return width_of(0.9, labels=39 / 0.9 / ahead / dearer, known=number / 400, quantile=quantile)

    for half_width in (0.03, 0.05, 0.08):
        needed = labels_needed(check, scored(check), half_width=half_width)
        assert width(needed.units) <= half_width < width(needed.units - 1)
        assert needed.labels == math.ceil(2.5 * needed.units)
        assert not needed.is_all
    assert labels_needed(check, scored(check), half_width=1e-6) == LabelsNeeded(units=360, labels=900, is_all=True)
    reached = scored(check).sampling_half_width
    assert labels_needed(check, scored(check), half_width=reached) == LabelsNeeded(units=0, labels=0, is_all=False)
