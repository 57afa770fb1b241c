"""Which line of a trend is the main one, and what each group adds to a change."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import Interval
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint, contributions

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
