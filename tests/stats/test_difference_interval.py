"""The interval of a mean difference, on questions few enough to work it out by hand."""

import numpy as np
import pytest

from faithview.domain.scoring import Interval
from faithview.stats import difference_interval as interval_module
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


@pytest.mark.parametrize("seed", range(5))
def test_without_a_difference_neither_sign_is_the_right_one(seed: int) -> None:
    sums = [0.875, 0.75, 0.5, 0.5, -0.125, -0.25, -0.25, -0.375, -0.5, -0.5, -0.625] * 4
    there, back = interval_of(sums, seed=seed, level=0.5), interval_of([-s for s in sums], seed=seed, level=0.5)
    assert (there.low, there.high) == (-back.high, -back.low)


def test_questions_of_different_sizes_are_merged_without_losing_spread() -> None:
    # More than 200 different questions: with sums near half of the sizes, what varies is what is left beyond that.
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 9, 3_000).astype(np.float64)
    sums = sizes * 0.5 + rng.normal(0, 0.2, 3_000)
    residuals = sums - sums.sum() / sizes.sum() * sizes
    half = 1.96 * np.sqrt(residuals @ residuals) / sizes.sum()
    found = difference_interval(sums, sizes, level=0.95, seed=1)
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * half, rel=0.06)


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


@pytest.mark.parametrize(
    ("largest", "gained", "lost"),
    # With gains of 1 all changes have 2.2 / 20 over 0.2 * 0.8 of the largest variance, 0.6875, and with one of that
    # (6 * 0.6875 + 1) / 7. Gains are whole, losses (4 * 4 / 9 + that) / 5. With gains of 0.5 all have 0.0275 / 0.09 of
    # it, gains 0.0225 / 0.0475, which is more than that with one more, and losses 0.01 / 0.0475.
    [
        (1.0, 1.0, (4 * 4 / 9 + (6 * 0.6875 + 1) / 7) / 5),
        (0.5, 9 / 19, (4 * 4 / 19 + (6 * 0.0275 / 0.09 + 1) / 7) / 5),
    ],
)
def test_gains_and_losses_are_put_together_with_their_correlation(largest: float, gained: float, lost: float) -> None:
    # Two gains and four losses half as large in twenty questions. Squared residuals are 1.8 and 0.8 of a gain's square,
    # the product of both -0.2, so the correlation is -1 / 6.
    found = interval_of([largest] * 2 + [-largest / 2] * 4 + [0.0] * 14)
    mean = largest / 10
    up, down = (wilson_interval(mean, 19 / ratio, z=student_quantile(0.95, 19)) for ratio in (gained, lost))
    to_low, to_high = (mean - up.low, down.high - mean), (up.high - mean, mean - down.low)
    reach = [(a * a + b * b + 2 / 6 * a * b) ** 0.5 for a, b in (to_low, to_high)]
    assert (found.low, found.high) == pytest.approx((-reach[0], reach[1]))


def test_questions_with_more_answers_count_more() -> None:
    # Sizes 1 and 3, nothing changed: 10 / 9 * 50 / 20^2 is the variance of one question in 7.2.
    found = interval_of([0.0] * 10, [1.0, 3.0] * 5)
    limit = wilson_interval(0.0, 7.2, z=student_quantile(0.95, 9)).high
    assert (found.low, found.high) == pytest.approx((-limit, limit))


def test_losing_everything_is_not_certain_with_few_questions() -> None:
    found = interval_of([-1.0] * 5)
    assert found.low == -1
    assert found.high == pytest.approx(
        -1 + (wilson_interval(0.0, 4, z=student_quantile(0.95, 4)).high ** 2
              + (1 - wilson_interval(1.0, 4, z=student_quantile(0.95, 4)).low) ** 2) ** 0.5
    )  # fmt: skip


def test_a_question_with_many_answers_varies_no_more_than_one_that_is_lost_as_a_whole() -> None:
    # Nine questions with one answer and one with five, all lost: 10 / 9 * 34 / 14^2 is the variance of one of 5.188.
    found = interval_of([0.0] * 9 + [-5.0], [1.0] * 9 + [5.0])
    lost = wilson_interval(5 / 14, 9 / 10 * 14**2 / 34, z=student_quantile(0.95, 9))
    assert found.low == pytest.approx(-lost.high)


def test_merged_questions_keep_their_sums_and_nearly_all_of_their_spread() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 9, 3_000).astype(np.float64)
    sums = (sizes * 0.5 + rng.normal(0, 0.2, 3_000)).round(2)
    kinds = interval_module._kinds(sums, sizes)
    assert 190 <= len(kinds.counts) <= 200
    assert kinds.counts.sum() == 3_000
    assert kinds.counts @ kinds.figures == pytest.approx([sizes.sum(), sums.sum()])
    mean = sums.sum() / sizes.sum()
    merged = kinds.counts @ (kinds.figures[:, 1] - mean * kinds.figures[:, 0]) ** 2
    assert merged == pytest.approx(((sums - mean * sizes) ** 2).sum(), rel=0.01)
