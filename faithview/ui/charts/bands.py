"""The shaded 95 % interval around a line of scores."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from faithview.domain.trend import TrendPoint
from faithview.ui.charts.trend_axes import local_time


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
