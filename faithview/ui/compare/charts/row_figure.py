"""What the charts of a comparison share: one row per item, a label at the left, and the whole row clickable.

Pure: what is drawn comes in, a figure comes out. Losses and gains are distinguished by place and sign first and by
colour second; the colours of verdicts stay reserved for verdicts. Names are data, so each one goes through `plain`.
"""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from faithview.ui.charts.theme import ChartTheme

_CLEAR = "rgba(0,0,0,0)"


def row_targets(places: Sequence[int], low: float, high: float, names: Sequence[str], hover: Sequence[str]) -> go.Bar:
    """Return invisible bars that take the click and the hover of whole rows; `customdata` holds their names."""
    return go.Bar(
        orientation="h",
        y=places,
        base=[low] * len(places),
        x=[high - low] * len(places),
        width=0.96,
        marker={"color": _CLEAR, "line": {"width": 0}},
        selected={"marker": {"color": _CLEAR, "opacity": 0}},
        unselected={"marker": {"color": _CLEAR, "opacity": 0}},
        customdata=list(names),
        text=list(hover),
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
    )


def row_layout(*, height: int, left: int) -> dict[str, Any]:
    """Return the layout of a figure of rows: its height and the room for labels, in pixels."""
    return {
        "height": height,
        "margin": {"l": left, "r": 8, "t": 4, "b": 26},
        "showlegend": False,
        "dragmode": False,
        "barmode": "overlay",
        "hoverlabel": {"align": "left"},
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
        "zeroline": False,
        "tickfont": {"size": 13, "color": theme.text},
        "fixedrange": True,
    }
