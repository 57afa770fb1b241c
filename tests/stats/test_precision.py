"""How many labels a precision takes, checked by labelling so many and looking."""

import numpy as np
import pytest

from faithview.stats.precision import labels_needed, size_for
from faithview.stats.prediction_powered import CorrectedScore, corrected_score
from faithview.stats.sampling import draw, plan_spot_check
from faithview.stats.spot_check import SpotCheckSample, Stratum

N = 800
_RNG = np.random.default_rng(7)
PEOPLE = (_RNG.random(N) < 0.85).astype(np.float64)
JUDGE = np.where(_RNG.random(N) < 0.9, PEOPLE, 1 - PEOPLE)


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


def width_after(number: int) -> float:
    return float(np.mean([scored(spot_check(number, seed=seed)).corrected.half_width for seed in range(150)]))


@pytest.mark.parametrize("half_width", [0.06, 0.04, 0.02])
def test_labelling_as_many_more_as_it_says_reaches_the_precision(half_width: float) -> None:
    needed = []
    for seed in range(60):
        check = spot_check(80, seed=seed)
        needed.append(80 + labels_needed(check, scored(check), half_width=half_width).units)
    assert width_after(int(np.median(needed))) == pytest.approx(half_width, rel=0.1)


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


def test_before_any_label_the_size_is_that_of_a_plain_sample() -> None:
    # From a run without end: t^2 p (1 - p) / (n - 1) = 0.05^2 at p = 0.5 gives 385 and a few for t and Wilson.
    assert size_for(half_width=0.05, expected=0.5, units=10**6).units == pytest.approx(385, abs=6)


def test_a_plain_sample_of_that_size_reaches_the_precision() -> None:
    number = size_for(half_width=0.04, expected=float(PEOPLE.mean()), units=N).units
    widths = [scored(spot_check(number, seed=seed)).labels_only.half_width for seed in range(100)]
    assert np.mean(widths) == pytest.approx(0.04, rel=0.05)


@pytest.mark.parametrize("half_width", [0.0, 0.5, -0.1])
def test_a_precision_that_makes_no_sense_is_refused(half_width: float) -> None:
    with pytest.raises(ValueError, match="must lie between 0 and"):
        size_for(half_width=half_width, expected=0.9, units=100)
