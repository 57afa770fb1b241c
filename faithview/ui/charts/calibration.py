"""A judge's calibration: how often it is right, by the confidence it states."""

import plotly.graph_objects as go

from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Calibration
from faithview.ui.charts.chart_colours import ChartTheme
from faithview.wording import numbers as fmt

_HEIGHT = 250
_GUIDE = "#7c8490"


def calibration_figure(calibration: Calibration, *, theme: ChartTheme) -> go.Figure:
    """Draw the shares with 95 % intervals, and the diagonal of a perfectly calibrated judge."""
    points = [(b.confidence, b.right.value, b.right) for b in calibration.bins if b.right.value is not None]
    between = [share.interval or Interval(value, value) for _, value, share in points]
    figure = go.Figure(
        [
            go.Scatter(
                x=[0, 1], y=[0, 1], mode="lines", line={"width": 1, "color": _GUIDE, "dash": "dot"}, hoverinfo="skip"
            ),
            go.Scatter(
                x=[confidence for confidence, _, _ in points],
                y=[value for _, value, _ in points],
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": [i.high - value for i, (_, value, _) in zip(between, points, strict=True)],
                    "arrayminus": [value - i.low for i, (_, value, _) in zip(between, points, strict=True)],
                    "thickness": 1.5,
                    "width": 0,
                },
                mode="lines+markers",
                line={"width": 2, "color": theme.accent},
                marker={"size": 7},
                text=_calibration_points(calibration),
                hovertemplate="%{text}<extra></extra>",
            ),
        ]
    )
    low = min([0.5, *(confidence for confidence, _, _ in points)])
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 48, "r": 8, "t": 8, "b": 40},
        showlegend=False,
        dragmode=False,
        yaxis={"range": [0, 1.02], "tickformat": ".1f", "nticks": 6, "title": "right", "zeroline": False},
        xaxis={
            "range": [low - 0.02, 1.02],
            "tickformat": ".1f",
            "title": "stated confidence",
            "showgrid": False,
            "zeroline": False,
        },
    )
    figure.update_xaxes(tickfont={"color": theme.axis}, title_font={"color": theme.axis})
    figure.update_yaxes(tickfont={"color": theme.axis}, title_font={"color": theme.axis})
    return figure


def calibration_in_words(calibration: Calibration) -> str:
    """Return the content of the chart as text, for screen readers."""
    return "How often the judge is right by the confidence it states. " + "; ".join(_calibration_points(calibration))


def _calibration_points(calibration: Calibration) -> list[str]:
    return [
        f"stated {fmt.fixed(b.confidence, 2)}, right {fmt.measure(b.right.value, b.right.interval, b.right.labels)}"
        for b in calibration.bins
        if b.right.value is not None
    ]
