"""The line of a trend as a Plotly figure and in words.

Labels and names are data. Plotly reads markup in any text, so every one of them goes through `plain`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.buckets import Step, in_zone
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.domain.views import View
from faithview.stats.process import ControlLimits
from faithview.ui.charts.bands import interval_band
from faithview.ui.charts.markers import add_event_labels, add_event_lines, add_event_markers, shade_selected_range
from faithview.ui.charts.theme import ChartTheme, plain
from faithview.ui.charts.trend_axes import (
    LEFT_MARGIN,
    RIGHT_MARGIN,
    TrendChart,
    day_shape,
    local_time,
    x_range,
    y_range,
)
from faithview.wording import numbers as fmt
from faithview.wording.trends import point_period, point_score
from faithview.wording.views import short_judge_names

_HEIGHT = 360
_SMALL_HEIGHT = 250
_POINTS_WITH_TICKS = 9
_VIEW_DASHES = {View.JUDGE: "solid", View.REVIEWED: "dash", View.CORRECTED: "dot"}
_VIEW_SYMBOLS = {View.JUDGE: "circle", View.REVIEWED: "square", View.CORRECTED: "diamond"}


def trend_figure(chart: TrendChart, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw the line with its band; `customdata` is "line.point", which `clicked_point` reads."""
    figure = go.Figure()
    main = chart.lines[0]
    if chart.limits is not None:
        _add_limits(figure, main, chart.limits, zone, theme)
    if main.view is not View.CORRECTED:  # whose points stand each for itself
        for points in _unbroken(main, chart.lines):
            figure.add_trace(interval_band(points, zone=zone, colour=theme.band))
    for number, line in reversed(list(enumerate(chart.lines))):
        figure.add_trace(_line(line, number, chart, zone, theme))
    _add_level_changes(figure, main, chart.level_changes, zone, theme)
    add_event_lines(figure, chart, zone, theme)
    add_event_labels(figure, chart, zone, theme)
    add_event_markers(figure, chart, zone, theme)
    shade_selected_range(figure, chart, zone, theme)
    has_legend = len(chart.lines) > 1 or chart.limits is not None or bool(chart.level_changes)
    figure.update_layout(
        height=_SMALL_HEIGHT if chart.is_small else _HEIGHT,
        margin={
            "l": LEFT_MARGIN,
            "r": RIGHT_MARGIN,
            "t": 40 if chart.events else 10,
            "b": 46 if has_legend else 24,
        },
        dragmode=False,
        showlegend=has_legend,
        legend={
            "orientation": "h",
            "x": 0,
            "y": -0.15 if chart.is_small else -0.09,
            "yanchor": "top",
            "font": {"size": 12, "color": theme.text},
        },
        hoverlabel={"align": "left"},
    )
    figure.update_yaxes(range=y_range(chart.lines), tickformat=".2f", nticks=6, zeroline=False)
    figure.update_yaxes(tickfont={"color": theme.axis})
    figure.update_xaxes(showgrid=False, type="date", range=x_range(chart, zone), **_ticks(chart, zone))
    figure.update_xaxes(tickfont={"color": theme.axis})
    return figure


def trend_in_words(chart: TrendChart, *, zone: ZoneInfo) -> str:
    """Return the content of the chart as text, for screen readers."""
    main = chart.lines[0]
    points = "; ".join(f"{point_period(p, chart.step, zone)}: {point_score(p)}" for p in main.points)
    text = f"Faithfulness over time, by {chart.step}, with 95 % intervals. {points}"
    if chart.events:
        events = "; ".join(f"{fmt.day(in_zone(event.at, zone))}: {event.label}" for event in chart.events)
        text += f". Events: {events}"
    return text


def clicked_point(clicks: Sequence[Mapping[str, object]], lines: Sequence[TrendLine]) -> TrendPoint | None:
    """Return the point that was clicked, looked up by the "line.point" that the browser reports; None if unknown."""
    for click in clicks:
        line, _, point = str(click.get("customdata") or "").partition(".")
        if line.isdecimal() and point.isdecimal() and int(line) < len(lines):
            points = lines[int(line)].points
            if int(point) < len(points):
                return points[int(point)]
    return None


def line_name(line: TrendLine, lines: Sequence[TrendLine]) -> str:
    """Return the legend's name of a line: its view, with its judge where there are several."""
    judges = short_judge_names([other.fingerprint for other in lines])
    return f"{line.view}, {judges[line.fingerprint]}" if len(judges) > 1 else str(line.view)


def _line(line: TrendLine, number: int, chart: TrendChart, zone: ZoneInfo, theme: ChartTheme) -> go.Scatter:
    is_main = number == 0
    fingerprints = list(dict.fromkeys(other.fingerprint for other in chart.lines))
    judge = fingerprints.index(line.fingerprint)
    colour = theme.accent if judge == 0 else theme.others[(judge - 1) % len(theme.others)]
    own = {point.at: at for at, point in enumerate(line.points)}
    # A moment without a point of this line breaks it.
    places = [own.get(moment) for moment in _moments(line, chart.lines)]
    points = [None if at is None else line.points[at] for at in places]
    is_estimate = line.view is View.CORRECTED
    return go.Scatter(
        x=[local_time(moment, zone) for moment in _moments(line, chart.lines)],
        y=[None if p is None else p.mean for p in points],
        mode="markers" if is_estimate else "lines+markers",
        error_y=_error_bars(line, colour) if is_estimate else None,
        name=plain(line_name(line, chart.lines)),
        line={
            "width": 2.5 if is_main else 1.5,
            "color": colour,
            "dash": _VIEW_DASHES[line.view],
        },
        marker={
            "size": 9 if is_main else 7,
            "symbol": _VIEW_SYMBOLS[line.view] + ("-open" if judge else ""),
            "color": colour,
        },
        unselected={"marker": {"opacity": 1}},
        customdata=["" if at is None else f"{number}.{at}" for at in places],
        text=["" if p is None else _hover(p, line, chart, zone) for p in points],
        hovertemplate="%{text}<extra></extra>",
    )


def _moments(line: TrendLine, lines: Sequence[TrendLine]) -> list[datetime]:
    """Return the moments of a line and, where it is reviewed, those of its judge's own line, which it may lack."""
    judged = [other for other in lines if other.fingerprint == line.fingerprint and other.view is View.JUDGE]
    sources = [line, *judged] if line.view is View.REVIEWED else [line]
    return sorted({point.at for source in sources for point in source.points})


def _unbroken(line: TrendLine, lines: Sequence[TrendLine]) -> list[list[TrendPoint]]:
    """Return the points of a line in the pieces between its gaps."""
    own = {point.at: point for point in line.points}
    pieces: list[list[TrendPoint]] = [[]]
    for moment in _moments(line, lines):
        if moment in own:
            pieces[-1].append(own[moment])
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if piece]


def _error_bars(line: TrendLine, colour: str) -> dict[str, object]:
    between = [p.interval or Interval(p.mean, p.mean) for p in line.points]
    return {
        "type": "data",
        "symmetric": False,
        "array": [i.high - p.mean for i, p in zip(between, line.points, strict=True)],
        "arrayminus": [p.mean - i.low for i, p in zip(between, line.points, strict=True)],
        "color": colour,
        "thickness": 1.5,
        "width": 4,
    }


def _hover(point: TrendPoint, line: TrendLine, chart: TrendChart, zone: ZoneInfo) -> str:
    rows = [f"<b>{point_score(point)}</b>", point_period(point, chart.step, zone)]
    if len(chart.lines) > 1:
        rows.append(plain(line_name(line, chart.lines)))
    if left_out := fmt.left_out(point.left_out):
        rows.append(f"left out: {left_out}")
    if len(point.run_ids) > 1:
        rows.append(fmt.plural(len(point.run_ids), "run"))
    return "<br>".join(rows)


def _add_limits(figure: go.Figure, line: TrendLine, limits: ControlLimits, zone: ZoneInfo, theme: ChartTheme) -> None:
    x = [local_time(p.at, zone) for p in line.points]
    for number, (name, values) in enumerate(
        (
            ("control limits", [limit.high for limit in limits.limits]),
            ("control limits", [limit.low for limit in limits.limits]),
            ("centre", [limits.centre] * len(x)),
        )
    ):
        figure.add_trace(
            go.Scatter(
                x=x,
                y=values,
                mode="lines",
                name=name,
                line={"width": 1, "color": theme.faint, "dash": "dot" if name == "control limits" else "solid"},
                hoverinfo="skip",
                showlegend=number == 0,
            )
        )


def _add_level_changes(
    figure: go.Figure, line: TrendLine, changes: Sequence[datetime], zone: ZoneInfo, theme: ChartTheme
) -> None:
    by_time = {point.at: point for point in line.points}
    points = [by_time[moment] for moment in changes if moment in by_time]
    if points:
        figure.add_trace(
            go.Scatter(
                x=[local_time(p.at, zone) for p in points],
                y=[p.mean for p in points],
                mode="markers",
                name="level changes here",
                marker={"symbol": "circle-open", "size": 17, "color": theme.text, "line": {"width": 1.5}},
                hoverinfo="skip",
            )
        )


def _ticks(chart: TrendChart, zone: ZoneInfo) -> dict[str, object]:
    """Put the ticks at the points while they are few: between two runs there is no value to read."""
    points = sorted((p for line in chart.lines for p in line.points), key=lambda point: point.at)
    shape = "%b %Y" if chart.step is Step.MONTH else day_shape([point.at for point in points], zone)
    days = list(dict.fromkeys(local_time(p.at, zone) for p in points))
    if len(days) <= _POINTS_WITH_TICKS:
        return {"tickmode": "array", "tickvals": days, "tickformat": shape}
    return {"nticks": _POINTS_WITH_TICKS, "tickformat": shape}
