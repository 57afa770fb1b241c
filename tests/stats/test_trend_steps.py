"""Which steps of a line are more than chance."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendPoint
from faithview.stats.trend_steps import TrendStep, noticeable_step, step_p_value, trend_steps

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


def test_a_step_as_long_as_its_standard_error_allows_has_the_normal_p_value() -> None:
    # Standard errors of 0.0255 each; their difference has 0.0361, and 0.0707 is 1.96 of them.
    step = 0.05 * math.sqrt(2)
    assert step_p_value(point(0.9), point(0.9 - step)) == pytest.approx(0.05, abs=1e-6)
    assert step_p_value(point(0.9), point(0.9)) == 1


def test_a_point_without_an_interval_gives_no_p_value_and_no_step() -> None:
    assert step_p_value(point(0.9), point(0.5, half=None)) is None
    assert trend_steps([[point(0.9), point(0.5, half=None, week=1)]]) == [[]]


def test_steps_are_judged_with_all_others_that_are_looked_at() -> None:
    step = 0.075  # p = 0.038: real alone, chance among three
    pair = [point(0.9), point(0.9 - step, week=1)]
    flat = [point(0.8), point(0.8, week=1), point(0.8, week=2)]
    assert trend_steps([pair])[0][0].is_real
    together = trend_steps([pair, flat])
    assert not together[0][0].is_real
    assert [len(line) for line in together] == [1, 2]
    assert together[0][0].delta == pytest.approx(-step)


def test_the_change_that_would_be_noticed_grows_with_the_intervals_and_the_number_of_steps() -> None:
    def line(*halves: float) -> list[TrendPoint]:
        return [point(0.8, half=half, week=week) for week, half in enumerate(halves)]

    # One step of two standard errors of 0.02: (1.96 + 0.84) x 0.0283.
    assert noticeable_step(line(0.0392, 0.0392)) == pytest.approx(0.0792, abs=1e-3)
    assert (noticeable_step(line(0.0392, 0.0392, 0.0392)) or 0) > 0.0792
    # Of two steps the less certain: z(1 - 0.05 / 4) = 2.2414 and z(0.8) = 0.8416 of hypot(0.02, 0.04) = 0.04472.
    assert noticeable_step(line(0.0392, 0.0392, 0.0784)) == pytest.approx(0.13787, abs=1e-4)
    assert noticeable_step([point(0.8, half=None), point(0.8, week=1)]) is None
    assert noticeable_step(line(0.1)) is None


def test_a_step_whose_p_value_is_the_level_itself_is_not_real() -> None:
    assert not TrendStep(before=point(0.9), after=point(0.8), p_value=0.05, adjusted=0.05).is_real
