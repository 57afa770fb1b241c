"""Which steps of a line are more than chance, and what each group adds to a change."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest

from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendPoint, contributions, holm, list_changes, p_value

START = datetime(2026, 3, 2, tzinfo=UTC)


def point(mean: float, *, half: float | None = 0.05, judged: int = 100, week: int = 0) -> TrendPoint:
    return TrendPoint(
        at=START + timedelta(weeks=week),
        mean=mean,
        interval=None if half is None else Interval(mean - half, mean + half),
        judged=judged,
        rows=judged,
        left_out={},
        run_ids=(f"w{week}",),
    )


Groups = dict[str | None, TrendPoint]


def test_a_step_as_long_as_its_standard_error_allows_has_the_normal_p_value() -> None:
    # Standard errors of 0.0255 each; their difference has 0.0361, and 0.0707 is 1.96 of them.
    step = 0.05 * math.sqrt(2)
    assert p_value(point(0.9), point(0.9 - step)) == pytest.approx(0.05, abs=1e-6)
    assert p_value(point(0.9), point(0.9)) == 1


def test_a_point_without_an_interval_gives_no_p_value_and_no_step() -> None:
    assert p_value(point(0.9), point(0.5, half=None)) is None
    assert list_changes([[point(0.9), point(0.5, half=None, week=1)]]) == [[]]


def test_holm_adjusts_as_worked_out_by_hand() -> None:
    # Sorted: 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.04 x 1, none below the one before.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_steps_are_judged_with_all_others_that_are_looked_at() -> None:
    step = 0.075  # p = 0.038: real alone, chance among three
    pair = [point(0.9), point(0.9 - step, week=1)]
    flat = [point(0.8), point(0.8, week=1), point(0.8, week=2)]
    assert list_changes([pair])[0][0].is_real
    together = list_changes([pair, flat])
    assert not together[0][0].is_real
    assert [len(line) for line in together] == [1, 2]
    assert together[0][0].delta == pytest.approx(-step)


def test_contributions_are_as_worked_out_by_hand() -> None:
    # 80 and 20 answers both times: 0.8 x 0 and 0.2 x (0.5 - 0.9) = -0.08, all of it in B.
    before: Groups = {"A": point(0.9, judged=80), "B": point(0.9, judged=20)}
    after: Groups = {"A": point(0.9, judged=80), "B": point(0.5, judged=20)}
    found = contributions(before, after)
    assert [(c.group, round(c.delta, 12), round(c.share, 12)) for c in found] == [("B", -0.08, 1.0), ("A", 0.0, 0.0)]


def test_a_change_of_the_mix_alone_is_told_apart_by_group() -> None:
    before: Groups = {"A": point(1.0, judged=50), "B": point(0.5, judged=50)}
    after: Groups = {"A": point(1.0, judged=25), "B": point(0.5, judged=75)}
    found = {c.group: c.delta for c in contributions(before, after)}
    # The mean falls from 0.75 to 0.625; A lost and B won a quarter of the weight, each times its distance from 0.6875.
    assert found == pytest.approx({"A": -0.25 * 0.3125, "B": 0.25 * -0.1875})
    assert sum(found.values()) == pytest.approx(-0.125)


def test_contributions_add_up_also_where_groups_come_and_go() -> None:
    source = random.Random(4)
    for _ in range(200):
        sides: list[Groups] = [
            {name: point(source.random(), judged=source.randint(1, 90)) for name in "ABCDE" if source.random() < 0.7}
            for _ in range(2)
        ]
        if not sides[0] or not sides[1]:
            continue
        means = [sum(p.mean * p.judged for p in s.values()) / sum(p.judged for p in s.values()) for s in sides]
        found = contributions(sides[0], sides[1])
        assert math.fsum(c.delta for c in found) == pytest.approx(means[1] - means[0], abs=1e-9)
        assert math.fsum(c.share for c in found) == pytest.approx(1, abs=1e-6)


def test_no_contribution_where_nothing_moved_or_nothing_was_judged() -> None:
    same: Groups = {"A": point(0.9)}
    assert contributions(same, same) == []
    assert contributions({}, same) == []
