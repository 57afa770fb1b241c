"""Intervals that hold at every look while people label."""

from dataclasses import replace

import numpy as np
import pytest

from faithview.stats.anytime import half_way_variance, look_quantile
from faithview.stats.corrected_score import CorrectedScore, corrected_score
from faithview.stats.spot_check import SpotCheckSample
from tests.performance.sequential_looks import missed_looks, populations, spot_check

LOOKS = 12
SPOT_CHECKS = 120


def labelled(check: SpotCheckSample, number: int) -> SpotCheckSample:
    """The spot-check when so many of its units, in the queue's order, have a label."""
    return replace(check, people=np.where(np.arange(len(check.people)) < number, check.people, np.nan))


def score_of(check: SpotCheckSample, *, is_final: bool) -> CorrectedScore:
    score = corrected_score(check, is_final=is_final)
    assert isinstance(score, CorrectedScore)
    return score


def test_the_reach_is_that_of_the_source() -> None:
    # By hand: g = 5.99 + log 5.99 + 1 = 8.78, z^2 = (1 + 1 / 8.78) (log 9.78 + 5.99) = 9.21.
    assert look_quantile(1.0, degrees=1e6) == pytest.approx(3.035, abs=1e-3)


def test_the_reach_is_least_about_half_way_and_grows_slowly_from_there() -> None:
    reaches = [look_quantile(share, degrees=1e6) for share in (0.05, 0.3, 1.0, 2.0, 4.0)]
    assert reaches[0] > reaches[1] > reaches[2] < reaches[3] < reaches[4] < 3.2


def test_half_of_a_small_run_says_more_than_as_many_of_a_large_one() -> None:
    small = spot_check(populations()[2], 1)
    assert half_way_variance(small) == pytest.approx((1 - 70 / 300) / 70)


def test_over_many_looks_the_truth_stays_inside_where_the_fixed_interval_loses_it() -> None:
    run = populations()[0]
    fixed, shown = np.mean([missed_looks(run, seed, looks=LOOKS) for seed in range(SPOT_CHECKS)], axis=0)
    assert fixed > 0.15
    assert shown <= 0.1  # 6 % in 1,000 spot-checks; three standard errors of so few are another 6 %


@pytest.mark.parametrize("number", [2, 5, 20, 70, 139])
@pytest.mark.parametrize("population", [0, 1, 2])
def test_it_is_never_narrower_than_the_fixed_interval_and_stays_between_0_and_1(number: int, population: int) -> None:
    check = labelled(spot_check(populations()[population], 7), number)
    fixed, anytime = (score_of(check, is_final=is_final).corrected for is_final in (True, False))
    assert anytime.half_width > fixed.half_width
    assert 0 <= anytime.interval.low <= anytime.score <= anytime.interval.high <= 1
