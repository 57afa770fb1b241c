"""Which line of a trend is the main one."""

from datetime import UTC, datetime, timedelta

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import Interval
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint

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


def _line(fingerprint: str, weeks: range) -> TrendLine:
    points = tuple(point(0.9, week=week) for week in weeks)
    return TrendLine(group="", fingerprint=fingerprint, judge=JudgeSpec(), view=View.JUDGE, points=points)


def _order(*lines: TrendLine) -> list[str]:
    trend = Trend(step=Step.RUN, grouping=Grouping.ALL, zone="UTC", lines=lines)
    return [line.fingerprint for line in trend.of_view(View.JUDGE)]


def test_one_run_by_another_judge_does_not_become_the_main_line() -> None:
    assert _order(_line("lexical", range(9, 10)), _line("embedded", range(5))) == ["embedded", "lexical"]
    assert _order(_line("a", range(3)), _line("b", range(2, 5))) == ["b", "a"]  # as many, and newer
    # A judge that has judged most of the newest runs is the series' own, however many there were before.
    assert _order(_line("old", range(30)), _line("new", range(30, 37))) == ["new", "old"]
    assert _order(_line("old", range(30)), _line("new", range(30, 34))) == ["old", "new"]
    assert _order() == []
