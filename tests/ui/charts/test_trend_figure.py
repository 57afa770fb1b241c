"""Trends as figures and as sentences: what is chart is what was counted, and names are never read as markup."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import plotly.graph_objects as go
import pytest

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.event import Event, EventKind
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.services.level_changes import LevelChange, LineTests, TrendFinding, TrendStep
from faithview.stats.decomposition import SegmentShare
from faithview.ui.charts.chart_colours import LIGHT
from faithview.ui.charts.small_multiples import Panels, panels_figure
from faithview.ui.charts.trend_figure import (
    TrendChart,
    trend_figure,
    trend_in_words,
)
from faithview.ui.widgets import trend_finding

START = datetime(2026, 10, 12, 22, 30, tzinfo=UTC)  # 13 October in Berlin, half an hour after midnight
BERLIN = ZoneInfo("Europe/Berlin")
UTC_ZONE = ZoneInfo("UTC")
HOSTILE = "<b>x</b> $y$ &amp; <a href='z'>"


def _point(week: int, mean: float, *, left_out: dict[str, int] | None = None, judged: int = 100) -> TrendPoint:
    left_out = left_out or {}
    return TrendPoint(
        at=START + timedelta(weeks=week),
        mean=mean,
        interval=Interval(mean - 0.03, mean + 0.02),
        judged=judged,
        rows=judged + sum(left_out.values()),
        left_out=left_out,
        run_ids=(f"w{week}",),
    )


def _line(
    *means: float, view: View = View.JUDGE, fingerprint: str = "lexical/1", group: str | None = "", **point: Any
) -> TrendLine:
    points = tuple(_point(week, mean, **point) for week, mean in enumerate(means))
    return TrendLine(group=group, fingerprint=fingerprint, judge=JudgeSpec(), view=view, points=points)


def _step(line: TrendLine, first: int, last: int) -> TrendStep:
    before, after = line.points[first], line.points[last]
    return TrendStep(
        before=before,
        after=after,
        delta=after.mean - before.mean,
        error=0.01,
        p_value=0.00001,
        least_p=0.0,
        adjusted=0.00002,
    )


def _event(label: str, *, week: float = 0.5) -> Event:
    return Event(at=START + timedelta(weeks=week), kind=EventKind.KNOWLEDGE_BASE, label=label)


def test_the_line_has_a_mark_a_point_with_its_band_and_the_place_to_open() -> None:
    chart = TrendChart(lines=[_line(0.9, 0.8)])
    figure = trend_figure(chart, zone=BERLIN, theme=LIGHT)
    band, line = figure.data
    assert list(line.x) == ["2026-10-13T00:30:00", "2026-10-20T00:30:00"]
    assert list(line.y) == [0.9, 0.8]
    assert list(line.customdata) == ["0.0", "0.1"]
    assert list(band.y) == pytest.approx([0.92, 0.82, 0.77, 0.87])
    assert figure.layout.showlegend is False
    assert figure.layout.xaxis.tickformat == "%-d %b"


def test_events_are_verticals_with_labels_that_are_no_markup() -> None:
    chart = TrendChart(lines=[_line(0.9, 0.8)], events=[_event(HOSTILE), _event("b" * 200, week=0.7)])
    figure = trend_figure(chart, zone=UTC_ZONE, theme=LIGHT)
    assert [shape.x0 for shape in figure.layout.shapes] == ["2026-10-16T10:30:00", "2026-10-17T20:06:00"]
    first, second = figure.layout.annotations
    assert first.text == "&lt;b&gt;x&lt;/b&gt; &#36;y&#36; &amp;amp; &lt;a href='z'&gt;"
    assert second.text.endswith("…")
    assert len(second.text) < 100
    assert HOSTILE in trend_in_words(chart, zone=UTC_ZONE)


def test_corrected_scores_stand_each_for_itself_with_its_interval() -> None:
    lines = [_line(0.9, 0.8), _line(0.85, 0.75, view=View.CORRECTED)]
    figure = trend_figure(TrendChart(lines=lines), zone=UTC_ZONE, theme=LIGHT)
    (estimates,) = [trace for trace in figure.data if trace.name == "corrected"]
    assert estimates.mode == "markers"
    assert list(estimates.error_y.array) == pytest.approx([0.02, 0.02])
    assert list(estimates.error_y.arrayminus) == pytest.approx([0.03, 0.03])
    assert figure.layout.yaxis.range[0] < 0.75 - 0.03
    assert figure.layout.yaxis.tickfont.color == figure.layout.xaxis.tickfont.color == LIGHT.axis


def test_the_lines_of_all_events_are_added_to_the_panels_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[object] = []
    monkeypatch.setattr(go.Figure, "add_shape", lambda *_, **options: added.append(options))
    panels = {f"segment {number}": [_line(0.9, 0.4)] for number in range(24)}
    events = [_event(str(number), week=number / 10) for number in range(10)]
    figure = panels_figure(Panels(panels=panels, events=events), zone=UTC_ZONE, theme=LIGHT)
    # plotly checks all shapes there are for each one that is added: 240 took 20 seconds.
    assert added == []
    assert len(figure.layout.shapes) == 240


def _finding(*means: float, recovered: bool = False, event: bool = True, **change: Any) -> TrendFinding:
    line = _line(*means)
    found = LevelChange(
        step=_step(line, 0, 1),
        newest=line.points[-1],
        recovery=_step(line, 1, 2) if recovered else None,
        event=_event("Update", week=0.5) if event else None,
        **change,
    )
    return TrendFinding(line=line, level_change=found)


def _say(finding: TrendFinding) -> str:
    return trend_finding.trend_finding(finding, step=Step.RUN, zone=UTC_ZONE)


def _place(segment: str | None, change: float, answers: float) -> SegmentShare:
    return SegmentShare(segment=segment, share_of_change=change, share_of_answers=answers, p_value=0.001)


def test_a_fall_is_told_with_its_event_its_segment_and_its_recovery() -> None:
    finding = _finding(0.9, 0.75, 0.9, places=(_place("Hand*overs", 0.93, 0.17),), recovered=True)
    text = _say(finding)
    assert text.startswith(
        "Faithfulness fell by **0.15** with the update of the knowledge base of 16 October (p < 0.0001), from 0.90"
    )
    assert r"; 93% of the loss is in **Hand\*overs** (17% of the answers)." in text
    assert "It recovered by 0.15 on 26 October and is now **0.90 (0.87–0.92, n 100)**." in text
    assert finding.level_change is not None
    event = replace(finding.level_change, recovery_event=_event("Update", week=1.5))
    assert ", after the update of the knowledge base of 23 October, and is now **0.90" in _say(
        replace(finding, level_change=event)
    )
    assert "cause unknown" not in text


def test_a_fall_without_recovery_or_without_one_segment_to_blame_says_so() -> None:
    text = _say(_finding(0.9, 0.75))
    assert text.endswith("It has not recovered since.")
    assert " of the loss " not in text
    own = _say(_finding(0.9, 0.75, segment="A", event=False))
    assert own.startswith(
        "Overall, no change is significant, but faithfulness on **A** fell by **0.15** between 12 October"
    )


def test_a_fall_whose_cause_is_not_known_names_no_event_as_one() -> None:
    assert "between 12 October and 19 October (p < 0.0001), from 0.90" in _say(_finding(0.9, 0.75, event=False))
    assert "; cause unknown." in _say(_finding(0.9, 0.75, event=False))
    one = _say(_finding(0.9, 0.75, event=False, events_between=(_event("a"),)))
    assert "; the update of the knowledge base of 16 October is between them, cause unknown." in one
    two = _say(_finding(0.9, 0.75, event=False, events_between=(_event("a"), _event("b", week=0.7))))
    assert (
        "; the update of the knowledge base of 16 October and the update of the knowledge base of 17 October are "
        "between them, cause unknown."
    ) in two
    assert " with " not in two


def test_a_line_without_a_change_and_an_empty_store_have_their_sentences() -> None:
    level = _line(0.9, 0.9)
    tests = LineTests(steps=(_step(level, 0, 1),), drift=None, noticeable=0.05, untested=0)
    finding = TrendFinding(line=level, level_change=None, tests=tests)
    assert _say(finding) == (
        "Faithfulness is steady. No significant change was found between its 2 runs since 12 Oct 2026, and a change of "
        "0.05 from one run to the next would be noticed 80% of the time. It is now **0.90 (0.87–0.92, n 100)**."
    )
    unsure = _say(replace(finding, tests=replace(tests, noticeable=0.4)))
    assert "steady" not in unsure
    assert "smaller ones may have gone unnoticed: a change of 0.40 from one run to the next" in unsure
    assert "1 step has too few questions to be tested" in _say(replace(finding, tests=replace(tests, untested=1)))
    unknown = _say(replace(finding, tests=replace(tests, steps=(), noticeable=None)))
    assert unknown.startswith(
        "Between its 2 runs since 12 Oct 2026 no change can be distinguished from chance: that needs 20"
    )
    assert _say(TrendFinding(line=None, level_change=None)).startswith("No scores to draw yet")


def test_a_drift_is_told_against_the_mean_of_the_runs_before() -> None:
    line = _line(0.9, 0.85)
    change = LevelChange(step=_step(line, 0, 1), newest=line.points[-1], is_drift=True)
    text = _say(TrendFinding(line=line, level_change=change))
    assert text.startswith(
        "Faithfulness fell by **0.05** between 12 October and 19 October (p < 0.0001), from a mean of"
    )
    assert text.endswith("; no single step is significant.")


def test_a_fall_that_no_rise_made_good_is_not_called_open() -> None:
    assert _say(_finding(0.9, 0.75, 0.8, 0.85)).endswith("n 100)**; no single rise since is significant.")
    again = _say(_finding(0.9, 0.75, 0.88, 0.76, recovered=True))
    assert "It recovered by 0.13 on 26 October and has fallen again since; it is now **0.76" in again
