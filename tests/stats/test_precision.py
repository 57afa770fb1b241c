"""How many labels a precision takes, checked by labelling so many and looking."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from faithview.stats.corrected_score import CorrectedScore, corrected_score, foreseen_labels, wilson_of_rest
from faithview.stats.intervals import student_quantile, wilson_interval
from faithview.stats.precision import LabelsNeeded, labels_needed, size_for
from faithview.stats.sampling import draw, inclusion_probabilities, plan_spot_check
from faithview.stats.spot_check import Floats, Integers, SpotCheckSample, Stratum, Survey, Unit

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
MIDDLING = Made(right=2, wrong=1.3)


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


@pytest.mark.parametrize("run", [MOSTLY_RIGHT, MIDDLING], ids=["mostly right", "middling"])
@pytest.mark.parametrize("unit", list(Unit))
def test_labelling_as_many_more_as_it_says_reaches_the_width_in_four_of_five_and_few_labels_are_too_many(
    run: Made, unit: Unit
) -> None:
    units = run.units(unit)
    half_width, advised, needed, reached = 0.05, [], [], []
    for seed in range(60):
        order = units.order(seed)
        least = units.least(order, half_width)
        part = units.spot_check(order, round(0.7 * least))
        number = round(0.7 * least) + labels_needed(part, scored(part), half_width=half_width).units
        advised.append(number)
        needed.append(least)
        reached.append(units.half_width(order, number) <= half_width)
    assert np.mean(reached) >= 0.8
    assert np.mean(advised) <= 1.2 * np.mean(needed)


@pytest.mark.parametrize("run", [MOSTLY_RIGHT, MIDDLING], ids=["mostly right", "middling"])
@pytest.mark.parametrize("unit", list(Unit))
def test_before_any_label_the_judges_scores_give_a_size_that_reaches_the_width_and_is_at_most_twice_what_is_needed(
    run: Made, unit: Unit
) -> None:
    units = run.units(unit)
    number = size_for(units.weight, units.judge, half_width=0.05).units
    orders = [units.order(seed) for seed in range(40)]
    assert np.mean([units.half_width(order, number) <= 0.05 for order in orders]) >= 0.8
    assert number <= 2 * np.median([units.least(order, 0.05) for order in orders])


def test_single_claims_take_fewer_labels_than_whole_answers() -> None:
    claims, answers = (
        size_for(units.weight, units.judge, half_width=0.05, labels_per_unit=units.labels_per_unit).labels
        for units in (MOSTLY_RIGHT.units(Unit.CLAIM), MOSTLY_RIGHT.units(Unit.ANSWER))
    )
    assert claims < 0.7 * answers


def test_before_any_label_a_judge_that_finds_half_right_gives_the_size_of_a_plain_sample_but_for_its_help() -> None:
    # From a run without end: t^2 p (1 - p) / (n - 1) = 0.05^2 at p = 0.5 gives 385 and a few for t and Wilson.
    judge = np.tile([0.0, 1.0], 10**5)
    needed = size_for(np.ones(2 * 10**5), judge, half_width=0.05)
    assert needed.units == pytest.approx(0.75 * 385, abs=6)
    assert needed.labels == needed.units
    assert not needed.is_all


def test_a_judge_that_finds_everything_right_is_not_taken_at_its_word() -> None:
    assert 50 < size_for(np.ones(5_000), np.ones(5_000), half_width=0.05).units < 150


def test_a_run_too_small_for_the_width_is_to_be_labelled_wholly() -> None:
    needed = size_for(np.ones(20), np.tile([0.0, 1.0], 10), half_width=0.01, labels_per_unit=3.0)
    assert (needed.units, needed.labels, needed.is_all) == (20, 60, True)


@pytest.mark.parametrize("half_width", [0.0, 0.5, -0.1])
def test_a_precision_that_makes_no_sense_is_refused(half_width: float) -> None:
    with pytest.raises(ValueError, match="must be between 0 and"):
        size_for(np.ones(100), np.ones(100), half_width=half_width)


def width_of(score: float, *, labels: float, known: float, quantile: float) -> float:
    """Half the width of Wilson's interval of the part of a run that is not known, by so many labels."""
    part = 2 * (1 - known) / (2 - known)
    interval = wilson_interval(score, labels * part**2, z=quantile)
    return part * (interval.high - interval.low) / 2


@pytest.mark.parametrize("half_width", [0.03, 0.05, 0.1, *(0.2 + step / 200 for step in range(50))])
def test_the_size_before_any_label_is_the_least_that_gives_the_width_by_the_judges_scores(half_width: float) -> None:
    # 240 answers of 1, 80 of 0.75 and 80 of 0.25: mean 0.8, variance 0.085 of at most 0.16, and 0.4 are not perfect.
    judge = np.repeat([1.0, 0.75, 0.25], [240, 80, 80])
    # People's mean may be nearer to 0.5, by 0.95 of the judge's errors (0.04) and the luck of the draw together.
    mean = 0.8 - 0.95 * math.hypot(0.04, half_width / 1.959964)
    helps = 0.25 * 0.16 / (mean * (1 - mean))

    def width(number: int) -> float:
        ratio = (0.4 * number * 0.085 / 0.16 + 1) / (0.4 * number + 1)
        variance = (1 - number / 400) / (number - 1) * ratio * (1 - helps)
        quantile = student_quantile(0.95, number - 1)
        return width_of(mean, labels=1 / variance, known=number / 400, quantile=quantile)

    needed = size_for(np.ones(400), judge, half_width=half_width, labels_per_unit=2.5)
    assert width(needed.units) <= half_width < width(needed.units - 1)
    assert needed.labels == math.ceil(2.5 * needed.units)
    assert not needed.is_all
    assert size_for(np.ones(400), 1 - judge, half_width=half_width).units == needed.units


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


@pytest.mark.parametrize("judge", [[], [0.5, 1.1], [-0.1, 0.5], [0.5, math.nan]])
def test_scores_of_a_judge_out_of_range_are_refused(judge: list[float]) -> None:
    with pytest.raises(ValueError, match=r"must be in \[0, 1\]"):
        size_for(np.ones(len(judge)), judge, half_width=0.05)


def test_no_width_is_reached_by_fewer_than_two_labels() -> None:
    assert size_for(np.ones(400), np.repeat([1.0, 0.0], [320, 80]), half_width=0.4999).units == 2


def test_with_a_judge_that_helps_the_variance_is_that_of_the_disagreement() -> None:
    people, judge = np.repeat([1.0, 0.0], [30, 10]), np.repeat([1.0, 0.0, 1.0, 0.0], [28, 2, 1, 9])
    check = SpotCheckSample(
        strata=(Stratum(name="all", units=400, weight=1.0, judged=0.7),),
        stratum=np.zeros(40, dtype=np.int64),
        pi=np.full(40, 0.1),
        weight=np.full(40, 1 / 400),
        judge=judge,
        people=people,
    )
    score = scored(check)
    assert score.tuning > 0.5
    wavering = Survey(check).variance_of_variance(people - score.tuning * judge)

    def width(more: int) -> float:
        number = 40 + more
        ahead = (1 / number - 1 / 400) / (1 / 40 - 1 / 400)
        labels = foreseen_labels(check, times=number / 40) * 40 / number / ahead
        dearer = 1 + 0.95 * math.sqrt(wavering * (1 - ahead))
        quantile = student_quantile(0.95, score.degrees * number / 40)
        part = 2 * (1 - number / 400) / (2 - number / 400)
        base = score.corrected.score * (1 - part)
        interval = wilson_of_rest(
            score.corrected.score, labels=labels / dearer * part**2, part=part, base=base, quantile=quantile
        )
        return (interval.high - interval.low) / 2

    needed = labels_needed(check, score, half_width=0.04).units
    assert width(needed) <= 0.04 < width(needed - 1)


def test_a_mean_near_a_half_is_moved_to_a_half_and_not_beyond() -> None:
    judge = np.repeat([1.0, 0.0], [255, 245])
    sizes = {size_for(np.ones(500), values, half_width=0.05).units for values in (judge, 1 - judge)}
    assert len(sizes) == 1
