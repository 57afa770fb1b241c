"""Control limits and change points: charts worked by hand, false alarms, and series with known changes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from faithview.stats import process
from faithview.stats.process import ChangePoint, ControlLimits, TooFewRuns, change_points, control_limits

Floats = NDArray[np.float64]

NOISE = [0.01, -0.012, 0.004, -0.006, 0.011, -0.003, -0.009, 0.007, 0.002, -0.004, 0.008, -0.01]


def limits_of(means: Sequence[float], sizes: Sequence[int] | None = None) -> ControlLimits:
    found = control_limits(means, [100] * len(means) if sizes is None else sizes)
    assert isinstance(found, ControlLimits)
    return found


def changes_of(means: Sequence[float], sizes: Sequence[int] | None = None) -> tuple[ChangePoint, ...]:
    found = change_points(means, [100] * len(means) if sizes is None else sizes)
    assert not isinstance(found, TooFewRuns)
    return found


def noisy(levels: Sequence[float], seed: int, *, spread: float = 0.15) -> tuple[list[float], list[int]]:
    """Runs at these levels with the noise that their sizes give them."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(50, 200, len(levels))
    means = np.clip(np.array(levels) + rng.normal(0, spread / np.sqrt(sizes)), 0, 1)
    return means.tolist(), sizes.tolist()


def test_five_runs_are_too_few_for_either() -> None:
    means, sizes = [0.89, 0.9, 0.74, 0.75, 0.88], [100] * 5
    limits, changes = control_limits(means, sizes), change_points(means, sizes)
    assert isinstance(limits, TooFewRuns)
    assert limits.message == "Control limits need at least 8 runs, and there are 5."
    assert isinstance(changes, TooFewRuns)
    assert changes.message == "Finding changes of level needs at least 10 runs, and there are 5."


def test_no_run_and_one_run_are_too_few() -> None:
    assert isinstance(control_limits([], []), TooFewRuns)
    one = change_points([0.9], [3])
    assert isinstance(one, TooFewRuns)
    assert one.message.endswith("there is 1.")


def test_runs_of_one_size_make_an_individuals_chart() -> None:
    # Successive differences are 0.02 throughout, so the limits are 2.66 (= 3 / 1.128) times that on both sides.
    found = limits_of([0.8, 0.82] * 5)
    assert found.centre == pytest.approx(0.81)
    assert found.limits[0].high - found.centre == pytest.approx(0.02 * 3 / 1.128)
    assert found.outside == ()


def test_a_smaller_run_may_stray_further() -> None:
    found = limits_of([0.8, 0.82] * 5, [100] * 9 + [25])
    wide, narrow = (interval.high - interval.low for interval in (found.limits[-1], found.limits[0]))
    assert wide == pytest.approx(2 * narrow)


def test_a_run_beyond_its_limits_is_named() -> None:
    means = [0.9 + shift for shift in NOISE]
    assert limits_of(means).outside == ()
    means[7] = 0.8
    assert limits_of(means).outside == (7,)


def test_runs_that_are_all_the_same_leave_no_room_and_none_is_outside() -> None:
    found = limits_of([1.0] * 9)
    assert found.outside == ()
    assert found.limits[0].low == found.limits[0].high == 1.0
    assert changes_of([1.0] * 12) == ()


def test_limits_stay_between_0_and_1() -> None:
    found = limits_of([1.0, 0.6, 1.0, 0.5, 1.0, 0.9, 1.0, 0.7], [3] * 8)
    assert found.limits[0].high == 1.0
    assert found.limits[0].low >= 0.0


@pytest.mark.parametrize("number", [8, 20, 60])
def test_few_runs_are_outside_while_nothing_changes(number: int) -> None:
    outside = [len(limits_of(*noisy([0.9] * number, seed)).outside) for seed in range(300)]
    assert sum(outside) / (300 * number) < 0.01


@pytest.mark.parametrize("number", [8, 20, 40, 80, 150])
def test_a_series_of_any_length_in_which_nothing_changes_has_a_run_outside_in_about_one_of_twenty(number: int) -> None:
    series = 400
    alarms = sum(bool(limits_of(*noisy([0.8] * number, seed)).outside) for seed in range(series))
    assert alarms / series <= 0.08  # 5 %, and three standard errors


def test_a_step_is_found_at_its_place() -> None:
    means = [0.89 + shift for shift in NOISE[:6]] + [0.74 + shift for shift in NOISE[6:]]
    (change,) = changes_of(means)
    assert change.at == 6
    assert change.before == pytest.approx(np.mean(means[:6]))
    assert change.after == pytest.approx(np.mean(means[6:]))
    assert change.p_value <= 0.05


def test_a_drop_that_recovered_is_two_changes() -> None:
    levels = [0.89] * 12 + [0.74] * 6 + [0.89] * 12
    assert [change.at for change in changes_of(*noisy(levels, 3))] == [12, 18]


def test_several_changes_are_all_found() -> None:
    levels = [0.9] * 20 + [0.8] * 20 + [0.9] * 20 + [0.6] * 20
    assert [change.at for change in changes_of(*noisy(levels, 5))] == [20, 40, 60]


def test_a_level_is_the_mean_over_questions() -> None:
    means, sizes = [0.9] * 6 + [0.5] * 6, [10, 30] * 6
    means[0] = 0.8
    (change,) = changes_of(means, sizes)
    assert change.before == pytest.approx((10 * 0.8 + 30 * 0.9 * 3 + 10 * 0.9 * 2) / 120)


@given(means=st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=10, max_size=25), seed=st.integers(0, 9))
def test_scores_turned_upside_down_change_at_the_same_places(means: list[float], seed: int) -> None:
    there = change_points(means, [30] * len(means), seed=seed)
    back = change_points([1 - mean for mean in means], [30] * len(means), seed=seed)
    assert not isinstance(there, TooFewRuns)
    assert not isinstance(back, TooFewRuns)
    assert [change.at for change in there] == [change.at for change in back]
    assert all(change.p_value <= 0.05 for change in there)


@pytest.mark.parametrize(
    ("means", "sizes", "words"),
    [
        ([0.5] * 9, [3] * 8, "9 means and 8 sizes"),
        ([0.5] * 8 + [1.5], [3] * 9, "A run's mean is 1.5"),
        ([float("nan")] + [0.5] * 8, [3] * 9, "A run's mean is nan"),
        ([0.5] * 9, [3] * 8 + [0], "A run's size is 0"),
    ],
)
def test_values_out_of_range_are_refused(means: list[float], sizes: list[int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        control_limits(means, sizes)
    with pytest.raises(ValueError, match=words):
        change_points(means, sizes)


def test_limits_reach_as_far_down_as_up() -> None:
    found = limits_of([0.8, 0.82] * 5)
    assert found.limits[3].low == pytest.approx(0.81 - 0.02 * 3 / 1.128)


def test_the_shortest_series_shows_its_clearest_step_with_ties_counted() -> None:
    # Of the 252 orders of five high and five low runs, ten keep the high ones together around the circle.
    (change,) = changes_of([1.0] * 5 + [0.0] * 5)
    assert (change.at, change.before, change.after) == (5, 1.0, 0.0)
    assert change.p_value == pytest.approx(10 / 252, abs=0.015)


def test_a_step_that_no_order_reaches_has_the_least_p_value_that_499_orders_give() -> None:
    (change,) = changes_of([0.9 + shift for shift in NOISE] + [0.6 + shift for shift in NOISE])
    assert change.at == 12
    assert change.p_value == 1 / 500


@pytest.mark.parametrize("level", [0.05, 0.2])
def test_a_change_is_reported_exactly_where_its_p_value_is_within_the_level(level: float) -> None:
    means = [0.9, 0.86, 0.89, 0.91, 0.84, 0.86, 0.83, 0.85, 0.86, 0.84]
    outcomes = set()
    for seed in range(60):
        (change, *_) = change_points(means, [100] * 10, level=0.999, seed=seed)  # type: ignore[misc]  # no TooFewRuns
        found = change_points(means, [100] * 10, level=level, seed=seed)
        assert bool(found) is (change.p_value <= level)
        outcomes.add(round(change.p_value * 500))
    assert len(outcomes) > 5


def test_a_run_on_the_mean_of_all_hides_no_change() -> None:
    (change,) = changes_of([0.75] * 8 + [0.5] + [0.25] * 8)
    assert change.at in (8, 9)


def test_a_level_that_the_first_and_the_last_run_alone_do_not_have_is_bounded_by_both() -> None:
    means = [0.9, *(0.5 + shift for shift in NOISE * 5), 0.9]
    assert [change.at for change in changes_of(means)] == [1, 61]


def test_two_runs_in_a_row_are_the_shortest_change_of_level() -> None:
    means = [0.5 + shift for shift in NOISE * 5]
    means[20] = means[21] = 0.1
    assert [change.at for change in changes_of(means)] == [20, 22]


def test_runs_of_one_question_make_a_chart_too() -> None:
    assert limits_of([0.8, 0.82] * 5, [1] * 10).centre == pytest.approx(0.81)


def test_a_step_within_a_part_that_ends_where_the_part_does_is_one_more_change() -> None:
    levels = [0.9] * 20 + [0.5] * 12 + [0.45] * 8
    means = [level + shift / 2 for level, shift in zip(levels, NOISE * 4, strict=False)]
    assert [change.at for change in changes_of(means)] == [20, 32]


def between(means: Floats, sizes: Floats, first: int, end: int) -> float:
    """The sum of squares between a stretch of runs and the others, from their means."""
    inside = (np.arange(len(means)) >= first) & (np.arange(len(means)) < end)
    whole = np.average(means, weights=sizes)
    parts = [(np.average(means[part], weights=sizes[part]), sizes[part].sum()) for part in (inside, ~inside)]
    return float(sum(weight * (mean - whole) ** 2 for mean, weight in parts))


@pytest.mark.parametrize("seed", range(4))
def test_the_stretch_that_explains_most_is_that_of_the_largest_sum_of_squares_between(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means, sizes = rng.random(11), rng.integers(1, 400, 11).astype(np.float64)
    stretches = [(first, end) for first in range(10) for end in range(first + 2, 12) if end - first <= 9]
    found = process._find_stretch(means, sizes, 1.0, rng)
    assert found is not None
    assert found.explained == pytest.approx(max(between(means, sizes, *stretch) for stretch in stretches))
    assert found.explained == pytest.approx(between(means, sizes, found.first, found.end))
    # Another order of the runs' distances, each in its run's own standard errors
    drawn = rng.permuted(means * np.sqrt(sizes))
    most = max(between(drawn / np.sqrt(sizes), sizes, *stretch) for stretch in stretches)
    assert process._Search(sizes).explained(drawn[np.newaxis]) == pytest.approx(most)


def test_a_single_run_at_the_end_is_no_level() -> None:
    assert changes_of([0.9 + shift for shift in NOISE * 8] + [0.2]) == ()


class SomeAsExtreme:
    """Stands in for a random generator: so many of its orders are the one that was observed, and the rest are even."""

    def __init__(self, number: int) -> None:
        self.left = number

    def permuted(self, rows: Floats, *, axis: int) -> Floats:
        assert axis == 1
        observed, self.left = min(self.left, len(rows)), max(0, self.left - len(rows))
        even = np.sort(rows, axis=1).reshape(len(rows), 2, -1).swapaxes(1, 2).reshape(rows.shape)  # low, high, low ...
        even[:observed] = rows[:observed]
        return even


@pytest.mark.parametrize(("level", "most"), [(0.05, 24), (0.2, 99)])
def test_as_many_orders_may_be_as_extreme_as_the_level_allows_and_not_one_more(level: float, most: int) -> None:
    def find(extreme: int) -> process._Stretch | None:
        rng: Any = SomeAsExtreme(extreme)
        return process._find_stretch(np.repeat([0.9, 0.6], 6), np.full(12, 100.0), level, rng)

    found = find(most)
    assert found is not None
    assert found.p_value == level  # (1 + 24) / (1 + 499)
    assert find(most + 1) is None
