"""The overview's first sentence says no more of the last change than its test does."""

from faithview.domain.run import RunSummary
from faithview.domain.scoring import Interval, RunScore
from faithview.stats.trend_steps import StepTest
from faithview.wording.findings import overview_finding
from tests.factories import make_run, make_summary


def _summary(week: int, mean: float, *, half: float | None = 0.03, judged: int = 100) -> RunSummary:
    interval = None if half is None else Interval(mean - half, mean + half)
    score = RunScore(mean=mean, interval=interval, bounds=None, judged=judged, unscored=0)
    return make_summary(make_run(f"w{week}", week=week), rows=judged, score=score)


def _step(delta: float, p_value: float, pairs: int) -> StepTest:
    return StepTest(delta=delta, p_value=p_value, least_p=p_value, error=0.01, pairs=pairs)


def _say(before: RunSummary, after: RunSummary, step: StepTest | None) -> str:
    return overview_finding([after, before], step)


def test_a_significant_change_is_told_with_its_test() -> None:
    step = _step(-0.02, 0.0001, 493)
    text = _say(_summary(0, 0.86), _summary(1, 0.84), step)
    assert text.endswith("down by **0.02** from the previous run (0.86 (0.83–0.89, n 100); p 0.0001, n 493 pairs).")
    assert "overlap" not in text


def test_a_change_within_chance_is_called_so_and_one_that_is_too_small_to_see_the_same() -> None:
    text = _say(_summary(0, 0.86), _summary(1, 0.9), _step(0.04, 0.063, 40))
    assert text.endswith(", +0.04 from the previous run (p 0.063, n 40 pairs), which could be chance.")
    same = _say(_summary(0, 0.86), _summary(1, 0.861), _step(0.001, 0.6, 40))
    assert same.endswith(", the same as in the previous run.")


def test_a_change_is_never_down_by_zero() -> None:
    step = _step(-0.004, 0.008, 2000)
    text = _say(_summary(0, 1.0, half=0.001), _summary(1, 0.996, half=0.001), step)
    assert "**0.996 (0.995–0.997" in text
    assert "down by **0.004** from the previous run (1.000 (0.999–1.001" in text


def test_intervals_are_said_to_overlap_only_where_there_are_two() -> None:
    none = _say(_summary(0, 1.0, half=None, judged=1), _summary(1, 0.0, half=None, judged=1), None)
    assert none.endswith(
        "−1.00 from the previous run. There are too few questions to tell whether that could be chance."
    )
    both = _say(_summary(0, 0.9), _summary(1, 0.88), None)
    assert both.endswith("The two intervals overlap, so the difference could be chance.")
    apart = _say(_summary(0, 0.9), _summary(1, 0.7), None)
    assert apart.endswith("The two intervals do not overlap.")
