"""The bars beneath a trend's line: how many answers each point counts."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.trend import TrendLine
from faithview.ui.charts.markers import add_event_lines, shade_selected_range
from faithview.ui.charts.theme import ChartTheme
from faithview.ui.charts.trend_axes import LEFT_MARGIN, RIGHT_MARGIN, TrendChart, bar_width, local_time, x_range
from faithview.wording import numbers as fmt
from faithview.wording.trends import point_period

_HEIGHT = 58


def counts_figure(chart: TrendChart, *, zone: ZoneInfo, theme: ChartTheme) -> go.Figure:
    """Draw n for each point, with answers that have no verdict hatched; a range can be dragged across the bars.

    This is a separate figure because Streamlit lets a chart be clicked or dragged in, not both (seen with 1.67.0).
    """
    same_view = [(number, line) for number, line in enumerate(chart.lines) if line.view is chart.lines[0].view]
    figure = go.Figure([bar for number, line in same_view for bar in _bars(line, number, zone, theme, chart)])
    add_event_lines(figure, chart, zone, theme)
    shade_selected_range(figure, chart, zone, theme)
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": LEFT_MARGIN, "r": RIGHT_MARGIN, "t": 10, "b": 6},
        dragmode="select",
        selectdirection="h",
        barmode="stack",
        showlegend=False,
    )
    most = _most([line for _, line in same_view])
    # One tick, at the highest bar. Plotly would place an axis title by the ticks' labels, which a small chart may lack,
    # and widen the margin for it, so that bars no longer stand beneath their points.
    figure.update_yaxes(tickvals=[most], tickformat=",", range=[0, max(1, most) * 1.05], zeroline=False)
    figure.update_yaxes(title={"text": ""}, automargin=False, tickfont={"color": theme.axis})
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
    """Return how many answers the highest bar counts; bars of the same moment stand on each other."""
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
