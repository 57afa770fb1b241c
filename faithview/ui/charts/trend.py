"""Trends as Plotly figures, and in words. Pure: what is drawn comes in, a figure comes out.

Labels and names are data. Plotly reads markup in any text, so every one of them goes through `plain`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event, EventKind
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.domain.views import View
from faithview.stats.process import ControlLimits
from faithview.ui.charts.theme import ChartTheme, plain
from faithview.wording import numbers as fmt
from faithview.wording.trends import point_period, point_score

_HEIGHT = 360
_SMALL_HEIGHT = 250
_ROWS_HEIGHT = 84
_LEFT, _RIGHT = 48, 12  # margins of both figures, so that their points stand above each other
_POINTS_WITH_TICKS = 9
_LABELLED_EVENTS = 8
_LABEL_ROWS = 2
_LATE = 0.75  # of the chart's width
_SHORT_KINDS = {
    EventKind.KNOWLEDGE_BASE: "KB",
    EventKind.PROMPT: "Prompt",
    EventKind.MODEL: "Model",
    EventKind.JUDGE: "Judge",
    EventKind.OTHER: "",
}
_VIEW_DASHES = {View.JUDGE: "solid", View.REVIEWED: "dash", View.CORRECTED: "dot"}
_VIEW_SYMBOLS = {View.JUDGE: "circle", View.REVIEWED: "square", View.CORRECTED: "diamond"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What the large chart shows.

    `lines` has the main one first; every other line is drawn thinner, without a band. `limits` has one interval for
    each of the main line's points, and `changes` are the moments at which its level changes. `marked` is a span of time
    that was selected. `is_small` draws it to stand beside other things.
    """

    lines: Sequence[TrendLine]
    events: Sequence[Event] = ()
    limits: ControlLimits | None = None
    changes: Sequence[datetime] = ()
    marked: tuple[datetime, datetime] | None = None
    step: Step = Step.RUN
    is_small: bool = False


def trend_figure(drawn: Drawn, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw the line with its band; `customdata` is "line.point", positions in `drawn.lines`."""
    figure = go.Figure()
    main = drawn.lines[0]
    if drawn.limits is not None:
        _add_limits(figure, main, drawn.limits, zone, theme)
    figure.add_trace(_band(main, zone, theme.band))
    for place, line in reversed(list(enumerate(drawn.lines))):
        figure.add_trace(_line(line, place, drawn, zone, theme))
    _add_changes(figure, main, drawn.changes, zone, theme)
    _add_events(figure, drawn, zone, theme, labelled=True)
    _mark(figure, drawn, zone, theme)
    has_legend = len(drawn.lines) > 1 or drawn.limits is not None or bool(drawn.changes)
    figure.update_layout(
        height=_SMALL_HEIGHT if drawn.is_small else _HEIGHT,
        margin={"l": _LEFT, "r": _RIGHT, "t": 40 if drawn.events else 10, "b": 46 if has_legend else 24},
        dragmode=False,
        showlegend=has_legend,
        legend={
            "orientation": "h",
            "x": 0,
            "y": -0.15 if drawn.is_small else -0.09,
            "yanchor": "top",
            "font": {"size": 12, "color": theme.text},
        },
        hoverlabel={"align": "left"},
    )
    figure.update_yaxes(range=y_range(drawn.lines), tickformat=".2f", nticks=6, zeroline=False)
    figure.update_xaxes(showgrid=False, type="date", range=x_range(drawn, zone), **_ticks(drawn, zone))
    return figure


def rows_figure(drawn: Drawn, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw n beneath the line, what has no verdict hatched; a range can be dragged across it.

    It is a figure of its own because Streamlit lets a chart be clicked or dragged in, not both (seen with 1.67.0).
    """
    same_view = [(place, line) for place, line in enumerate(drawn.lines) if line.view is drawn.lines[0].view]
    figure = go.Figure([bar for place, line in same_view for bar in _bars(line, place, zone, theme, drawn)])
    _add_events(figure, drawn, zone, theme, labelled=False)
    _mark(figure, drawn, zone, theme)
    figure.update_layout(
        height=_ROWS_HEIGHT,
        margin={"l": _LEFT, "r": _RIGHT, "t": 4, "b": 6},
        dragmode="select",
        selectdirection="h",
        barmode="stack",
        showlegend=False,
    )
    figure.update_yaxes(nticks=3, zeroline=False, rangemode="tozero", title={"text": "n", "standoff": 4})
    figure.update_xaxes(showgrid=False, type="date", range=x_range(drawn, zone), showticklabels=False)
    return figure


def x_range(drawn: Drawn, zone: ZoneInfo) -> list[str]:
    """Return the axis' ends, as the zone's clocks show them: both figures of a trend have the same."""
    moments = [p.at for line in drawn.lines for p in line.points] + [event.at for event in drawn.events]
    width = timedelta(milliseconds=_bar_width(drawn))
    pad = max(width * 0.7, (max(moments) - min(moments)) * 0.02)
    return [_local(min(moments) - pad, zone), _local(max(moments) + pad, zone)]


def y_range(lines: Sequence[TrendLine]) -> list[float]:
    """Return an axis that shows the differences without making small ones look like cliffs: at least 0.3 high."""
    # Only the main line has a band; of the others the points must be on the axis.
    lows = [p.interval.low for line in lines[:1] for p in line.points if p.interval]
    lows += [p.mean for line in lines for p in line.points]
    low = max(0.0, min(lows, default=0.0) - 0.04)
    return [min(low, 0.7), 1.02]


def trend_in_words(drawn: Drawn, *, zone: ZoneInfo) -> str:
    """Return what the large chart shows, for those who cannot see it."""
    main = drawn.lines[0]
    points = "; ".join(f"{point_period(p, drawn.step, zone)}: {point_score(p)}" for p in main.points)
    text = f"Faithfulness over time, by {drawn.step}, with 95 % intervals. {points}"
    if drawn.events:
        events = "; ".join(f"{fmt.day(in_zone(event.at, zone))}: {event.label}" for event in drawn.events)
        text += f". Events: {events}"
    return text


def rows_in_words(drawn: Drawn, *, zone: ZoneInfo) -> str:
    """Return what the bars show, for those who cannot see them."""
    points = "; ".join(
        f"{point_period(p, drawn.step, zone)}: {fmt.count(p.judged)} judged, "
        f"{fmt.left_out(p.left_out) or 'none'} left out"
        for p in drawn.lines[0].points
    )
    return f"How many answers each point rests on. {points}"


def line_name(line: TrendLine, lines: Sequence[TrendLine]) -> str:
    """Return what tells a line from the others: its view, and its judge where there are several."""
    several = len({other.fingerprint for other in lines}) > 1
    return f"{line.view}, {line.fingerprint}" if several else str(line.view)


def _line(line: TrendLine, place: int, drawn: Drawn, zone: ZoneInfo, theme: ChartTheme) -> go.Scatter:
    is_main = place == 0
    prints = list(dict.fromkeys(other.fingerprint for other in drawn.lines))
    judge = prints.index(line.fingerprint)
    colour = theme.accent if judge == 0 else theme.others[(judge - 1) % len(theme.others)]
    return go.Scatter(
        x=[_local(p.at, zone) for p in line.points],
        y=[p.mean for p in line.points],
        mode="lines+markers",
        name=plain(line_name(line, drawn.lines)),
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
        customdata=[f"{place}.{number}" for number in range(len(line.points))],
        text=[_hover(p, line, drawn, zone) for p in line.points],
        hovertemplate="%{text}<extra></extra>",
    )


def _hover(point: TrendPoint, line: TrendLine, drawn: Drawn, zone: ZoneInfo) -> str:
    rows = [f"<b>{point_score(point)}</b>", point_period(point, drawn.step, zone)]
    if len(drawn.lines) > 1:
        rows.append(plain(line_name(line, drawn.lines)))
    if left_out := fmt.left_out(point.left_out):
        rows.append(f"left out: {left_out}")
    if len(point.run_ids) > 1:
        rows.append(fmt.plural(len(point.run_ids), "run"))
    return "<br>".join(rows)


def _band(line: TrendLine, zone: ZoneInfo, colour: str) -> go.Scatter:
    x = [_local(p.at, zone) for p in line.points]
    high = [p.interval.high if p.interval else p.mean for p in line.points]
    low = [p.interval.low if p.interval else p.mean for p in line.points]
    return go.Scatter(
        x=[*x, *reversed(x)],
        y=[*high, *reversed(low)],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=colour,
        hoverinfo="skip",
        showlegend=False,
    )


def _bars(line: TrendLine, place: int, zone: ZoneInfo, theme: ChartTheme, drawn: Drawn) -> list[go.Bar]:
    x = [_local(p.at, zone) for p in line.points]
    places = [f"{place}.{number}" for number in range(len(line.points))]
    width = _bar_width(drawn)
    words = [fmt.left_out(p.left_out) or "none" for p in line.points]
    return [
        go.Bar(
            x=x,
            y=[p.judged for p in line.points],
            width=width,
            marker={"color": theme.bar, "line": {"width": 0}},
            customdata=places,
            hovertemplate="n %{y:,}<extra></extra>",
            showlegend=False,
        ),
        go.Bar(
            x=x,
            y=[p.without_verdict for p in line.points],
            width=width,
            marker={
                "color": "rgba(0,0,0,0)",
                "line": {"width": 1, "color": theme.faint},
                "pattern": {"shape": "/", "fgcolor": theme.faint, "size": 5},
            },
            customdata=places,
            text=words,
            textposition="none",
            hovertemplate="without a verdict: %{text}<extra></extra>",
            showlegend=False,
        ),
    ]


def _bar_width(drawn: Drawn) -> float:
    """Return the bars' width in milliseconds: a third of the smallest gap, and never wider than what they stand for."""
    day = 86_400_000.0
    most = {Step.RUN: 3 * day, Step.DAY: 0.7 * day, Step.WEEK: 3 * day, Step.MONTH: 12 * day}[drawn.step]
    moments = sorted({p.at for line in drawn.lines for p in line.points})
    gaps = [1000 * (b - a).total_seconds() for a, b in pairwise(moments)]
    # Points close together keep a bar that can be seen; then bars overlap rather than vanish.
    return min(most, max(min(gaps, default=day) / 3, (sum(gaps) or day) / 150))


def _add_limits(figure: go.Figure, line: TrendLine, limits: ControlLimits, zone: ZoneInfo, theme: ChartTheme) -> None:
    x = [_local(p.at, zone) for p in line.points]
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


def _add_changes(
    figure: go.Figure, line: TrendLine, changes: Sequence[datetime], zone: ZoneInfo, theme: ChartTheme
) -> None:
    at = {point.at: point for point in line.points}
    known = [at[moment] for moment in changes if moment in at]
    if known:
        figure.add_trace(
            go.Scatter(
                x=[_local(p.at, zone) for p in known],
                y=[p.mean for p in known],
                mode="markers",
                name="level changes here",
                marker={"symbol": "circle-open", "size": 17, "color": theme.text, "line": {"width": 1.5}},
                hoverinfo="skip",
            )
        )


def _mark(figure: go.Figure, drawn: Drawn, zone: ZoneInfo, theme: ChartTheme) -> None:
    """Shade the span of time that was selected."""
    if drawn.marked is not None:
        low, high = (_local(moment, zone) for moment in drawn.marked)
        figure.add_vrect(x0=low, x1=high, fillcolor=theme.accent, opacity=0.08, line_width=0)


def _add_events(figure: go.Figure, drawn: Drawn, zone: ZoneInfo, theme: ChartTheme, *, labelled: bool) -> None:
    first, last = (datetime.fromisoformat(end) for end in x_range(drawn, zone))
    late = (first + _LATE * (last - first)).isoformat(timespec="seconds")
    for number, event in enumerate(drawn.events):
        x = _local(event.at, zone)
        figure.add_shape(
            type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line={"width": 1, "color": theme.event, "dash": "dot"}
        )
        if not labelled:
            continue
        # A label near the right end would leave the chart.
        is_late = x > late
        is_few = len(drawn.events) <= _LABELLED_EVENTS
        figure.add_annotation(
            x=x,
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=2 + 16 * (number % _LABEL_ROWS),
            xanchor="right" if is_late else "left",
            xshift=4 if is_late else -4,
            showarrow=False,
            text=plain(_label(event, drawn) if is_few else str(number + 1)),
            hovertext=plain(event.label),
            font={"size": 12, "color": theme.text},
        )


def _ticks(drawn: Drawn, zone: ZoneInfo) -> dict[str, object]:
    """Put the ticks at the points while they are few: a date between two runs is nothing to read a value at."""
    points = sorted((p for line in drawn.lines for p in line.points), key=lambda point: point.at)
    shape = "%b %Y" if drawn.step is Step.MONTH else "%-d %b"
    days = list(dict.fromkeys(_local(p.at, zone) for p in points))
    if len(days) <= _POINTS_WITH_TICKS:
        return {"tickmode": "array", "tickvals": days, "tickformat": shape}
    return {"nticks": _POINTS_WITH_TICKS, "tickformat": shape}


def _local(moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment as the zone's clocks show it; Plotly knows no time zones and draws it as it stands."""
    return in_zone(moment, zone).replace(tzinfo=None).isoformat(timespec="seconds")


def _label(event: Event, drawn: Drawn) -> str:
    """Return what stands at an event's line, cut to what there is room for: two rows share the chart's width."""
    if drawn.is_small:
        return f"KB {event.kb_version}" if event.kb_version else _SHORT_KINDS[event.kind] or _cut(event.label, 14)
    most = {1: 80, 2: 56, 3: 40, 4: 32}.get(len(drawn.events), 20)
    return _cut(event.label, most)


def _cut(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"
