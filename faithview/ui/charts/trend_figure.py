"""Figures of a trend: the line with its interval and events, and small panels on one scale, a group each.

Labels and names are data. Plotly reads markup in any text, so every one of them goes through `plain`. The grid and the
background are those of Streamlit's theme.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from faithview.domain.answer import View
from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.ui.charts.chart_colours import plain
from faithview.wording import numbers as fmt
from faithview.wording import palette
from faithview.wording.numbers import short_judge_names
from faithview.wording.trends import point_period, point_score

# On both themes' backgrounds.
_BAND, _FALL = "rgba(70,125,205,0.15)", "rgba(200,85,30,0.09)"
_AIR, _LEAST_SPAN = 0.03, 0.2
_POINTS_WITH_TICKS, _POINTS_WITH_VALUES = 9, 14
_LABELLED_EVENTS = 6
_EVENTS_CHARACTERS = 120  # of all labels together, which share the chart's width
_EVENT = "event"
_PANEL, _COLUMNS = 128, 4
CONFIG = {"displayModeBar": False, "doubleClick": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendChart:
    """The content of a trend's figure.

    `lines` starts with the main line; those of other judges are drawn once they are chosen in the legend. `fall` is the
    span of a fall, which is tinted; its end is None if it has not ended. Times are shown in `zone`.
    """

    lines: Sequence[TrendLine]
    events: Sequence[Event] = ()
    fall: tuple[datetime, datetime | None] | None = None
    step: Step = Step.RUN
    zone: ZoneInfo

    def local(self, moment: datetime) -> datetime:
        """Return a moment in the zone's local time; Plotly knows no time zones."""
        return in_zone(moment, self.zone).replace(tzinfo=None)

    def times(self, points: Sequence[TrendPoint]) -> list[datetime]:
        """Return the local times of points."""
        return [self.local(point.at) for point in points]

    def hover(self, point: TrendPoint) -> str:
        """Return what is known of a point, as HTML for Plotly."""
        rows = [f"<b>{point_score(point)}</b>", point_period(point, self.step, self.zone)]
        if left_out := fmt.left_out(point.left_out):
            rows.append(f"left out: {left_out}")
        if len(point.run_ids) > 1:
            rows.append(fmt.plural(len(point.run_ids), "run"))
        return "<br>".join(rows)


def trend_figure(chart: TrendChart, *, height: int) -> go.Figure:
    """Draw the line, its events and its fall, in pixels of height; `clicked_point` and `clicked_event` read clicks."""
    main, colours, dark = chart.lines[0], _judge_colours(chart.lines), _is_dark()
    corrected = {point.at for line in chart.lines if line.view is View.CORRECTED for point in line.points}
    names = short_judge_names([line.fingerprint for line in chart.lines])
    figure = go.Figure()
    if len(main.points) > 1:
        figure.add_trace(_band(chart, main))
    for number, line in enumerate(chart.lines):
        is_main_judge, is_estimate = line.fingerprint == main.fingerprint, line.view is View.CORRECTED
        colour = colours[line.fingerprint]
        with_values = is_main_judge and len(line.points) <= _POINTS_WITH_VALUES
        figure.add_scatter(
            x=chart.times(line.points),
            y=[point.mean for point in line.points],
            mode=("markers" if is_estimate else "lines+markers") + ("+text" if with_values else ""),
            error_y=_error_bars(line) if is_estimate or len(main.points) == 1 else None,
            name=plain(str(line.view) if len(names) == 1 else f"{line.view}, {names[line.fingerprint]}"),
            visible=True if is_main_judge else "legendonly",
            line={"width": 2.5 if number == 0 else 1.5, "color": colour, "dash": "solid" if is_main_judge else "dash"},
            marker={"size": 9, "symbol": "diamond" if is_estimate else "circle", "color": colour},
            unselected={"marker": {"opacity": 1}},
            text=[f"<b>{fmt.share(point.mean)}</b>" for point in line.points],
            textposition=[
                # Beside the error bar of a corrected score.
                "middle right" if is_estimate else "bottom left" if point.at in corrected else "bottom center"
                for point in line.points
            ],
            textfont={"size": 12.5, "color": palette.INK[dark]},
            cliponaxis=False,
            customdata=[f"{number}.{at}" for at in range(len(line.points))],
            hovertext=[chart.hover(point) for point in line.points],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    ends = _time_range(chart)
    _draw_events(figure, chart, ends)
    if chart.fall is not None:
        start, end = chart.fall
        x1 = ends[1] if end is None else chart.local(end)
        figure.add_vrect(x0=chart.local(start), x1=x1, fillcolor=_FALL, line_width=0, layer="below")
    has_legend = len(chart.lines) > 1
    figure.update_layout(
        height=height,
        margin={"l": 44, "r": 24, "t": 42 if chart.events else 10, "b": 46 if has_legend else 24},
        dragmode=False,
        showlegend=has_legend,
        legend={"orientation": "h", "x": 0, "y": -34 / height, "yanchor": "top"},
        hoverlabel={"align": "left"},
    )
    quiet = {"color": palette.QUIET[dark]}
    figure.update_yaxes(range=_score_range(chart.lines), tickformat=".2f", nticks=4, zeroline=False, tickfont=quiet)
    figure.update_xaxes(showgrid=False, type="date", range=ends, tickfont=quiet, **_time_ticks(chart))
    return figure


def panels_figure(chart: TrendChart, titles: Sequence[str], *, strong: Sequence[bool], reference: bool) -> go.Figure:
    """Draw the lines of a chart in a panel each, on one scale; `clicked_point` reads clicks.

    Args:
        chart: the lines; with a reference, the last one is that of all answers together, dotted in every panel.
        titles: the name of each panel.
        strong: which panels changed significantly; they are emphasised.
        reference: whether the last line is the reference.
    """
    dark = _is_dark()
    rows, columns = -(-len(titles) // _COLUMNS), min(_COLUMNS, len(titles))
    headings = [
        f"{plain(_cut(title, 30))}  <b>{fmt.share(line.points[-1].mean)}</b>"
        for title, line in zip(titles, chart.lines, strict=False)
    ]
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.025,
        vertical_spacing=0.36 / rows if rows > 1 else 0,
        subplot_titles=headings,
    )
    for number in range(len(titles)):
        line, place = chart.lines[number], {"row": number // columns + 1, "col": number % columns + 1}
        if reference:
            whole = chart.lines[-1].points
            dotted = {"width": 1, "color": palette.QUIET[dark], "dash": "dot"}
            means = [point.mean for point in whole]
            figure.add_scatter(x=chart.times(whole), y=means, mode="lines", line=dotted, hoverinfo="skip", **place)
        figure.add_trace(_band(chart, line), **place)
        figure.add_scatter(
            x=chart.times(line.points),
            y=[point.mean for point in line.points],
            mode="lines+markers",
            line={"width": 2, "color": (palette.ACCENT if strong[number] else palette.QUIET)[dark]},
            marker={"size": 6},
            unselected={"marker": {"opacity": 1}},
            customdata=[f"{number}.{at}" for at in range(len(line.points))],
            hovertext=[chart.hover(point) for point in line.points],
            hovertemplate="%{hovertext}<extra></extra>",
            **place,
        )
    figure.update_layout(
        height=rows * _PANEL + 40, margin={"l": 40, "r": 8, "t": 26, "b": 24}, showlegend=False, dragmode=False
    )
    quiet = {"color": palette.QUIET[dark]}
    figure.update_yaxes(range=_score_range(chart.lines), tickformat=".1f", nticks=4, zeroline=False, tickfont=quiet)
    moments = [point.at for line in chart.lines for point in line.points]
    ends = [chart.local(min(moments)), chart.local(max(moments))]
    figure.update_xaxes(showgrid=False, type="date", tickvals=ends, tickformat=_day_shape(ends), tickfont=quiet)
    figure.update_annotations(font={"size": 13, "color": palette.INK[dark]})
    return figure


def trend_in_words(chart: TrendChart) -> str:
    """Return what a figure shows, for screen readers: the main line and the events."""
    points = "; ".join(
        f"{point_period(point, chart.step, chart.zone)}: {point_score(point)}" for point in chart.lines[0].points
    )
    events = "; ".join(f"{fmt.day(in_zone(event.at, chart.zone))}: {event.label}" for event in chart.events)
    return f"Faithfulness over time, with 95% intervals. {points}{f'. Events: {events}' if events else ''}"


def panels_in_words(chart: TrendChart, titles: Sequence[str]) -> str:
    """Return what the panels show, for screen readers."""
    parts = [
        f"{title}: {point_score(line.points[0])} at first, {point_score(line.points[-1])} at last"
        for title, line in zip(titles, chart.lines, strict=False)
    ]
    return f"Faithfulness over time in panels on one scale. {'; '.join(parts)}"


def clicked_point(clicks: Sequence[Mapping[str, object]], lines: Sequence[TrendLine]) -> tuple[int, TrendPoint] | None:
    """Return the point that was clicked and the number of its line; None if what the browser reports is unknown."""
    for click in clicks:
        line, _, point = str(click.get("customdata") or "").partition(".")
        if line.isdecimal() and point.isdecimal() and int(line) < len(lines):
            points = lines[int(line)].points
            if int(point) < len(points):
                return int(line), points[int(point)]
    return None


def clicked_event(clicks: Sequence[Mapping[str, object]], events: Sequence[Event]) -> Event | None:
    """Return the event whose triangle was clicked; None if what the browser reports is unknown."""
    for click in clicks:
        kind, _, number = str(click.get("customdata") or "").partition(".")
        if kind == _EVENT and number.isdecimal() and int(number) < len(events):
            return events[int(number)]
    return None


def _is_dark() -> bool:
    return st.context.theme.type == "dark"


def _judge_colours(lines: Sequence[TrendLine]) -> dict[str, str]:
    """Return the colour of each judge's lines: the accent for the main judge's."""
    shades = (palette.ACCENT, palette.QUIET, *palette.OTHER_JUDGES)
    judges = list(dict.fromkeys(line.fingerprint for line in lines))
    return {judge: shades[number % len(shades)][_is_dark()] for number, judge in enumerate(judges)}


def _ends(point: TrendPoint) -> Interval:
    return point.interval or Interval(low=point.mean, high=point.mean)


def _band(chart: TrendChart, line: TrendLine) -> go.Scatter:
    """Return the intervals of the points as one band; at a point without an interval it narrows to the mean."""
    x = chart.times(line.points)
    y = [*(_ends(point).high for point in line.points), *(_ends(point).low for point in reversed(line.points))]
    return go.Scatter(
        x=[*x, *reversed(x)],
        y=y,
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=_BAND,
        hoverinfo="skip",
        showlegend=False,
    )


def _error_bars(line: TrendLine) -> dict[str, object]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [_ends(point).high - point.mean for point in line.points],
        "arrayminus": [point.mean - _ends(point).low for point in line.points],
        "thickness": 1.5,
        "width": 4,
    }


def _draw_events(figure: go.Figure, chart: TrendChart, ends: tuple[datetime, datetime]) -> None:
    """Draw a dotted line for each event, its label, and a triangle to click where it has a run on both sides."""
    quiet, late = palette.QUIET[_is_dark()], ends[0] + 0.6 * (ends[1] - ends[0])
    for number, event in enumerate(chart.events):
        x = chart.local(event.at)
        line = {"width": 1, "color": quiet, "dash": "dot"}
        figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line=line)
        if len(chart.events) <= _LABELLED_EVENTS:
            figure.add_annotation(
                x=x,
                y=1,
                yref="paper",
                yanchor="bottom",
                yshift=4 + 16 * (number % 2),
                xanchor="right" if x > late else "left",
                showarrow=False,
                text=plain(_cut(event.label, max(20, _EVENTS_CHARACTERS // len(chart.events)))),
                font={"size": 12, "color": palette.INK[_is_dark()]},
            )
    clickable = [(at, event) for at, event in enumerate(chart.events) if event.before_run_id and event.after_run_id]
    figure.add_scatter(
        x=[chart.local(event.at) for _, event in clickable],
        y=[_score_range(chart.lines)[1]] * len(clickable),
        mode="markers",
        marker={"symbol": "triangle-down", "size": 12, "color": palette.INK[_is_dark()]},
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
        showlegend=False,
        customdata=[f"{_EVENT}.{number}" for number, _ in clickable],
        hovertext=[f"{plain(event.label)}<br>Click to see what changed" for _, event in clickable],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _time_range(chart: TrendChart) -> tuple[datetime, datetime]:
    moments = [chart.local(point.at) for line in chart.lines for point in line.points]
    moments += [chart.local(event.at) for event in chart.events]
    air = max(timedelta(hours=12), 0.05 * (max(moments) - min(moments)))
    return min(moments) - air, max(moments) + air


def _score_range(lines: Sequence[TrendLine]) -> tuple[float, float]:
    """Return the ends of the score axis: close around the data, but 0.2 apart, or a small step would look large."""
    ends = [_ends(point) for line in lines for point in line.points]
    low, high = min(end.low for end in ends) - _AIR, min(1 + _AIR, max(end.high for end in ends) + _AIR)
    return max(-_AIR, min(low, high - _LEAST_SPAN)), high


def _time_ticks(chart: TrendChart) -> dict[str, object]:
    """Put the ticks at the points while they are few: between two runs there is no value to read."""
    moments = sorted({chart.local(point.at) for line in chart.lines for point in line.points})
    shape = "%b %Y" if chart.step is Step.MONTH else _day_shape(moments)
    if len(moments) <= _POINTS_WITH_TICKS:
        return {"tickmode": "array", "tickvals": moments, "tickformat": shape}
    return {"nticks": _POINTS_WITH_TICKS, "tickformat": shape}


def _day_shape(moments: Sequence[datetime]) -> str:
    """Return how ticks write days, for Plotly: with the time where all fall on one day."""
    return "%H:%M\n%-d %b" if len(moments) > 1 and len({moment.date() for moment in moments}) == 1 else "%-d %b"
