"""Drawing a spot-check: the chances are what the plan says, and no unit is without one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.intervals import student_quantile
from faithview.stats.sampling import (
    FIRST,
    MOST_WIDENED,
    Allocation,
    draw,
    inclusion_probabilities,
    plan_spot_check,
)

EQUAL = [1.0] * 20


def test_random_gives_every_answer_the_same_chance() -> None:
    assert plan_spot_check(EQUAL, size=5).pi == pytest.approx(0.25)


def test_chances_follow_size_and_what_is_too_large_is_certain() -> None:
    # 3 of sizes 6, 1, 1, 1, 1: the first is certain, the others share 2.
    assert inclusion_probabilities([6, 1, 1, 1, 1], 3) == pytest.approx([1, 0.5, 0.5, 0.5, 0.5])


def test_a_claim_of_a_long_answer_is_less_likely_so_that_answers_are_equally_likely() -> None:
    # Three answers of one claim and one of four
    assert plan_spot_check([0.25] * 3 + [0.0625] * 4, size=2).pi == pytest.approx([0.5] * 3 + [0.125] * 4)


def test_uncertain_units_are_likelier_and_certain_ones_keep_a_chance() -> None:
    plan = plan_spot_check([1.0] * 8, size=2, uncertainty=[0] * 6 + [1, 1], mix=0.5)
    # Measures 0.5 six times and 0.5 + 0.5 * 4 = 2.5 twice, of 8 in all
    assert plan.pi == pytest.approx([0.125] * 6 + [0.625] * 2)


def test_uncertainty_that_is_the_same_everywhere_draws_at_random() -> None:
    assert plan_spot_check(EQUAL, size=5, uncertainty=[0.0] * 20).pi == pytest.approx(0.25)


def test_proportional_allocation_follows_the_strata() -> None:
    plan = plan_spot_check(EQUAL, size=10, strata=["A"] * 12 + ["B"] * 8)
    assert dict(zip(plan.names, plan.sizes, strict=True)) == {"A": 6, "B": 4}
    assert plan.pi == pytest.approx(0.5)


def test_a_small_stratum_gets_two_all_the_same() -> None:
    plan = plan_spot_check([1.0] * 100, size=10, strata=["A"] * 97 + ["B"] * 3)
    assert dict(zip(plan.names, plan.sizes, strict=True)) == {"A": 8, "B": 2}
    assert plan.pi[-1] == pytest.approx(2 / 3)


def test_neyman_gives_more_to_the_stratum_that_the_judge_finds_mixed() -> None:
    strata, judge = ["mixed"] * 50 + ["clear"] * 50, [0.5] * 50 + [1.0] * 50
    plan = plan_spot_check([1.0] * 100, size=32, strata=strata, allocation=Allocation.NEYMAN, judge=judge)
    # Spreads 0.5 and sqrt(0.9 * 0.1) = 0.3: five to three
    assert dict(zip(plan.names, plan.sizes, strict=True)) == {"mixed": 20, "clear": 12}


def test_what_must_be_looked_at_is_drawn_wholly_and_handed_out_first() -> None:
    first = [i in (3, 7, 11) for i in range(20)]
    plan = plan_spot_check(EQUAL, size=8, first=first)
    assert plan.pi == pytest.approx(np.where(first, 1.0, 5 / 17))
    drawn = draw(plan, seed=1)
    assert set(drawn.units[:3].tolist()) == {3, 7, 11}
    assert drawn.stratum[:4] == (FIRST, FIRST, FIRST, "all")


def test_more_must_be_looked_at_than_there_is_room_for_and_both_parts_get_their_share() -> None:
    plan = plan_spot_check(EQUAL, size=8, first=[i < 12 for i in range(20)])
    assert plan.pi == pytest.approx([5 / 12] * 12 + [3 / 8] * 8)


@pytest.mark.parametrize("size", [30, 60, 120])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.4, 0.6])
def test_what_comes_first_leaves_enough_of_the_others_for_an_interval_at_most_half_again_as_wide(
    share: float, size: int
) -> None:
    units = 2_000
    first = np.arange(units) < share * units
    plan = plan_spot_check(np.ones(units), size=size, first=first)
    taken = plan.sizes[plan.names.index(FIRST)]
    assert size * share <= taken < size
    # Where all units vary alike, from Cochran's formulas; the degrees of freedom are at least those of the others.
    n = np.array([taken, size - taken])
    shares, limit = np.array([share, 1 - share]), np.array([first.sum(), units - first.sum()])
    variance = (shares**2 * (1 / n - 1 / limit)).sum() / (1 / size - 1 / units)
    widened = variance**0.5 * student_quantile(0.95, size - taken - 1) / student_quantile(0.95, size - 1)
    assert widened <= MOST_WIDENED


def test_the_labels_left_for_the_others_are_no_more_than_they_need() -> None:
    sizes = [
        plan_spot_check(np.ones(2_000), size=60, first=np.arange(2_000) < share * 2_000).sizes[1]
        for share in (0.05, 0.2, 0.4, 0.6)
    ]
    assert sizes == [32, 36, 42, 48]


def test_a_spot_check_larger_than_the_run_is_the_run() -> None:
    assert sorted(draw(plan_spot_check(EQUAL, size=50), seed=1).units) == list(range(20))


def test_too_few_labels_for_the_strata_are_refused_with_the_least_number() -> None:
    with pytest.raises(ValueError, match="draw at least 8 or use fewer strata"):
        plan_spot_check(EQUAL, size=7, strata=["A", "B", "C", "D"] * 5)


def test_a_mix_that_would_leave_units_without_a_chance_is_refused() -> None:
    with pytest.raises(ValueError, match="some units could never be drawn"):
        plan_spot_check(EQUAL, size=7, uncertainty=[0.0, 1.0] * 10, mix=1.0)


def test_the_same_seed_draws_the_same_units_in_the_same_order() -> None:
    plan = plan_spot_check(EQUAL, size=7)
    assert draw(plan, seed=4).units.tolist() == draw(plan, seed=4).units.tolist()
    assert draw(plan, seed=4).units.tolist() != draw(plan, seed=5).units.tolist()


def test_units_are_drawn_as_often_as_the_plan_says_under_every_design_at_once() -> None:
    rng = np.random.default_rng(0)
    plan = plan_spot_check(
        rng.uniform(0.2, 1.0, 30),
        size=13,
        strata=["A"] * 15 + ["B"] * 15,
        allocation=Allocation.NEYMAN,
        judge=rng.random(30),
        uncertainty=rng.random(30),
        first=[i % 10 == 0 for i in range(30)],
    )
    times = np.zeros(30)
    for seed in range(4_000):
        times[draw(plan, seed=seed).units] += 1
    # Five standard errors of a share of 4,000
    assert times / 4_000 == pytest.approx(plan.pi, abs=5 * 0.5 / 4_000**0.5)
    assert set(times[[0, 10, 20]]) == {4_000}


@given(
    weights=st.lists(st.floats(0.01, 100), min_size=6, max_size=60),
    size=st.integers(4, 70),
    seed=st.integers(0, 2**32),
    mix=st.floats(0, 0.95),
)
def test_exactly_the_planned_number_is_drawn_and_every_chance_is_above_0(
    weights: list[float], size: int, seed: int, mix: float
) -> None:
    units = len(weights)
    plan = plan_spot_check(
        weights, size=size, strata=["A", "B"] * (units // 2) + ["A"] * (units % 2), uncertainty=weights[::-1], mix=mix
    )
    drawn = draw(plan, seed=seed)
    assert len(drawn.units) == len(set(drawn.units.tolist())) == min(size, units) == sum(plan.sizes)
    assert (plan.pi > 0).all()
    assert (plan.pi <= 1).all()
    assert plan.pi.sum() == pytest.approx(min(size, units))
    assert drawn.pi == pytest.approx(plan.pi[drawn.units])


def test_too_few_labels_for_one_stratum_are_said_so_in_plain_words() -> None:
    with pytest.raises(ValueError, match=r"^1 label is too few for an estimate, which needs 2; draw at least 2\.$"):
        plan_spot_check([1.0] * 5, size=1)
    with pytest.raises(ValueError, match=r"^3 labels are too few for 2 strata, and each of them needs 2; draw"):
        plan_spot_check([1.0] * 6, size=3, strata=["a"] * 3 + ["b"] * 3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"weight": [1.0] * 5, "size": 0}, "0 of 5 units"),
        ({"weight": [], "size": 3}, "3 of 0 units"),
        ({"weight": [1.0, 0.0, 1.0], "size": 2}, "A weight is"),
        ({"weight": [1.0] * 4, "size": 2, "uncertainty": [0.1, -0.1, 0.2, 0.3]}, "An uncertainty is"),
        ({"weight": [1.0] * 4, "size": 2, "uncertainty": [0.1, float("nan"), 0.2, 0.3]}, "without a number"),
        ({"weight": [1.0] * 4, "size": 2, "strata": ["first", "a", "a", "a"], "first": [True] * 4}, "reserved"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        plan_spot_check(**arguments)


def test_strata_beside_units_that_come_first_keep_their_names() -> None:
    plan = plan_spot_check([1.0] * 12, size=8, strata=["a", "b"] * 6, first=[True, True] + [False] * 10)
    assert plan.names == ("a", "b", FIRST)
    assert plan.sizes == (3, 3, 2)


def test_units_that_are_just_certain_are_drawn_and_the_others_share_the_rest() -> None:
    # Of 4 with sizes 2, 2, 1, 1, 1, 1: 4 * 2 / 8 is exactly 1.
    assert inclusion_probabilities([2, 2, 1, 1, 1, 1], 4).tolist() == [1, 1, 0.5, 0.5, 0.5, 0.5]


def test_labels_are_shared_by_websters_quotients() -> None:
    # Weights 53, 24 and 23 of 100, ten labels: two each first, then 53 / 2.5 = 21, 53 / 3.5 = 15, 53 / 4.5 = 12,
    # and 24 / 2.5 = 9.6 for the last but one is less than 53 / 5.5 = 9.64.
    plan = plan_spot_check([1.0] * 100, size=10, strata=["a"] * 53 + ["b"] * 24 + ["c"] * 23)
    assert plan.sizes == (6, 2, 2)
    assert plan_spot_check([1.0] * 100, size=11, strata=["a"] * 53 + ["b"] * 24 + ["c"] * 23).sizes == (6, 3, 2)


def test_a_run_in_which_all_units_come_first_is_drawn_at_random() -> None:
    plan = plan_spot_check(EQUAL, size=6, first=[True] * 20)
    assert (plan.names, plan.sizes) == ((FIRST,), (6,))
    assert plan_spot_check(EQUAL, size=20, first=[i < 5 for i in range(20)]).sizes == (15, 5)


def test_what_comes_first_takes_what_the_other_strata_leave() -> None:
    # Two strata of others need two labels each, so that one of five is left, besides the one that all strata need.
    plan = plan_spot_check(EQUAL, size=6, strata=["a", "b"] * 10, first=[i < 8 for i in range(20)])
    assert plan.sizes == (2, 2, 2)


@pytest.mark.parametrize("allocation", Allocation)
@pytest.mark.parametrize(
    ("share", "here", "others", "size"),
    [
        (0.1, 40, (360,), 20),
        (0.3, 120, (280,), 25),
        (0.5, 200, (200,), 40),
        (0.15, 60, (340,), 100),
        # Units that weigh more or less than others, several strata of others, and parts that are labelled wholly
        (0.03, 3, (3, 3), 8),
        (0.23, 5, (8,), 12),
        (0.32, 40, (5, 3), 16),
        (0.46, 15, (8,), 6),
        (0.76, 2, (15, 15, 40), 19),
        # None is few enough, so that their share comes first
        (0.2, 5, (5,), 8),
        (0.33, 5, (1, 3, 1), 7),
        (0.56, 40, (8, 1), 10),
        (0.62, 8, (3,), 8),
        (0.75, 8, (5,), 11),
    ],
)
def test_as_many_come_first_as_the_width_allows_and_not_one_more(
    share: float, here: int, others: tuple[int, ...], size: int, allocation: Allocation
) -> None:
    units = [here, sum(others)]

    def widening(first: int) -> float:
        """How much wider the interval gets at most, by Cochran's formulas and Satterthwaite's degrees of freedom."""
        parts = [(share, first, here, first - 1), (1 - share, size - first, units[1], size - first - len(others))]
        left = [(part, max(1 / drawn - 1 / number, 0), freedom) for part, drawn, number, freedom in parts]
        variances = [(part**2 * factor, freedom) for part, factor, freedom in left if factor]
        degrees = sum(v for v, _ in variances) ** 2 / sum(v**2 / freedom for v, freedom in variances)
        ratio = max(part * factor for part, factor, _ in left) / (1 / size - 1 / sum(units))
        return float(ratio**0.5 * student_quantile(0.95, degrees) / student_quantile(0.95, size - len(others)))

    plan = plan_spot_check(
        np.repeat([share / here, (1 - share) / units[1]], units),
        size=size,
        strata=["a"] * here + [name for name, number in zip("abc", others, strict=False) for _ in range(number)],
        first=[at < here for at in range(sum(units))],
        allocation=allocation,
        judge=[0.5] * here + [1.0] * units[1],
    )
    room = min(here, size - sum(min(2, number) for number in others))
    lowest = min(max(round(share * size), 2), room)
    most = max((first for first in range(lowest, room + 1) if widening(first) <= MOST_WIDENED), default=lowest)
    # Where all the others are labelled, the rest is of those that come first.
    assert plan.sizes[-1] == max(most, size - units[1])
    assert sum(plan.sizes) == size
    assert all(
        2 <= taken <= number or taken == number for taken, number in zip(plan.sizes, (*others, here), strict=True)
    )


def test_too_few_labels_for_what_comes_first_and_the_others_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^2 labels are too few for 2 strata, and each of them needs 2; draw at least 4"
    ):
        plan_spot_check([1.0] * 10, size=2, first=[True] * 3 + [False] * 7)


def test_a_third_of_a_chance_follows_uncertainty_unless_it_is_said_otherwise() -> None:
    # Measures 2/3 six times, and 2/3 + 4/3 twice, of 8 in all.
    assert plan_spot_check([1.0] * 8, size=2, uncertainty=[0] * 6 + [1, 1]).pi == pytest.approx([1 / 6] * 6 + [0.5] * 2)
