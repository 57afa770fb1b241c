"""The interval of a mean difference, on questions few enough to work it out by hand."""

import numpy as np
import pytest

from faithview.domain.scoring import Interval
from faithview.stats.difference_interval import difference_interval
from faithview.stats.intervals import student_quantile, wilson_interval


def interval_of(sums: list[float], sizes: list[float] | None = None, *, level: float = 0.95, seed: int = 1) -> Interval:
    found = difference_interval(
        np.array(sums), np.ones(len(sums)) if sizes is None else np.array(sizes), level=level, seed=seed
    )
    assert found is not None
    return found


def test_two_questions_have_an_interval_and_one_has_none() -> None:
    assert difference_interval(np.array([0.5]), np.ones(1), level=0.95, seed=1) is None
    assert interval_of([0.5, 0.25]).low < 0.375


def test_tails_are_moved_out_by_students_quantile_of_the_questions() -> None:
    # A quarter of all resamples of two questions hold the lower one twice. Student's quantile with one degree of
    # freedom is 0.577 for a third and 0.424 for 0.372; times sqrt(2 / 1) they are the normal ones of 20.7 and 27.4 %.
    further, nearer = interval_of([0.2, 0.6], level=1 / 3), interval_of([0.2, 0.6], level=0.256)
    assert (further.low, further.high) == pytest.approx((0.2, 0.6))
    assert 0.22 < nearer.low < nearer.high < 0.58


def test_gains_and_losses_that_cancel_out_reach_as_far_to_both_sides() -> None:
    found = interval_of([0.5, -0.5], level=1 / 3)
    assert (found.low, found.high) == pytest.approx((-0.5, 0.5))
    # Of three questions: with the tail at 27.8 %, the lower end is that of the 8 / 27 of resamples without the gain.
    other = interval_of([0.6, -0.3, -0.3], level=0.3226)
    assert other.low == pytest.approx(-0.3)


def test_two_losses_of_twenty_worked_by_hand() -> None:
    # Lost 0.1 +- Wilson's limits, and nothing gained of 20; Student's quantile with 19 degrees of freedom is 2.093.
    found = interval_of([-1.0, -1.0] + [0.0] * 18)
    lost, gained = (wilson_interval(share, 19, z=student_quantile(0.95, 19)) for share in (0.1, 0.0))
    assert found.low == pytest.approx(-lost.high)
    assert found.high == pytest.approx(-0.1 + (gained.high**2 + (0.1 - lost.low) ** 2) ** 0.5)


def test_four_half_losses_of_twenty_count_as_more_questions() -> None:
    # The variance is 4 / 9 of that of two whole losses. With one change of the largest size it is (4 * 4 / 9 + 1) / 5,
    # which stands for the gains, of which there are none, and for one more loss.
    found = interval_of([-0.5] * 4 + [0.0] * 16)
    gained = wilson_interval(0.0, 19 * 9 / 5, z=student_quantile(0.95, 19))
    lost = wilson_interval(0.1, 19 / ((4 * 4 / 9 + 5 / 9) / 5), z=student_quantile(0.95, 19))
    assert found.low == pytest.approx(-lost.high)
    assert found.high == pytest.approx(-0.1 + (gained.high**2 + (0.1 - lost.low) ** 2) ** 0.5)
