"""Small multiples: one panel for each group, all on one scale, so groups that moved stand out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from faithview.domain.buckets import Step
from faithview.domain.event import Event
from faithview.domain.trend import TrendLine, TrendPoint
from faithview.ui.charts.chart_colours import ChartTheme, dress, plain
from faithview.ui.charts.trend_figure import day_shape, interval_band, local_time, y_range
from faithview.wording import numbers as fmt
from faithview.wording.trends import point_period, point_score

COLUMNS = 4
_PANEL = 128
_TITLE_CHARACTERS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Panels:
    """The content of the small multiples: lines by panel title, in order.

    Panels whose title is in `moved` are drawn strongly. `reference` is the line of all answers, drawn faintly in every
    panel.
    """

    panels: Mapping[str, Sequence[TrendLine]]
    moved: frozenset[str] = frozenset()
    reference: TrendLine | None = None
    events: Sequence[Event] = ()
    step: Step = Step.RUN


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelClick:
    """A clicked point and its line."""

    line: TrendLine
    point: TrendPoint


def panels_figure(shown: Panels, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw the panels, four in a row; `customdata` is "panel.line.point", which `clicked_panel_point` reads."""
    rows = -(-len(shown.panels) // COLUMNS)
    columns = min(COLUMNS, len(shown.panels))
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.025,
        vertical_spacing=0.36 / rows if rows > 1 else 0,
        subplot_titles=[_title(name, lines) for name, lines in shown.panels.items()],
    )
    for number, (name, lines) in enumerate(shown.panels.items()):
        place = {"row": number // columns + 1, "col": number % columns + 1}
        if shown.reference is not None:
            figure.add_trace(_reference(shown.reference, zone, theme), **place)
        for at, line in enumerate(lines):
            colour = theme.accent if name in shown.moved else theme.event
            if at == 0:
                known = [point for point in line.points if point.interval is not None]
                figure.add_trace(interval_band(known, zone=zone, colour=theme.band), **place)
            figure.add_trace(_panel_line(line, f"{number}.{at}", colour, shown, zone), **place)
    # All at once: plotly checks every shape again for each one that is added.
    lines_of_events = [
        {
            "type": "line",
            "x0": local_time(event.at, zone),
            "x1": local_time(event.at, zone),
            "y0": 0,
            "y1": 1,
            "xref": f"x{number + 1 if number else ''}",
            "yref": f"y{number + 1 if number else ''} domain",
            "line": {"width": 1, "color": theme.faint, "dash": "dot"},
        }
        for number in range(len(shown.panels))
        for event in shown.events
    ]
    dress(figure, theme)
    figure.update_layout(
        shapes=lines_of_events,
        height=rows * _PANEL + 40,
        margin={"l": 40, "r": 8, "t": 26, "b": 24},
    )
    everything = [line for lines in shown.panels.values() for line in lines]
    figure.update_yaxes(range=y_range(everything), tickformat=".1f")
    moments = [point.at for line in everything for point in line.points]
    ends = [local_time(moment, zone) for moment in (min(moments), max(moments))]
    figure.update_xaxes(
        showgrid=False, type="date", tickvals=ends, tickformat=day_shape([min(moments), max(moments)], zone)
    )
    figure.update_annotations(font={"size": 13, "color": theme.text}, xanchor="left")
    for number, annotation in enumerate(figure.layout.annotations[: len(shown.panels)]):
        axis = figure.layout[f"xaxis{number % columns + 1 if number % columns else ''}"]
        annotation.x = axis.domain[0]
    return figure


def panels_in_words(shown: Panels, *, zone: ZoneInfo) -> str:
    """Return the content of the panels as text, for screen readers."""
    parts = []
    for name, lines in shown.panels.items():
        first, last = lines[0].points[0], lines[0].points[-1]
        parts.append(
            f"{name}: {point_score(first)} at {point_period(first, shown.step, zone)}, "
            f"{point_score(last)} at {point_period(last, shown.step, zone)}"
        )
    return f"Faithfulness over time in panels on one scale. {'; '.join(parts)}"


def clicked_panel_point(clicks: Sequence[Mapping[str, object]], shown: Panels) -> PanelClick | None:
    """Return the clicked point, looked up by what the browser reports; None if unknown."""
    lines = {
        f"{panel}.{number}": line
        for panel, panel_lines in enumerate(shown.panels.values())
        for number, line in enumerate(panel_lines)
    }
    for click in clicks:
        place, _, point = str(click.get("customdata") or "").rpartition(".")
        line = lines.get(place)
        if line is not None and point.isdecimal() and int(point) < len(line.points):
            return PanelClick(line=line, point=line.points[int(point)])
    return None


def _title(name: str, lines: Sequence[TrendLine]) -> str:
    short = name if len(name) <= _TITLE_CHARACTERS else name[: _TITLE_CHARACTERS - 1].rstrip() + "…"
    last = lines[0].points[-1]
    return f"{plain(short)}  <b>{fmt.share(last.mean)}</b>"


def _panel_line(line: TrendLine, place: str, colour: str, shown: Panels, zone: ZoneInfo) -> go.Scatter:
    return go.Scatter(
        x=[local_time(p.at, zone) for p in line.points],
        y=[p.mean for p in line.points],
        mode="lines+markers",
        line={"width": 2, "color": colour},
        marker={"size": 6},
        unselected={"marker": {"opacity": 1}},
        customdata=[f"{place}.{number}" for number in range(len(line.points))],
        text=[f"<b>{point_score(p)}</b><br>{point_period(p, shown.step, zone)}" for p in line.points],
        hovertemplate="%{text}<extra></extra>",
    )


def _reference(line: TrendLine, zone: ZoneInfo, theme: ChartTheme) -> go.Scatter:
    return go.Scatter(
        x=[local_time(p.at, zone) for p in line.points],
        y=[p.mean for p in line.points],
        mode="lines",
        line={"width": 1, "color": theme.faint, "dash": "dot"},
        hoverinfo="skip",
    )
