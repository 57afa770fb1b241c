"""Which steps of a line are significant, and whether it drifts."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from faithview.domain.answer import View
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.stats.intervals import independent_difference
from faithview.stats.run_score import Cluster, run_score
from faithview.stats.trend_steps import (
    LineTests,
    StepTest,
    TrendStep,
    independent_step,
    line_tests,
    step_of,
)

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


def line(points: Sequence[TrendPoint]) -> TrendLine:
    placed = tuple(replace(p, at=START + timedelta(weeks=week)) for week, p in enumerate(points))
    return TrendLine(group="", fingerprint="f", judge=JudgeSpec(), view=View.JUDGE, points=placed)


def of_answers(right: int, answers: int) -> TrendPoint:
    """The point of a run of answers of one claim, so many of them right."""
    clusters = [Cluster(answers=1, total=1.0, count=right), Cluster(answers=1, total=0.0, count=answers - right)]
    score = run_score([c for c in clusters if c.count], unscored=0)
    assert score.mean is not None
    return replace(point(score.mean, judged=answers), interval=score.interval)


def step(before: TrendPoint, after: TrendPoint) -> StepTest:
    found = independent_step(line([before, after]), before, after)
    assert found is not None
    return found


def drift(points: Sequence[TrendPoint]) -> LineTests:
    return line_tests([line(points)], independent_step, with_drift=True)[0]


def test_p_is_five_percent_exactly_where_the_interval_of_the_difference_ends_at_zero() -> None:
    before, after = point(0.9), point(0.9 - 0.05 * math.sqrt(2))
    assert step(before, after).p_value == pytest.approx(0.05, abs=1e-9)
    assert before.interval is not None
    assert after.interval is not None
    between = independent_difference(after.mean, after.interval, before.mean, before.interval)
    assert between.high == pytest.approx(0, abs=1e-12)
    assert step(point(0.9), point(0.9)).p_value == 1
    assert step(point(0.9), point(0.5)).p_value < 1e-6


def test_nothing_is_a_step_below_twenty_questions_on_either_side() -> None:
    # Two answers each, all right and then all wrong.
    assert independent_step(line([]), of_answers(2, 2), of_answers(0, 2)) is None
    assert independent_step(line([]), of_answers(19, 19), of_answers(0, 100)) is None
    assert independent_step(line([]), of_answers(100, 100), of_answers(0, 19)) is None
    assert step(of_answers(20, 20), of_answers(0, 20)).p_value < 0.001
    # Forty answers to ten questions are ten questions.
    few = replace(of_answers(0, 40), questions=10)
    assert independent_step(line([]), of_answers(40, 40), few) is None
    (tests,) = line_tests([line([of_answers(2, 2), of_answers(0, 2)])], independent_step, with_drift=True)
    assert (tests.steps, tests.drift, tests.noticeable, tests.untested) == ((), None, None, 1)


def test_a_point_without_an_interval_gives_no_step() -> None:
    assert independent_step(line([]), point(0.9), point(0.5, half=None)) is None


def test_steps_are_judged_with_all_others_that_are_looked_at() -> None:
    pair = line([point(0.9), point(0.9 - 0.075)])  # p = 0.04: significant alone, chance among three
    flat = line([point(0.8), point(0.8), point(0.8)])
    assert line_tests([pair], independent_step)[0].steps[0].is_real
    together = line_tests([pair, flat], independent_step)
    assert not together[0].steps[0].is_real
    assert together[0].alone == together[0].steps[0]
    assert [len(own.steps) for own in together] == [1, 2]
    assert [own.tests for own in together] == [3, 3]
    assert together[0].steps[0].delta == pytest.approx(-0.075)


def test_a_slow_fall_without_a_single_significant_step_is_a_drift() -> None:
    # Six runs of 400 answers, from 0.95 to 0.85.
    found = drift([of_answers(right, 400) for right in (380, 372, 364, 356, 348, 340)])
    assert not any(one.is_real for one in found.steps)
    assert found.drift is not None
    assert found.drift.is_real
    assert found.drift.delta == pytest.approx(-0.1)
    assert (found.drift.before.mean, found.drift.after.mean) == (0.95, 0.85)
    assert found.tests == 7  # five steps, the ends and the slope


def test_the_slope_finds_a_drift_that_the_ends_alone_do_not_show() -> None:
    points = [point(mean, half=0.042) for mean in (0.92, 0.91, 0.90, 0.89, 0.88, 0.87, 0.86, 0.85)]
    ends = step(points[0], points[-1])
    found = drift(points)
    assert ends.p_value * 2 < 0.05 < ends.p_value * found.tests
    assert found.drift is not None
    # Weighted regression by hand: equal errors, and the numbers' sum of squares is 42.
    error = 0.042 / 1.9842169515  # Student's quantile for 99 degrees of freedom
    slope = np.polyfit(range(8), [p.mean for p in points], 1)[0]
    assert found.drift.p_value == pytest.approx(math.erfc(abs(slope) / error * math.sqrt(42 / 2)), rel=1e-6)
    assert found.drift.is_real


def test_a_line_that_goes_up_and_down_again_has_no_drift() -> None:
    found = drift([point(mean) for mean in (0.9, 0.93, 0.95, 0.93, 0.9)])
    assert found.drift is None or not found.drift.is_real


def test_the_change_that_would_be_noticed_grows_with_the_intervals_and_the_number_of_tests() -> None:
    def noticed(*halves: float) -> float:
        found = line_tests([line([point(0.8, half=half, judged=10_000) for half in halves])], independent_step)
        assert found[0].noticeable is not None
        return found[0].noticeable

    # One step of two standard errors of 0.02: (1.96 + 0.84) x 0.0283.
    assert noticed(0.0392, 0.0392) == pytest.approx(0.0792, abs=1e-3)
    assert noticed(0.0392, 0.0392, 0.0392) > 0.0792
    # Of two steps the less certain: z(1 - 0.05 / 4) = 2.2414 and z(0.8) = 0.8416 of hypot(0.02, 0.04) = 0.04472.
    assert noticed(0.0392, 0.0392, 0.0784) == pytest.approx(0.13787, abs=1e-4)


def test_the_exact_test_replaces_the_quick_one_only_where_it_could_matter() -> None:
    asked: list[float] = []

    def tester(_: TrendLine, before: TrendPoint, after: TrendPoint) -> StepTest:
        def exact() -> StepTest:
            asked.append(after.mean)
            return StepTest(delta=after.mean - before.mean, p_value=0.5, error=0.01, pairs=50)

        p_value = 0.9 if after.mean == 0.9 else 0.01
        return StepTest(delta=after.mean - before.mean, p_value=p_value, error=0.01, pairs=50, exact=exact)

    (tests,) = line_tests([line([point(0.9), point(0.9), point(0.8)])], tester)
    assert asked == [0.8]
    assert [one.p_value for one in tests.steps] == [0.9, 0.5]
    assert [one.pairs for one in tests.steps] == [50, 50]


def test_a_step_whose_p_value_is_the_level_itself_is_not_real() -> None:
    test = StepTest(delta=-0.1, p_value=0.05, error=None)
    assert not step_of(point(0.9), point(0.8), test, adjusted=0.05).is_real


def test_a_paired_step_has_the_difference_of_the_pairs() -> None:
    test = StepTest(delta=-0.02, p_value=0.001, error=None, pairs=80)
    paired = step_of(point(0.9), point(0.8), test, adjusted=0.001)
    assert (paired.delta, paired.pairs) == (-0.02, 80)
    assert TrendStep(before=point(0.9), after=point(0.8), p_value=1, adjusted=1).delta == pytest.approx(-0.1)
