"""The line of a trend as a Plotly figure and in words, with events, intervals and the bars of counts beneath it.

Labels and names are data. Plotly reads markup in any text, so every one of them goes through `plain`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.answer import View
from faithview.domain.buckets import Step, in_zone
from faithview.domain.claim import Verdict
from faithview.domain.event import Event
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.ui.charts.chart_colours import CLEAR, DARK, ChartTheme, dress, plain
from faithview.wording import numbers as fmt
from faithview.wording.numbers import short_judge_names
from faithview.wording.trends import point_period, point_score
from faithview.wording.verdict_styles import VERDICTS

# Left and right margins of the line and of the bars beneath it, in pixels: their points are above each other.
LEFT_MARGIN, RIGHT_MARGIN = 48, 12
_AIR, _LEAST_SPAN = 0.02, 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendChart:
    """The content of the trend's line and of the bars beneath it.

    `lines` starts with the main line; the others are drawn thinner and without a band. `selected_range` is shaded.
    `fall` is tinted: the span from the cause of a fall to the recovery, which is None for a fall that has not ended.
    `is_main_alone` draws the other lines once they are chosen in the legend, and `has_values` writes the scores at the
    points of the main line.
    """

    lines: Sequence[TrendLine]
    events: Sequence[Event] = ()
    selected_range: tuple[datetime, datetime] | None = None
    step: Step = Step.RUN
    fall: tuple[datetime, datetime | None] | None = None
    is_main_alone: bool = False
    has_values: bool = False


def local_time(moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment in the zone's local time; Plotly knows no time zones and draws it unchanged."""
    return in_zone(moment, zone).replace(tzinfo=None).isoformat(timespec="seconds")


def day_shape(moments: Sequence[datetime], zone: ZoneInfo) -> str:
    """Return how ticks write days, for Plotly: with the time above where all fall on one day."""
    days = {in_zone(moment, zone).date() for moment in moments}
    return "%H:%M\n%-d %b" if len(set(moments)) > 1 and len(days) == 1 else "%-d %b"


def x_range(chart: TrendChart, zone: ZoneInfo) -> list[str]:
    """Return the ends of the time axis in local time; line and bars use the same."""
    moments = [p.at for line in chart.lines for p in line.points] + [event.at for event in chart.events]
    width = timedelta(milliseconds=bar_width(chart))
    pad = max(width * 0.7, (max(moments) - min(moments)) * 0.02)
    return [local_time(min(moments) - pad, zone), local_time(max(moments) + pad, zone)]


def y_range(lines: Sequence[TrendLine]) -> list[float]:
    """Return the ends of the score axis: close around the data, but at least 0.2 apart, or a small step looks large."""
    # The main line has a band and estimates have bars; of the others the points must be on the axis.
    wide = [line for number, line in enumerate(lines) if number == 0 or line.view is View.CORRECTED]
    lows = [p.interval.low for line in wide for p in line.points if p.interval]
    lows += [p.mean for line in lines for p in line.points]
    highs = [p.interval.high for line in wide for p in line.points if p.interval]
    highs += [p.mean for line in lines for p in line.points]
    low, high = min(lows, default=0.0) - _AIR, max(highs, default=1.0) + _AIR
    more = max(0.0, _LEAST_SPAN - (high - low)) / 2
    high = min(1 + _AIR, high + more)
    low = max(0.0, min(low - more, high - _LEAST_SPAN))
    return [low, max(high, low + _LEAST_SPAN)]


def bar_width(chart: TrendChart) -> float:
    """Return the bars' width in milliseconds: a third of the smallest gap, at most the time that a bar covers."""
    day = 86_400_000.0
    most = {Step.RUN: 3 * day, Step.DAY: 0.7 * day, Step.WEEK: 3 * day, Step.MONTH: 12 * day}[chart.step]
    moments = sorted({p.at for line in chart.lines for p in line.points})
    gaps = [1000 * (b - a).total_seconds() for a, b in pairwise(moments)]
    # Points close together keep a visible bar: bars overlap rather than vanish.
    return min(most, max(min(gaps, default=day) / 3, (sum(gaps) or day) / 150))


def interval_band(points: Sequence[TrendPoint], *, zone: ZoneInfo, colour: str) -> go.Scatter:
    """Draw the intervals of the points as one band; at a point without an interval it narrows to the mean."""
    x = [local_time(p.at, zone) for p in points]
    high = [p.interval.high if p.interval else p.mean for p in points]
    low = [p.interval.low if p.interval else p.mean for p in points]
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


_EVENT = "event"
_LABELLED_EVENTS = 8  # more are numbered
_LABEL_ROWS = 2
_LATE = 0.6  # of the chart's width: labels to the right of it would leave the chart
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
            text=plain(
                _cut(event.label, _LABEL_CHARACTERS.get(len(chart.events), _LEAST_LABEL_CHARACTERS))
                if has_room
                else str(number + 1)
            ),
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


def tint_fall(
    figure: go.Figure, fall: tuple[datetime, datetime | None], chart: TrendChart, zone: ZoneInfo, theme: ChartTheme
) -> None:
    """Tint the span of a fall, up to the end of the chart where it has not ended."""
    start, end = fall
    x1 = x_range(chart, zone)[1] if end is None else local_time(end, zone)
    figure.add_vrect(
        x0=local_time(start, zone), x1=x1, fillcolor=loss_colour(theme), opacity=_TINT, line_width=0, layer="below"
    )


def loss_colour(theme: ChartTheme) -> str:
    """Return the colour of what is lost, in a theme."""
    wrong = VERDICTS[Verdict.CONTRADICTED]
    return wrong.dark if theme == DARK else wrong.light


_TINT = 0.07


def _cut(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"


_HEIGHT = 360
_POINTS_WITH_TICKS = 9
_POINTS_WITH_VALUES = 14
_VIEW_DASHES = {View.JUDGE: "solid", View.CORRECTED: "dot"}
_VIEW_SYMBOLS = {View.JUDGE: "circle", View.CORRECTED: "diamond"}


def trend_figure(chart: TrendChart, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw the line with its band; `customdata` is "line.point", which `clicked_point` reads."""
    figure = go.Figure()
    main = chart.lines[0]
    if main.view is not View.CORRECTED:  # whose points are separate estimates
        figure.add_trace(interval_band(main.points, zone=zone, colour=theme.band))
    for number, line in reversed(list(enumerate(chart.lines))):
        figure.add_trace(line_trace(line, number, chart, zone, theme))
    if chart.has_values and len(main.points) <= _POINTS_WITH_VALUES:
        figure.add_trace(_values(main, zone, theme))
    add_event_lines(figure, chart, zone, theme)
    add_event_labels(figure, chart, zone, theme)
    add_event_markers(figure, chart, zone, theme)
    shade_selected_range(figure, chart, zone, theme)
    if chart.fall is not None:
        tint_fall(figure, chart.fall, chart, zone, theme)
    dress(figure, theme)
    has_legend = len(chart.lines) > 1
    figure.update_layout(
        height=_HEIGHT,
        margin={
            "l": LEFT_MARGIN,
            "r": RIGHT_MARGIN,
            "t": 40 if chart.events else 10,
            "b": 46 if has_legend else 24,
        },
        showlegend=has_legend,
        legend={
            "orientation": "h",
            "x": 0,
            "y": -0.09,
            "yanchor": "top",
            "font": {"size": 12, "color": theme.text},
        },
    )
    figure.update_yaxes(range=y_range(chart.lines), tickformat=".2f")
    figure.update_xaxes(showgrid=False, type="date", range=x_range(chart, zone), **time_ticks(chart, zone))
    return figure


def trend_in_words(chart: TrendChart, *, zone: ZoneInfo) -> str:
    """Return the content of the chart as text, for screen readers."""
    main = chart.lines[0]
    points = "; ".join(f"{point_period(p, chart.step, zone)}: {point_score(p)}" for p in main.points)
    text = f"Faithfulness over time, by {chart.step}, with 95% intervals. {points}"
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


def line_trace(line: TrendLine, number: int, chart: TrendChart, zone: ZoneInfo, theme: ChartTheme) -> go.Scatter:
    """Draw a line with its points; `number` is its place among the chart's lines, 0 for the main one."""
    is_main = number == 0
    fingerprints = list(dict.fromkeys(other.fingerprint for other in chart.lines))
    judge = fingerprints.index(line.fingerprint)
    colour = theme.accent if judge == 0 else theme.others[(judge - 1) % len(theme.others)]
    is_estimate = line.view is View.CORRECTED
    return go.Scatter(
        x=[local_time(point.at, zone) for point in line.points],
        y=[point.mean for point in line.points],
        mode="markers" if is_estimate else "lines+markers",
        error_y=_error_bars(line, colour) if is_estimate else None,
        name=plain(line_name(line, chart.lines)),
        visible="legendonly" if chart.is_main_alone and not is_main else True,
        line={
            "width": 2.5 if is_main else 1.5,
            "color": colour,
            "dash": "dash" if judge else _VIEW_DASHES[line.view],
        },
        marker={
            "size": 9 if is_main else 7,
            "symbol": _VIEW_SYMBOLS[line.view] + ("-open" if judge else ""),
            "color": colour,
        },
        unselected={"marker": {"opacity": 1}},
        customdata=[f"{number}.{at}" for at in range(len(line.points))],
        text=[_hover(point, line, chart, zone) for point in line.points],
        hovertemplate="%{text}<extra></extra>",
    )


def _values(line: TrendLine, zone: ZoneInfo, theme: ChartTheme) -> go.Scatter:
    return go.Scatter(
        x=[local_time(p.at, zone) for p in line.points],
        y=[p.mean for p in line.points],
        mode="text",
        # A thin second line lifts the score off the mark.
        text=[f"<b>{fmt.share(p.mean)}</b><br><span style='font-size:5px'> </span>" for p in line.points],
        textposition="top center",
        textfont={"size": 12.5, "color": theme.text},
        hoverinfo="skip",
        showlegend=False,
    )


def has_one_size(line: TrendLine) -> bool:
    """Return whether the points of a line count almost equally many answers; bars of n would then say nothing."""
    counts = [point.judged + point.without_verdict for point in line.points]
    return bool(counts) and max(counts) - min(counts) <= _SAME_SIZE * max(counts)


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


def time_ticks(chart: TrendChart, zone: ZoneInfo) -> dict[str, object]:
    """Put the ticks at the points while they are few: between two runs there is no value to read."""
    points = sorted((p for line in chart.lines for p in line.points), key=lambda point: point.at)
    shape = "%b %Y" if chart.step is Step.MONTH else day_shape([point.at for point in points], zone)
    days = list(dict.fromkeys(local_time(p.at, zone) for p in points))
    if len(days) <= _POINTS_WITH_TICKS:
        return {"tickmode": "array", "tickvals": days, "tickformat": shape}
    return {"nticks": _POINTS_WITH_TICKS, "tickformat": shape}


_COUNTS_HEIGHT = 58
_SAME_SIZE = 0.1


def counts_figure(chart: TrendChart, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw n for each point, with answers that have no verdict hatched; a range can be dragged across the bars.

    This is a separate figure because Streamlit lets a chart be clicked or dragged in, not both (seen with 1.67.0).
    """
    same_view = [(number, line) for number, line in enumerate(chart.lines) if line.view is chart.lines[0].view]
    figure = go.Figure([bar for number, line in same_view for bar in _bars(line, number, zone, theme, chart)])
    add_event_lines(figure, chart, zone, theme)
    shade_selected_range(figure, chart, zone, theme)
    dress(figure, theme)
    figure.update_layout(
        height=_COUNTS_HEIGHT,
        margin={"l": LEFT_MARGIN, "r": RIGHT_MARGIN, "t": 10, "b": 6},
        dragmode="select",
        selectdirection="h",
        barmode="stack",
    )
    most = _most([line for _, line in same_view])
    # One tick, at the highest bar. Plotly would place an axis title by the ticks' labels, which a small chart may lack,
    # and widen the margin for it, so bars would no longer be beneath their points.
    figure.update_yaxes(tickvals=[most], tickformat=",", range=[0, max(1, most) * 1.05])
    figure.update_yaxes(title={"text": ""}, automargin=False)
    figure.add_annotation(
        text="n",
        x=0,
        y=0.4,
        xref="paper",
        yref="paper",
        xshift=-LEFT_MARGIN,
        xanchor="left",
        showarrow=False,
        font={"color": theme.axis},
    )
    figure.update_xaxes(showgrid=False, type="date", range=x_range(chart, zone), showticklabels=False)
    return figure


def counts_in_words(chart: TrendChart, *, zone: ZoneInfo) -> str:
    """Return the content of the bars as text, for screen readers."""
    points = "; ".join(
        f"{point_period(p, chart.step, zone)}: {fmt.count(p.judged)} judged, "
        f"{fmt.left_out(p.left_out) or 'none'} left out"
        for p in chart.lines[0].points
    )
    return f"Number of answers behind each point. {points}"


def _most(lines: Sequence[TrendLine]) -> int:
    """Return how many answers the highest bar counts; bars of the same moment are stacked."""
    totals: Counter[datetime] = Counter()
    for point in (point for line in lines for point in line.points):
        totals[point.at] += point.judged + point.without_verdict
    return max(totals.values(), default=0)


def _bars(line: TrendLine, number: int, zone: ZoneInfo, theme: ChartTheme, chart: TrendChart) -> list[go.Bar]:
    x = [local_time(p.at, zone) for p in line.points]
    places = [f"{number}.{point}" for point in range(len(line.points))]
    width = bar_width(chart)
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
                "color": CLEAR,
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
