"""The small chart of Overview: values on the points, the last change in words where it happened, names as data."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.ui.charts.chart_colours import DARK, LIGHT
from faithview.ui.charts.finding_figure import FindingChart, MarkedChange, change_in_words, finding_figure
from faithview.wording.verdict_styles import VERDICTS

_START = datetime(2026, 10, 12, tzinfo=UTC)
_ZONE = ZoneInfo("UTC")


def _line(*means: float) -> TrendLine:
    points = tuple(
        TrendPoint(
            at=_START + timedelta(weeks=week),
            mean=mean,
            interval=Interval(mean - 0.03, mean + 0.02),
            judged=100,
            rows=100,
            left_out={},
            run_ids=(f"w{week}",),
        )
        for week, mean in enumerate(means)
    )
    return TrendLine(group="", fingerprint="lexical/1", judge=JudgeSpec(), view=View.JUDGE, points=points)


_FALL = MarkedChange(
    start=_START + timedelta(days=2),
    end=_START + timedelta(days=18),
    words="14 Oct: <b>8</b> articles added, −0.08",
    end_words="30 Oct: 10 articles edited, +0.08",
    is_fall=True,
)


def _texts(figure: go.Figure) -> list[str]:
    return [str(note.text) for note in figure.layout.annotations]


def test_every_point_of_a_short_line_has_its_value() -> None:
    figure = finding_figure(FindingChart(lines=[_line(0.94, 0.86, 0.857)]), zone=_ZONE, theme=LIGHT)
    assert _texts(figure) == ["0.94", "0.86", "0.86"]


def test_a_long_line_has_the_values_of_its_ends_and_of_its_lowest_point() -> None:
    figure = finding_figure(FindingChart(lines=[_line(*[0.9] * 6, 0.7, *[0.9] * 5, 0.8)]), zone=_ZONE, theme=LIGHT)
    assert _texts(figure) == ["0.90", "0.70", "0.80"]


def test_a_corrected_point_has_its_value_in_place_of_the_judges() -> None:
    judged, corrected = _line(0.94, 0.86, 0.92), replace(_line(0.96), view=View.CORRECTED)
    corrected = replace(corrected, points=(replace(corrected.points[0], at=judged.points[-1].at),))
    figure = finding_figure(FindingChart(lines=[judged, corrected]), zone=_ZONE, theme=LIGHT)
    assert _texts(figure) == ["0.94", "0.86", "0.96"]


def test_a_fall_is_a_tinted_span_up_to_the_recovery_with_both_in_words() -> None:
    chart = FindingChart(lines=[_line(0.94, 0.86, 0.86, 0.94)], change=_FALL)
    for theme, shade in ((LIGHT, "light"), (DARK, "dark")):
        figure = finding_figure(chart, zone=_ZONE, theme=theme)
        (span,) = figure.layout.shapes
        assert (span.x0, span.x1) == ("2026-10-14T00:00:00", "2026-10-30T00:00:00")
        assert span.fillcolor == getattr(VERDICTS[Verdict.CONTRADICTED], shade)
        # What people wrote is never read as markup.
        assert _texts(figure)[-2:] == ["14 Oct: &lt;b&gt;8&lt;/b&gt; articles added, −0.08", _wrapped(_FALL.end_words)]
    assert change_in_words(chart) == f"{_FALL.words}. {_FALL.end_words}"


def _wrapped(words: str) -> str:
    """The words at the end of a change have a narrow place."""
    assert words == "30 Oct: 10 articles edited, +0.08"
    return "30 Oct: 10 articles edited,<br>+0.08"


def test_a_fall_that_lasts_is_tinted_to_the_end_and_a_rise_is_not() -> None:
    lasting = replace(_FALL, end=None, end_words="")
    figure = finding_figure(FindingChart(lines=[_line(0.94, 0.86)], change=lasting), zone=_ZONE, theme=LIGHT)
    assert figure.layout.shapes[0].x1 == figure.layout.xaxis.range[1]
    rise = replace(lasting, is_fall=False)
    assert not finding_figure(
        FindingChart(lines=[_line(0.86, 0.94)], change=rise), zone=_ZONE, theme=LIGHT
    ).layout.shapes


def test_a_single_run_is_a_dot_with_its_interval_above_the_threshold() -> None:
    figure = finding_figure(FindingChart(lines=[_line(0.94)], threshold=0.8), zone=_ZONE, theme=LIGHT)
    (dot,) = figure.data
    assert [round(dot.error_y.array[0], 2), round(dot.error_y.arrayminus[0], 2)] == [0.02, 0.03]
    (line,) = figure.layout.shapes
    assert (line.y0, line.line.dash) == (0.8, "dash")
    assert figure.layout.yaxis.range[0] < 0.8
    assert _texts(figure) == ["an answer is faithful from 0.80", "0.94"]
