"""Tests of a change between points: worked by hand, and against what is known of their distributions."""

import math

import numpy as np
import pytest

from faithview.domain.scoring import Interval
from faithview.stats.paired import compare_pairs
from faithview.stats.trend_steps import (
    Estimate,
    drift_test,
    independent_test,
    mean_of,
    noticeable_change,
    paired_test,
)


def _estimate(mean: float, *, half: float = 0.03, questions: int = 100) -> Estimate:
    return Estimate(mean=mean, interval=Interval(mean - half, mean + half), questions=questions)


def _ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.interval is not None
    return estimate.interval.low, estimate.interval.high


def test_pairs_of_which_four_fell_have_the_sign_flips_of_these_four() -> None:
    before, after = np.ones(20), np.array([0.0] * 4 + [1.0] * 16)
    found = paired_test(before, after, np.arange(20))
    assert found is not None
    # Of 16 ways to sign four changes of 1, two are as extreme. The variance is 3.2 / 19 over 20 questions.
    assert (found.delta, found.pairs, found.p_value) == (-0.2, 20, 2 / 16)
    assert found.error == pytest.approx(math.sqrt(3.2 / 19 / 20))


def test_answers_to_one_question_are_one_change() -> None:
    before, after = np.ones(40), np.array([0.0] * 8 + [1.0] * 32)
    found = paired_test(before, after, np.arange(40) // 2)
    assert found is not None
    assert (found.delta, found.pairs, found.p_value) == (-0.2, 40, 2 / 16)
    many = paired_test(np.ones(200), np.repeat([0.0, 1.0], 100), np.arange(200))
    assert many is not None
    assert many.p_value == compare_pairs(np.ones(200), np.repeat([0.0, 1.0], 100), np.arange(200)).p_value
    assert many.least_p == pytest.approx(2 * math.exp(-50))  # Hoeffding: 100 of 100 random signs alike


def test_independent_points_whose_interval_ends_at_zero_have_a_p_value_of_five_percent() -> None:
    # 0.03 and 0.04 are the legs of a right triangle of 0.05.
    found = independent_test(_estimate(0.90), _estimate(0.85, half=0.04))
    assert found is not None
    assert found.pairs is None
    assert found.delta == pytest.approx(-0.05)
    assert found.p_value == found.least_p == pytest.approx(0.05)
    assert found.error == pytest.approx(0.05 / 1.972, abs=1e-5)  # Student's quantile of 198 degrees
    twice = independent_test(_estimate(0.90), _estimate(0.80, half=0.04))
    assert twice is not None
    assert twice.p_value == pytest.approx(1.11e-4, rel=0.01)  # P(|t| > 3.944) of 198 degrees


def test_nothing_is_tested_below_twenty_questions_or_without_an_interval() -> None:
    assert paired_test(np.ones(19), np.zeros(19), np.arange(19)) is None
    assert drift_test(np.ones((19, 6))) is None
    assert independent_test(_estimate(0.9), _estimate(0.1, questions=19)) is None
    assert independent_test(Estimate(mean=0.9, interval=None, questions=100), _estimate(0.1)) is None


def test_the_mean_of_runs_has_the_interval_of_its_parts() -> None:
    four = mean_of([_estimate(mean, half=0.04) for mean in (0.6, 0.7, 0.7, 0.8)])
    assert four.questions == 400
    assert four.mean == pytest.approx(0.7)
    assert _ends(four) == pytest.approx((0.68, 0.72))  # sqrt(4 * 0.04^2) / 4
    two = mean_of([Estimate(mean=1.0, interval=Interval(0.92, 1.0), questions=50), _estimate(0.9, half=0.06)])
    assert _ends(two) == pytest.approx((0.90, 0.98))  # 0.95 less sqrt(0.08^2 + 0.06^2) / 2, and plus 0.06 / 2


def test_a_drift_is_the_last_column_against_the_mean_of_the_others() -> None:
    # One question that only the last run got wrong: any of the six runs could have been the one.
    one = np.ones((20, 6))
    one[0, -1] = 0.0
    found = drift_test(one)
    assert found is not None
    assert found.pairs == 20
    assert found.delta == pytest.approx(-1 / 20)
    assert found.p_value == pytest.approx(1 / 6, abs=0.015)
    # Two such questions: as extreme only if the last is chosen for both.
    two = one.copy()
    two[1, -1] = 0.0
    again = drift_test(two)
    assert again is not None
    assert again.delta == pytest.approx(-2 / 20)
    assert again.p_value == pytest.approx(1 / 36, abs=0.006)


def test_the_change_that_would_be_noticed_is_the_hardest_tests_and_grows_with_their_number() -> None:
    assert noticeable_change([0.01, 0.02], 1) == pytest.approx(0.02 * 2.8016, rel=1e-4)  # z(0.975) + z(0.8)
    assert noticeable_change([0.01, 0.02], 5) == pytest.approx(0.02 * (2.5758 + 0.8416), rel=1e-4)  # z(0.995)
    assert noticeable_change([], 1) is None
    assert noticeable_change([0.0], 1) is None
