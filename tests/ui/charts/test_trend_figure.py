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
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint
from faithview.services.level_changes import LevelChange, TrendFinding
from faithview.stats.decomposition import SegmentShare
from faithview.stats.trend_steps import LineTests, TrendStep, independent_step, line_tests
from faithview.ui import trends
from faithview.ui.charts.chart_colours import DARK, LIGHT, plain
from faithview.ui.charts.small_multiples import Panels, panels_figure, panels_in_words
from faithview.ui.charts.trend_figure import (
    TrendChart,
    counts_figure,
    has_one_size,
    trend_figure,
    trend_in_words,
    y_range,
)
from faithview.ui.widgets import trend_finding
from faithview.wording.trends import point_period
from faithview.wording.verdict_styles import VERDICTS

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


def _tests(line: TrendLine) -> LineTests:
    return line_tests([line], independent_step, with_drift=True)[0]


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


def test_points_of_one_day_are_told_apart_by_their_time() -> None:
    line = _line(0.9, 0.8, 0.9)
    points = [replace(point, at=START + timedelta(minutes=number)) for number, point in enumerate(line.points)]
    line = replace(line, points=tuple(points))
    figure = trend_figure(TrendChart(lines=[line]), zone=BERLIN, theme=LIGHT)
    assert figure.layout.xaxis.tickformat == "%H:%M\n%-d %b"
    first, second = _tests(line).steps
    change = LevelChange(
        step=first, newest=line.points[-1], segment=None, recovery=second, event=None, recovery_event=None
    )
    text = trend_finding.trend_finding(TrendFinding(line=line, level_change=change), step=Step.RUN, zone=BERLIN)
    assert "between 13 October, 00:30 and 13 October, 00:31" in text
    assert "It recovered by 0.10 on 13 October, 00:32" in text


def test_both_figures_of_a_trend_have_one_axis() -> None:
    chart = TrendChart(lines=[_line(0.9, 0.8, left_out={"failed": 3, "abstained": 2})], events=[_event("a", week=1.5)])
    line = trend_figure(chart, zone=BERLIN, theme=LIGHT)
    counts = counts_figure(chart, zone=BERLIN, theme=LIGHT)
    assert line.layout.xaxis.range == counts.layout.xaxis.range
    assert line.layout.margin.l == counts.layout.margin.l
    # Plotly moves the margin of an axis with a title, and places it at infinity where no tick has a label.
    assert (counts.layout.yaxis.automargin, counts.layout.yaxis.title.text) == (False, "")
    judged, left_out = counts.data
    assert list(judged.y) == [100, 100]
    assert list(left_out.y) == [5, 5]
    assert left_out.text[0] == "2 abstained · 3 failed"
    assert counts.layout.dragmode == "select"


def test_other_views_and_judges_are_lines_of_their_own_with_their_names() -> None:
    lines = [_line(0.9, 0.8), _line(0.95, view=View.REVIEWED), _line(0.7, 0.7, fingerprint=HOSTILE)]
    figure = trend_figure(TrendChart(lines=lines), zone=UTC_ZONE, theme=LIGHT)
    names = [trace.name for trace in figure.data if trace.name]
    assert names == [f"judge, {plain(HOSTILE)}", "reviewed, lexical", "judge, lexical"]
    styles = {trace.name: (trace.line.color, trace.line.dash) for trace in figure.data if trace.name}
    assert len(set(styles.values())) == 3
    assert figure.layout.showlegend is True
    one = trend_figure(TrendChart(lines=lines[:2]), zone=UTC_ZONE, theme=LIGHT)
    assert [trace.name for trace in one.data if trace.name] == ["reviewed", "judge"]


def test_only_the_main_line_is_drawn_with_its_values_where_the_page_asks_for_it() -> None:
    lines = [_line(0.9, 0.8), _line(0.95, view=View.REVIEWED)]
    figure = trend_figure(TrendChart(lines=lines, is_main_alone=True, has_values=True), zone=UTC_ZONE, theme=LIGHT)
    assert {trace.name: trace.visible for trace in figure.data if trace.name} == {
        "reviewed": "legendonly",
        "judge": True,
    }
    (values,) = [trace for trace in figure.data if trace.mode == "text"]
    assert [text[:11] for text in values.text] == ["<b>0.90</b>", "<b>0.80</b>"]
    plain_one = trend_figure(TrendChart(lines=lines), zone=UTC_ZONE, theme=LIGHT)
    assert not [trace for trace in plain_one.data if trace.mode == "text" or trace.visible == "legendonly"]


def test_bars_of_n_say_nothing_where_all_points_count_nearly_as_many() -> None:
    assert has_one_size(_line(0.9, 0.8))
    assert has_one_size(replace(_line(0.9), points=(_point(0, 0.9, judged=100), _point(1, 0.9, judged=91))))
    assert not has_one_size(replace(_line(0.9), points=(_point(0, 0.9, judged=100), _point(1, 0.9, judged=80))))


def test_every_judges_points_have_their_bars_and_ticks_and_no_view_is_counted_twice() -> None:
    other = replace(_line(0.7, fingerprint="lexical/2"), points=(_point(5, 0.7, judged=7),))
    chart = TrendChart(lines=[_line(0.9, 0.8), other, _line(0.9, 0.8, view=View.REVIEWED)])
    counts = counts_figure(chart, zone=UTC_ZONE, theme=LIGHT)
    assert [list(bar.y) for bar in counts.data] == [[100, 100], [0, 0], [7], [0]]
    assert list(counts.data[2].customdata) == ["1.0"]
    same_day = replace(other, points=(replace(other.points[0], at=START),))
    stacked = counts_figure(TrendChart(lines=[_line(0.9, 0.8), same_day]), zone=UTC_ZONE, theme=LIGHT)
    assert list(stacked.layout.yaxis.tickvals) == [107]  # what the highest bars count together
    line = trend_figure(chart, zone=UTC_ZONE, theme=LIGHT)
    assert [tick[:10] for tick in line.layout.xaxis.tickvals] == ["2026-10-12", "2026-10-19", "2026-11-16"]


def test_events_are_verticals_with_labels_that_are_no_markup() -> None:
    chart = TrendChart(lines=[_line(0.9, 0.8)], events=[_event(HOSTILE), _event("b" * 200, week=0.7)])
    figure = trend_figure(chart, zone=UTC_ZONE, theme=LIGHT)
    assert [shape.x0 for shape in figure.layout.shapes] == ["2026-10-16T10:30:00", "2026-10-17T20:06:00"]
    first, second = figure.layout.annotations
    assert first.text == "&lt;b&gt;x&lt;/b&gt; &#36;y&#36; &amp;amp; &lt;a href='z'&gt;"
    assert second.text.endswith("…")
    assert len(second.text) < 100
    assert HOSTILE in trend_in_words(chart, zone=UTC_ZONE)


def test_a_fall_is_tinted_from_its_cause_to_its_recovery_or_to_the_end_of_the_chart() -> None:
    lines, end = [_line(0.9, 0.8, 0.9)], START + timedelta(weeks=2)
    (tint,) = trend_figure(TrendChart(lines=lines, fall=(START, end)), zone=UTC_ZONE, theme=LIGHT).layout.shapes
    assert (tint.x0, tint.x1, tint.layer) == ("2026-10-12T22:30:00", "2026-10-26T22:30:00", "below")
    figure = trend_figure(TrendChart(lines=lines, fall=(START, None)), zone=UTC_ZONE, theme=LIGHT)
    assert figure.layout.shapes[0].x1 == figure.layout.xaxis.range[1]


def test_many_events_are_numbered_rather_than_written_over_each_other() -> None:
    events = [_event(f"event {number}", week=number / 10) for number in range(9)]
    figure = trend_figure(TrendChart(lines=[_line(0.9, 0.8)], events=events), zone=UTC_ZONE, theme=LIGHT)
    assert [a.text for a in figure.layout.annotations] == [str(number) for number in range(1, 10)]
    assert figure.layout.annotations[0].hovertext == "event 0"


def test_a_marked_range_is_drawn() -> None:
    chart = TrendChart(lines=[_line(0.9, 0.8)], selected_range=(START, START + timedelta(days=1)))
    figure = trend_figure(chart, zone=UTC_ZONE, theme=LIGHT)
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == ("2026-10-12T22:30:00", "2026-10-13T22:30:00")


def test_the_axis_fits_the_data_and_never_makes_a_small_difference_a_cliff() -> None:
    assert y_range([_line(0.95, 0.94)]) == pytest.approx([0.82, 1.02])
    assert y_range([_line(0.5)]) == pytest.approx([0.395, 0.595])
    assert y_range([_line(0.03)]) == pytest.approx([0.0, 0.2])
    assert y_range([_line(0.95), _line(0.6)]) == pytest.approx([0.58, 0.99])  # the second has no band


def test_a_reviewed_line_does_not_bridge_runs_without_labels() -> None:
    judge = _line(0.9, 0.8, 0.7)
    reviewed = TrendLine(
        group="", fingerprint="lexical/1", judge=JudgeSpec(), view=View.REVIEWED,
        points=(_point(0, 0.85), _point(2, 0.75)),
    )  # fmt: skip
    figure = trend_figure(TrendChart(lines=[judge, reviewed]), zone=UTC_ZONE, theme=LIGHT)
    (line,) = [trace for trace in figure.data if trace.name == "reviewed"]
    assert list(line.y) == [0.85, None, 0.75]
    assert list(line.customdata) == ["1.0", "", "1.1"]
    assert not line.connectgaps


def test_corrected_scores_stand_each_for_itself_with_its_interval() -> None:
    lines = [_line(0.9, 0.8), _line(0.85, 0.75, view=View.CORRECTED)]
    figure = trend_figure(TrendChart(lines=lines), zone=UTC_ZONE, theme=LIGHT)
    (estimates,) = [trace for trace in figure.data if trace.name == "corrected"]
    assert estimates.mode == "markers"
    assert list(estimates.error_y.array) == pytest.approx([0.02, 0.02])
    assert list(estimates.error_y.arrayminus) == pytest.approx([0.03, 0.03])
    assert figure.layout.yaxis.range[0] < 0.75 - 0.03
    assert figure.layout.yaxis.tickfont.color == figure.layout.xaxis.tickfont.color == LIGHT.axis


@pytest.mark.parametrize(
    ("step", "words"),
    [(Step.RUN, "13 Oct 2026"), (Step.WEEK, "week of 13 Oct 2026"), (Step.MONTH, "October 2026")],
)
def test_a_point_is_named_by_its_local_time(step: Step, words: str) -> None:
    assert point_period(_point(0, 0.9), step, BERLIN) == words


def test_panels_share_one_scale_and_carry_their_places() -> None:
    name = HOSTILE[:25]
    shown = Panels(
        panels={
            name: [_line(0.9, 0.4)],
            "B": [_line(0.9, 0.9)],
            "C": [_line(0.8)],
            "D": [_line(1)],
            "E": [_line(1)],
        },
        moved=frozenset({name}),
        reference=_line(0.9, 0.8),
        events=[_event("a")],
    )
    figure = panels_figure(shown, zone=UTC_ZONE, theme=LIGHT)
    places = [list(trace.customdata) for trace in figure.data if trace.customdata is not None]
    assert places == [["0.0.0", "0.0.1"], ["1.0.0", "1.0.1"], ["2.0.0"], ["3.0.0"], ["4.0.0"]]
    colours = [trace.line.color for trace in figure.data if trace.customdata is not None]
    assert (colours[0], colours[1]) == (LIGHT.accent, LIGHT.event)
    assert figure.layout.annotations[0].text == f"{plain(name)}  <b>0.40</b>"
    axes = [figure.layout[name] for name in figure.layout if name.startswith("yaxis")]
    assert {tuple(axis.range) for axis in axes if axis.range} == {tuple(y_range([_line(0.9, 0.4), _line(1)]))}
    assert "B: 0.90" in panels_in_words(shown, zone=UTC_ZONE)
    assert [(shape.xref, shape.yref) for shape in figure.layout.shapes] == [
        (f"x{n}", f"y{n} domain") for n in ("", 2, 3, 4, 5)
    ]


def test_the_lines_of_all_events_are_added_to_the_panels_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[object] = []
    monkeypatch.setattr(go.Figure, "add_shape", lambda *_, **options: added.append(options))
    panels = {f"segment {number}": [_line(0.9, 0.4)] for number in range(24)}
    events = [_event(str(number), week=number / 10) for number in range(10)]
    figure = panels_figure(Panels(panels=panels, events=events), zone=UTC_ZONE, theme=LIGHT)
    # plotly checks all shapes there are for each one that is added: 240 took 20 seconds.
    assert added == []
    assert len(figure.layout.shapes) == 240


def test_no_colour_of_a_trend_means_a_verdict() -> None:
    verdicts = {getattr(style, name) for style in VERDICTS.values() for name in ("light", "dark")}
    for theme in (LIGHT, DARK):
        assert verdicts.isdisjoint({theme.accent, *theme.others, theme.bar, theme.faint, theme.event, theme.text})


def _finding(
    *means: float,
    places: tuple[SegmentShare, ...] = (),
    recovered: bool = False,
    segment: str | None = None,
    event: bool = True,
    **change: Any,
) -> TrendFinding:
    line = _line(*means)
    tests = _tests(line)
    found = LevelChange(
        step=tests.steps[0],
        newest=line.points[-1],
        segment=segment,
        recovery=tests.steps[1] if recovered else None,
        event=_event("Update", week=0.5) if event else None,
        recovery_event=None,
        places=places,
        **change,
    )
    return TrendFinding(line=line, level_change=found, tests=tests)


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
    two = _say(_finding(0.9, 0.75, event=False, events_between=(_event("a"), _event("b"))))
    assert "; 2 events are between them, cause unknown." in two
    assert " with " not in two


def test_a_recovery_that_did_not_hold_and_a_rise_by_chance_are_not_called_recovered() -> None:
    relapsed = _say(_finding(0.95, 0.82, 0.93, 0.89, 0.85, 0.82, recovered=True, has_relapsed=True))
    assert "It recovered by 0.11 on 26 October, and has fallen again since; it is now **0.82 (" in relapsed
    chance = _say(_finding(0.95, 0.82, 0.9))
    assert chance.endswith("It is now **0.90 (0.87–0.92, n 100)**; the rise since could be chance.")


def test_other_answers_are_said_to_be_a_possible_reason() -> None:
    some = _say(_finding(0.9, 0.75, event=False, shared=60, answers=200))
    assert "Only 60 of 200 answers are in both runs, so other questions may explain it." in some
    none = _say(_finding(0.9, 0.75, event=False, shared=0, answers=200))
    assert "The two runs have no answer in common, so other questions may explain it." in none


def test_segments_that_moved_against_each_other_are_named_together() -> None:
    finding = _finding(0.95, 0.7, segment="Alpha", event=False)
    rise = TrendStep(before=_point(0, 0.7), after=_point(1, 0.95), p_value=0.0001, adjusted=0.0002)
    assert finding.level_change is not None
    moved = replace(finding, level_change=replace(finding.level_change, others=(("Beta", rise),)))
    text = _say(moved)
    assert text.startswith("Overall, no change is significant, but faithfulness on **Alpha** fell by **0.25**")
    assert ", and on **Beta** rose by **0.25** (p 0.0001)" in text


def test_a_paired_step_is_told_with_its_pairs_and_the_runs_own_scores() -> None:
    finding = _finding(0.95, 0.85, event=False)
    assert finding.level_change is not None
    step = replace(finding.level_change.step, pairs=114, paired_delta=-0.07, p_value=0.0002)
    text = _say(replace(finding, level_change=replace(finding.level_change, step=step)))
    assert "fell by **0.07** between 12 October and 19 October (p 0.0002, n 114 pairs)" in text
    assert "; including answers that only one of the two has, from 0.95 (" in text


def test_a_small_change_that_is_real_is_printed_until_it_can_be_seen() -> None:
    finding = _finding(1.0, 0.996, event=False)
    assert finding.level_change is not None
    step = replace(finding.level_change.step, pairs=2000, paired_delta=-0.004, p_value=0.008)
    text = _say(replace(finding, level_change=replace(finding.level_change, step=step)))
    assert "fell by **0.004**" in text
    assert "from 1.000 (0.970–1.020, n 100) to 0.996 (0.966–1.016, n 100)" in text


def test_a_steady_line_a_slow_change_and_an_empty_store_have_their_sentences() -> None:
    level = _line(0.9, 0.9)
    finding = TrendFinding(line=level, level_change=None, tests=_tests(level))
    assert _say(finding) == (
        "Faithfulness is steady. No significant change was found between its 2 runs since 12 Oct 2026, and a change of "
        "0.05 from one run to the next would be noticed 80% of the time. It is now **0.90 (0.87–0.92, n 100)**."
    )
    wide = replace(level, points=tuple(replace(p, interval=Interval(0.6, 1.0)) for p in level.points))
    unsure = _say(replace(finding, line=wide, tests=_tests(wide)))
    assert "steady" not in unsure
    assert "smaller ones may have gone unnoticed: a change of 0.40 from one run to the next" in unsure
    few = replace(level, points=tuple(replace(p, judged=2) for p in level.points))
    unknown = _say(replace(finding, line=few, tests=_tests(few)))
    assert unknown.startswith(
        "Between its 2 runs since 12 Oct 2026 no change can be distinguished from chance: that needs 20"
    )
    nothing = _say(TrendFinding(line=None, level_change=None))
    assert nothing.startswith("No scores to draw yet")


def test_a_step_that_is_significant_only_by_itself_is_told_and_the_line_is_not_called_steady() -> None:
    line = _line(0.9, 0.9, 0.9, 0.86, 0.88, 0.89)
    tests = _tests(line)
    assert tests.alone is not None
    text = _say(TrendFinding(line=line, level_change=None, tests=tests))
    assert "steady" not in text
    assert (
        "is significant among the 7 tests made. By itself, the change from 26 October to 2 November would be "
        "significant: −0.04" in text
    )


def test_a_drift_is_told_from_its_first_point_to_its_last() -> None:
    line = _line(0.95, 0.93, 0.91, 0.89, 0.87, 0.85)
    tests = _tests(line)
    assert tests.drift is not None
    change = LevelChange(
        step=tests.drift, newest=line.points[-1], segment=None, recovery=None, event=None, recovery_event=None,
        is_drift=True,
    )  # fmt: skip
    text = _say(TrendFinding(line=line, level_change=change, tests=tests))
    assert text.startswith("Faithfulness fell by **0.10** between 12 October and 16 November (p ")
    assert text.endswith("; no single step between them is significant.")
    assert change.is_open_fall


def test_what_is_left_out_and_which_judges_there_are_is_said() -> None:
    lines = (_line(0.9), _line(0.8, fingerprint="lexical/2"))
    trend = Trend(step=Step.DAY, grouping=Grouping.ALL, zone="UTC", lines=lines, repeats=2, older=1, undated=3)
    assert trends.omissions(trend) == [
        "2 repeats of other runs are not drawn.",
        "3 rows without a timestamp are not drawn.",
        "1 older run is not shown.",
    ]
    note = trends.judges_note(lines)
    assert note is not None
    assert "Each judge has its own line" in note
    assert "*lexical 1* and *lexical 2*, newest first" in note
    assert trends.judges_note(lines[:1]) is None
    assert trends.view_gap(trend, View.JUDGE, finding=View.JUDGE) is None
    assert "No claim in these runs has a label" in str(trends.view_gap(trend, View.REVIEWED, finding=View.JUDGE))
    assert "cannot be drawn by the timestamps of the rows" in str(
        trends.view_gap(trend, View.CORRECTED, finding=View.JUDGE)
    )
