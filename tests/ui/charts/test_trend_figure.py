"""The figures of a trend: everything in them can be read, clicked and trusted."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from faithview.domain.answer import View
from faithview.domain.event import Event
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.ui.charts.trend_figure import (
    TrendChart,
    clicked_event,
    clicked_point,
    panels_figure,
    trend_figure,
    trend_in_words,
)

_START = datetime(2026, 10, 1, 12, tzinfo=UTC)
_HOSTILE = "<b>x</b> $y$ &amp;"


def _line(*means: float, judge: str = "lexical", view: View = View.JUDGE, group: str = "") -> TrendLine:
    points = [
        TrendPoint(
            at=_START + timedelta(weeks=week),
            mean=mean,
            interval=Interval(low=max(0.0, mean - 0.1), high=min(1.0, mean + 0.1)),
            judged=40,
            rows=40,
            left_out={},
            run_ids=(f"r{week}",),
        )
        for week, mean in enumerate(means)
    ]
    return TrendLine(group=group, fingerprint=judge, judge=JudgeSpec(name=judge), view=view, points=tuple(points))


def _chart(*lines: TrendLine, events: int = 0, zone: str = "UTC") -> TrendChart:
    made = [
        Event(at=_START + timedelta(days=7 * number + 3), label=_HOSTILE, before_run_id="r0", after_run_id="r1")
        for number in range(events)
    ]
    return TrendChart(lines=lines, events=made, zone=ZoneInfo(zone))


def test_the_axis_holds_every_interval_and_does_not_enlarge_a_small_step() -> None:
    figure = trend_figure(_chart(_line(0.5, 0.9)), height=300)
    low, high = figure.layout.yaxis.range
    assert low <= 0.4
    assert high >= 1.0
    low, high = trend_figure(_chart(_line(1.0, 1.0)), height=300).layout.yaxis.range
    assert high - low == pytest.approx(0.2)


def test_labels_are_text_and_too_many_are_left_to_the_pointer() -> None:
    figure = trend_figure(_chart(_line(0.5, 0.9), events=1), height=300)
    (label,) = figure.layout.annotations
    assert label.text == "&lt;b&gt;x&lt;/b&gt; &#36;y&#36; &amp;amp;"
    assert not trend_figure(_chart(_line(0.5, 0.9), events=9), height=300).layout.annotations


def test_times_are_those_of_the_zone() -> None:
    figure = trend_figure(_chart(_line(0.5, 0.9), zone="Asia/Tokyo"), height=300)
    assert figure.data[1].x[0] == datetime(2026, 10, 1, 21)  # noqa: DTZ001 - Plotly knows no zones


def test_another_judge_is_drawn_once_it_is_chosen_and_a_corrected_score_always() -> None:
    chart = _chart(_line(0.5, 0.9), _line(0.7, 0.8, judge="other"), _line(0.6, 0.9, view=View.CORRECTED))
    main, other, corrected = trend_figure(chart, height=300).data[1:4]
    assert (main.visible, other.visible, corrected.visible) == (True, "legendonly", True)
    assert list(corrected.error_y.array) == pytest.approx([0.1, 0.1])


@pytest.mark.parametrize("reported", ["0.1", "1.0", "2.0", "0.9", "x.y", "event.0", None, "0"])
def test_a_click_opens_a_known_point_or_none(reported: str | None) -> None:
    lines = [_line(0.5, 0.9), _line(0.7)]
    found = clicked_point([{"customdata": reported}], lines)
    known = {"0.1": (0, lines[0].points[1]), "1.0": (1, lines[1].points[0])}
    assert found == known.get(str(reported))


def test_a_click_on_a_triangle_is_its_event() -> None:
    chart = _chart(_line(0.5, 0.9), events=2)
    triangles = trend_figure(chart, height=300).data[-1]
    assert clicked_event([{"customdata": triangles.customdata[1]}], chart.events) == chart.events[1]
    assert clicked_event([{"customdata": "event.7"}], chart.events) is None


def test_panels_share_a_scale_and_the_dotted_line_of_all_answers() -> None:
    lines = [_line(0.5, 0.9, group="a"), _line(0.9, 0.9, group="b"), _line(0.7, 0.9)]
    figure = panels_figure(_chart(*lines), ["<i>a</i>", "b"], strong=[True, False], reference=True)
    assert figure.layout.annotations[0].text.startswith("&lt;i&gt;a&lt;/i&gt;")
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    assert [trace.customdata for trace in figure.data if trace.customdata] == [("0.0", "0.1"), ("1.0", "1.1")]


def test_the_words_name_every_point_with_its_interval_and_every_event() -> None:
    words = trend_in_words(_chart(_line(0.5, 0.9), events=1))
    assert "0.50 (0.40–0.60, n 40)" in words
    assert _HOSTILE in words
