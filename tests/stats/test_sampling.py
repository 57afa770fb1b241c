"""Drawing a spot-check: the chances are what the plan says, and no unit is without one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.sampling import (
    FIRST,
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
