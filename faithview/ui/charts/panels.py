"""Small multiples: one panel a group, all on one scale, so that what moved stands out from what did not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event
from faithview.domain.trend import TrendLine
from faithview.ui.charts.theme import ChartTheme, plain
from faithview.ui.charts.trend import y_range
from faithview.wording import numbers as fmt
from faithview.wording.trends import point_period, point_score

COLUMNS = 4
_PANEL = 128
_TITLE_CHARACTERS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Panels:
    """What the small multiples show: lines by panel title, in order; `moved` are the titles to be looked at.

    `reference` is the line of all answers, drawn faintly in every panel.
    """

    panels: Mapping[str, Sequence[TrendLine]]
    moved: frozenset[str] = frozenset()
    reference: TrendLine | None = None
    events: Sequence[Event] = ()
    step: Step = Step.RUN


def panels_figure(shown: Panels, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw the panels, four in a row; `customdata` is "panel.line.point", positions in `shown.panels`."""
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
                figure.add_trace(_band(line, zone, theme.band), **place)
            figure.add_trace(_panel_line(line, f"{number}.{at}", colour, shown, zone), **place)
        for event in shown.events:
            x = _local(event.at, zone)
            figure.add_vline(x=x, line={"width": 1, "color": theme.faint, "dash": "dot"}, **place)
    figure.update_layout(
        height=rows * _PANEL + 40,
        margin={"l": 40, "r": 8, "t": 26, "b": 24},
        showlegend=False,
        dragmode=False,
        hoverlabel={"align": "left"},
    )
    everything = [line for lines in shown.panels.values() for line in lines]
    figure.update_yaxes(range=y_range(everything), tickformat=".1f", nticks=4, zeroline=False)
    moments = [point.at for line in everything for point in line.points]
    ends = [_local(moment, zone) for moment in (min(moments), max(moments))]
    figure.update_xaxes(showgrid=False, type="date", tickvals=ends, tickformat="%-d %b")
    figure.update_annotations(font={"size": 13, "color": theme.text}, xanchor="left")
    for number, annotation in enumerate(figure.layout.annotations[: len(shown.panels)]):
        axis = figure.layout[f"xaxis{number % columns + 1 if number % columns else ''}"]
        annotation.x = axis.domain[0]
    return figure


def panels_in_words(shown: Panels, *, zone: ZoneInfo) -> str:
    """Return what the panels show, for those who cannot see them."""
    parts = []
    for name, lines in shown.panels.items():
        first, last = lines[0].points[0], lines[0].points[-1]
        parts.append(
            f"{name}: {point_score(first)} at {point_period(first, shown.step, zone)}, "
            f"{point_score(last)} at {point_period(last, shown.step, zone)}"
        )
    return f"Faithfulness over time, a panel each, all on one scale. {'; '.join(parts)}"


def _title(name: str, lines: Sequence[TrendLine]) -> str:
    short = name if len(name) <= _TITLE_CHARACTERS else name[: _TITLE_CHARACTERS - 1].rstrip() + "…"
    last = lines[0].points[-1]
    return f"{plain(short)}  <b>{fmt.share(last.mean)}</b>"


def _panel_line(line: TrendLine, place: str, colour: str, shown: Panels, zone: ZoneInfo) -> go.Scatter:
    return go.Scatter(
        x=[_local(p.at, zone) for p in line.points],
        y=[p.mean for p in line.points],
        mode="lines+markers",
        line={"width": 2, "color": colour},
        marker={"size": 6},
        unselected={"marker": {"opacity": 1}},
        customdata=[f"{place}.{number}" for number in range(len(line.points))],
        text=[f"<b>{point_score(p)}</b><br>{point_period(p, shown.step, zone)}" for p in line.points],
        hovertemplate="%{text}<extra></extra>",
    )


def _band(line: TrendLine, zone: ZoneInfo, colour: str) -> go.Scatter:
    known = [p for p in line.points if p.interval is not None]
    x = [_local(p.at, zone) for p in known]
    high = [p.interval.high for p in known if p.interval]
    low = [p.interval.low for p in known if p.interval]
    return go.Scatter(
        x=[*x, *reversed(x)],
        y=[*high, *reversed(low)],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=colour,
        hoverinfo="skip",
    )


def _reference(line: TrendLine, zone: ZoneInfo, theme: ChartTheme) -> go.Scatter:
    return go.Scatter(
        x=[_local(p.at, zone) for p in line.points],
        y=[p.mean for p in line.points],
        mode="lines",
        line={"width": 1, "color": theme.faint, "dash": "dot"},
        hoverinfo="skip",
    )


def _local(moment: datetime, zone: ZoneInfo) -> str:
    return in_zone(moment, zone).replace(tzinfo=None).isoformat(timespec="seconds")
