"""What stands across a trend's charts: a vertical line for each event, and the selected range."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.event import Event
from faithview.ui.charts.theme import ChartTheme, plain
from faithview.ui.charts.trend_axes import TrendChart, local_time, x_range, y_range
from faithview.wording.events import SHORT_KIND_NAMES

_EVENT = "event"
_LABELLED_EVENTS = 8  # more are numbered
_LABEL_ROWS = 2
_LATE = 0.75  # of the chart's width: labels to the right of it would leave the chart
_LABEL_CHARACTERS = {1: 80, 2: 56, 3: 40, 4: 32}  # by the number of events, which share the chart's width
_LEAST_LABEL_CHARACTERS = 20


def add_event_lines(figure: go.Figure, chart: TrendChart, zone: ZoneInfo, theme: ChartTheme) -> None:
    """Draw a dotted vertical line for each event."""
    for event in chart.events:
        x = local_time(event.at, zone)
        line = {"width": 1, "color": theme.event, "dash": "dot"}
        figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line=line)


def add_event_labels(figure: go.Figure, chart: TrendChart, zone: ZoneInfo, theme: ChartTheme) -> None:
    """Write each event's label above its line, or its number where there are too many."""
    first, last = (datetime.fromisoformat(end) for end in x_range(chart, zone))
    late = (first + _LATE * (last - first)).isoformat(timespec="seconds")
    has_room = len(chart.events) <= _LABELLED_EVENTS
    for number, event in enumerate(chart.events):
        x = local_time(event.at, zone)
        is_late = x > late
        figure.add_annotation(
            x=x,
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=2 + 16 * (number % _LABEL_ROWS),
            xanchor="right" if is_late else "left",
            xshift=4 if is_late else -4,
            showarrow=False,
            text=plain(_label(event, chart) if has_room else str(number + 1)),
            hovertext=plain(event.label),
            font={"size": 12, "color": theme.text},
        )


def add_event_markers(figure: go.Figure, chart: TrendChart, zone: ZoneInfo, theme: ChartTheme) -> None:
    """Draw a triangle on top of the line of each event between two runs; `customdata` is "event.number"."""
    events = [
        (number, event) for number, event in enumerate(chart.events) if event.before_run_id and event.after_run_id
    ]
    if not events:
        return
    figure.add_trace(
        go.Scatter(
            x=[local_time(event.at, zone) for _, event in events],
            y=[y_range(chart.lines)[1]] * len(events),
            mode="markers",
            marker={"symbol": "triangle-down", "size": 13, "color": theme.text},
            unselected={"marker": {"opacity": 1}},
            cliponaxis=False,
            showlegend=False,
            customdata=[f"{_EVENT}.{number}" for number, _ in events],
            text=[f"{plain(event.label)}<br>Click to see what changed" for _, event in events],
            hovertemplate="%{text}<extra></extra>",
        )
    )


def clicked_event(clicks: Sequence[Mapping[str, object]], events: Sequence[Event]) -> Event | None:
    """Return the event whose triangle was clicked, looked up by what the browser reports; None if none was."""
    for click in clicks:
        kind, _, number = str(click.get("customdata") or "").partition(".")
        if kind == _EVENT and number.isdecimal() and int(number) < len(events):
            return events[int(number)]
    return None


def shade_selected_range(figure: go.Figure, chart: TrendChart, zone: ZoneInfo, theme: ChartTheme) -> None:
    """Shade the selected span of time, if there is one."""
    if chart.selected_range is not None:
        low, high = (local_time(moment, zone) for moment in chart.selected_range)
        figure.add_vrect(x0=low, x1=high, fillcolor=theme.accent, opacity=0.08, line_width=0)


def _label(event: Event, chart: TrendChart) -> str:
    if chart.is_small:
        version = f"KB {event.kb_version}" if event.kb_version else None
        return version or SHORT_KIND_NAMES[event.kind] or _cut(event.label, 14)
    return _cut(event.label, _LABEL_CHARACTERS.get(len(chart.events), _LEAST_LABEL_CHARACTERS))


def _cut(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"
