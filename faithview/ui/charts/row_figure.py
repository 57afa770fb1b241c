"""Figures of rows: one row per item, its name at the left, and the whole row clickable."""

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from faithview.ui.charts.chart_colours import CLEAR, ChartTheme

# In pixels. The content below such a figure begins on the first screen; more rows than fit make the figure higher.
_HEIGHT, _AXIS, _LEAST_ROW = 220, 34, 18
# Ticks may be a little closer than asked for: the next round number can be twice as far.
_CLOSER = 0.8


def row_targets(places: Sequence[int], low: float, high: float, names: Sequence[str], hover: Sequence[str]) -> go.Bar:
    """Return invisible bars that take the click and the hover of whole rows; `customdata` holds their names."""
    return go.Bar(
        orientation="h",
        y=places,
        base=[low] * len(places),
        x=[high - low] * len(places),
        width=0.96,
        marker={"color": CLEAR, "line": {"width": 0}},
        selected={"marker": {"color": CLEAR, "opacity": 0}},
        unselected={"marker": {"color": CLEAR, "opacity": 0}},
        customdata=list(names),
        text=list(hover),
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
    )


def ticks(low: float, high: float, *, most: int = 6) -> tuple[list[float], int]:
    """Return the round numbers from low to high that an axis shows, about `most` of them, and their decimals.

    The decimals are as many as tell one tick from the next.
    """
    width = _CLOSER * (high - low) / max(1, most - 1)
    magnitude = 10.0 ** math.floor(math.log10(width))
    step = next(factor * magnitude for factor in (1, 2, 2.5, 5, 10) if factor * magnitude >= width * (1 - 1e-9))
    decimals = next(places for places in range(12) if abs(round(step, places) - step) < 1e-9 * step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(at * step, decimals) + 0.0 for at in range(first, last + 1)], decimals


def row_layout(*, height: int, left: int, right: int = 8) -> dict[str, Any]:
    """Return the layout of a figure of rows: its height and the room for labels and figures, in pixels."""
    return {
        "height": height,
        "margin": {"l": left, "r": right, "t": 4, "b": 26},
        "barmode": "overlay",
        "clickmode": "event+select",
    }


def row_axis(places: Sequence[int], labels: Sequence[str], theme: ChartTheme) -> dict[str, Any]:
    """Return the vertical axis of a figure of rows, the first row on top."""
    return {
        "tickmode": "array",
        "tickvals": list(places),
        "ticktext": list(labels),
        "range": [len(places) - 0.4, -0.6],
        "showgrid": False,
        "tickfont": {"size": 12.5, "color": theme.text},
        "fixedrange": True,
    }


def row_height(rows: int) -> int:
    """Return the height of a figure by its number of rows, in pixels."""
    return max(_HEIGHT, _LEAST_ROW * rows + _AXIS)
