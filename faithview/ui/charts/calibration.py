"""A judge's calibration: how often it is right, by the confidence it states."""

import plotly.graph_objects as go

from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Calibration
from faithview.ui.charts.chart_colours import CLEAR, ChartTheme, dress
from faithview.wording import numbers as fmt

_HEIGHT = 250
_LARGEST_DOT = 26  # px across
_SMALLEST_DOT = 7
_FEW = 5


def calibration_figure(calibration: Calibration, *, theme: ChartTheme) -> go.Figure:
    """Draw the shares with 95% intervals, and the diagonal of a perfectly calibrated judge.

    The area of a dot is its number of labels; it is hollow where they are fewer than 5. No line joins the dots: a bin
    says nothing of the next one.
    """
    points = [(b.confidence, b.right.value, b.right) for b in calibration.bins if b.right.value is not None]
    between = [share.interval or Interval(value, value) for _, value, share in points]
    labels = [share.labels for _, _, share in points]
    figure = go.Figure(
        [
            go.Scatter(
                x=[0, 1],
                y=[0, 1],
                mode="lines",
                line={"width": 1, "color": theme.faint, "dash": "dot"},
                hoverinfo="skip",
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
                    "color": theme.faint,
                },
                mode="markers",
                marker={
                    "size": labels,
                    "sizemode": "area",
                    "sizeref": 2 * max(labels, default=1) / _LARGEST_DOT**2,
                    "sizemin": _SMALLEST_DOT / 2,
                    "color": [CLEAR if n < _FEW else theme.accent for n in labels],
                    "opacity": 1,
                    "line": {"width": 1.5, "color": theme.accent},
                },
                cliponaxis=False,
                text=_calibration_points(calibration),
                hovertemplate="%{text}<extra></extra>",
            ),
        ]
    )
    dress(figure, theme)
    low = min([0.5, *(confidence for confidence, _, _ in points)])
    figure.update_layout(height=_HEIGHT, margin={"l": 48, "r": 8, "t": 8, "b": 40})
    figure.update_yaxes(range=[0, 1.02], tickvals=[0, 0.5, 1], tickformat=".1f", title_text="right")
    figure.update_xaxes(range=[low - 0.02, 1.02], tickformat=".1f", title_text="stated confidence", showgrid=False)
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
