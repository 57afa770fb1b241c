"""The trend as the small chart of Overview: values on the points, and the last change written where it happened."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.answer import View
from faithview.domain.buckets import in_zone
from faithview.domain.event import Event
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.ui.charts.chart_colours import ChartTheme, plain
from faithview.ui.charts.trend_figure import (
    TrendChart,
    interval_band,
    line_trace,
    local_time,
    loss_colour,
    time_ticks,
    tint_fall,
    x_range,
    y_range,
)
from faithview.wording import numbers as fmt

_HEIGHT = 230
_MOST_VALUES = 9  # on more points, values would touch
_LATE = 0.75  # of the chart's width: words that begin to the right of it would leave the chart
_LINE_CHARACTERS = 56  # of the words at the start of a change
_END_LINE_CHARACTERS = 28  # of those at its end, which have the narrower place


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedChange:
    """What is written into the chart of a change.

    `start` and `end` are the ends of the tinted span, `end` None if it has not ended; a rise has no span, and
    `is_fall` is False. `words` is written at the start, and `end_words`, "" for nothing, at the end.
    """

    start: datetime
    end: datetime | None
    words: str
    end_words: str
    is_fall: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChart:
    """The content of the chart.

    `lines` starts with the main line. `change` is None if nothing is significant. `threshold` is drawn where there
    is only one point: the share of supported claims from which an answer of that run counts as faithful.
    """

    lines: Sequence[TrendLine]
    change: MarkedChange | None = None
    threshold: float | None = None

    @property
    def is_single(self) -> bool:
        """Whether there is only one point to draw."""
        return sum(len(line.points) for line in self.lines) == 1

    @property
    def trend(self) -> TrendChart:
        """The same as a chart of a trend, with the ends of the span as events, which the axis includes."""
        ends = [] if self.change is None else [self.change.start, *([self.change.end] if self.change.end else [])]
        return TrendChart(lines=self.lines, events=[Event(at=end, label="") for end in ends])


def finding_figure(chart: FindingChart, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw the chart; `customdata` is "line.point", which `trend_figure.clicked_point` reads."""
    figure = go.Figure()
    main = chart.lines[0]
    if not chart.is_single and main.view is not View.CORRECTED:  # whose points stand each for itself
        figure.add_trace(interval_band(main.points, zone=zone, colour=theme.band))
    for number, line in reversed(list(enumerate(chart.lines))):
        figure.add_trace(line_trace(line, number, chart.trend, zone, theme))
    if chart.is_single:
        _draw_threshold(figure, chart, theme)
        figure.update_traces(error_y=_error_bar(main.points[0], theme))
    _write_values(figure, chart, zone, theme)
    if chart.change is not None:
        _mark_change(figure, chart, chart.change, zone, theme)
    low, high = y_range(chart.lines)
    if chart.is_single and chart.threshold is not None:
        low = max(0.0, min(low, chart.threshold - 0.05))
    has_legend = len(chart.lines) > 1
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 34, "r": 20, "t": 6, "b": 44 if has_legend else 24},
        dragmode=False,
        showlegend=has_legend,
        legend={"orientation": "h", "x": 0, "y": -0.15, "yanchor": "top", "font": {"size": 12, "color": theme.text}},
        hoverlabel={"align": "left"},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    figure.update_yaxes(range=[low, high], tickformat=".2f", nticks=3, zeroline=False, tickfont={"color": theme.axis})
    figure.update_xaxes(showgrid=False, type="date", range=x_range(chart.trend, zone), **time_ticks(chart.trend, zone))
    figure.update_xaxes(tickfont={"color": theme.axis})
    return figure


def change_in_words(chart: FindingChart) -> str:
    """Return what is written into the chart, for screen readers; "" for nothing."""
    if chart.change is None:
        return ""
    return ". ".join(words for words in (chart.change.words, chart.change.end_words) if words)


def _write_values(figure: go.Figure, chart: FindingChart, zone: ZoneInfo, theme: ChartTheme) -> None:
    """Write the values at corrected points and at the other points of the main line, of many at three of them."""
    corrected = {point.at for line in chart.lines[1:] if line.view is View.CORRECTED for point in line.points}
    for number, line in enumerate(chart.lines):
        if number and line.view is not View.CORRECTED:
            continue
        points = line.points
        has_bars = chart.is_single or line.view is View.CORRECTED
        named = list(range(len(points)))
        if len(points) > _MOST_VALUES:
            named = sorted({0, min(named, key=[point.mean for point in points].__getitem__), len(points) - 1})
        for point in (points[at] for at in named):
            if number == 0 and point.at in corrected:
                continue
            figure.add_annotation(
                x=local_time(point.at, zone),
                y=point.mean,
                text=fmt.share(point.mean),
                showarrow=False,
                yshift=0 if has_bars else -16,
                xshift=28 if has_bars else 0,
                font={"size": 12.5, "weight": 600, "color": theme.text},
            )


def _mark_change(
    figure: go.Figure, chart: FindingChart, change: MarkedChange, zone: ZoneInfo, theme: ChartTheme
) -> None:
    first, last = x_range(chart.trend, zone)
    start = local_time(change.start, zone)
    end = last if change.end is None else local_time(change.end, zone)
    if change.is_fall:
        tint_fall(figure, (change.start, change.end), chart.trend, zone, theme)
    colour = loss_colour(theme) if change.is_fall else theme.text
    _write(figure, change.words, start, colour, (first, last), is_high=True)
    if change.end_words:
        _write(figure, change.end_words, end, theme.text, (first, last), is_high=False)


def _write(figure: go.Figure, words: str, x: str, colour: str, ends: tuple[str, str], *, is_high: bool) -> None:
    """Write words next to a moment, within the chart at its upper or its lower edge."""
    first, last = map(datetime.fromisoformat, ends)
    lines = textwrap.wrap(words, _LINE_CHARACTERS if is_high else _END_LINE_CHARACTERS)
    is_late = datetime.fromisoformat(x) > first + _LATE * (last - first)
    figure.add_annotation(
        x=x,
        y=1 if is_high else 0,
        yref="paper",
        yanchor="top" if is_high else "bottom",
        xanchor="right" if is_late else "left",
        xshift=-4 if is_late else 4,
        align="left",
        showarrow=False,
        text="<br>".join(map(plain, lines)),
        font={"size": 12.5, "weight": 600, "color": colour},
    )


def _draw_threshold(figure: go.Figure, chart: FindingChart, theme: ChartTheme) -> None:
    if chart.threshold is None:
        return
    figure.add_hline(y=chart.threshold, line={"width": 1, "color": theme.axis, "dash": "dash"})
    figure.add_annotation(
        x=0,
        xref="paper",
        xanchor="left",
        y=chart.threshold,
        yanchor="bottom",
        showarrow=False,
        text=plain(f"an answer is faithful from {fmt.threshold(chart.threshold)}"),
        font={"size": 12, "color": theme.axis},
    )


def _error_bar(point: TrendPoint, theme: ChartTheme) -> dict[str, object]:
    between = point.interval
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if between is None else between.high - point.mean],
        "arrayminus": [0 if between is None else point.mean - between.low],
        "color": theme.accent,
        "thickness": 1.5,
        "width": 5,
    }


def day_words(moment: datetime, zone: ZoneInfo) -> str:
    """Write a day for a chart: "14 Oct"."""
    local = in_zone(moment, zone)
    return f"{local.day} {local:%b}"
