"""View data to Plotly figures. Colours of verdicts come from `verdicts`; everything else from the theme."""

from collections.abc import Sequence

import plotly.graph_objects as go

from faithview.domain.run import RunSummary
from faithview.ui import format as fmt

_HEIGHT = 220
_RUNS_WITH_TICKS = 8


def trend(summaries: Sequence[RunSummary], *, colour: str) -> go.Figure:
    """Draw faithfulness over time with 95 % intervals, one point a run; `customdata` holds the runs' ids."""
    scored = _points(summaries)
    means = [s.score.mean or 0.0 for s in scored]
    intervals = [s.score.interval for s in scored]
    figure = go.Figure(
        go.Scatter(
            x=[s.run.as_of for s in scored],
            y=means,
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [i.high - m if i else 0.0 for i, m in zip(intervals, means, strict=True)],
                "arrayminus": [m - i.low if i else 0.0 for i, m in zip(intervals, means, strict=True)],
                "thickness": 1.5,
                "width": 0,
            },
            mode="lines+markers",
            line={"width": 2, "color": colour},
            marker={"size": 8},
            customdata=[s.run.run_id for s in scored],
            # Names are data: Plotly would read markup in them, so the hover shows numbers only.
            text=[f"{fmt.score(s.score)}, {fmt.day(s.run.as_of)}" for s in scored],
            hovertemplate="%{text}<extra></extra>",
        )
    )
    figure.update_layout(
        height=_HEIGHT,
        margin={"l": 40, "r": 8, "t": 8, "b": 28},
        showlegend=False,
        dragmode=False,
        yaxis={"range": _range(scored), "tickformat": ".2f", "nticks": 5, "zeroline": False},
        xaxis={"showgrid": False, "tickformat": "%-d %b", **_ticks(scored)},
    )
    return figure


def trend_in_words(summaries: Sequence[RunSummary]) -> str:
    """Return what the trend shows, for those who cannot see it."""
    scored = _points(summaries)
    points = "; ".join(f"{fmt.day(s.run.as_of)}: {fmt.score(s.score)}" for s in scored)
    return f"Faithfulness over time, one point a run with its 95 % interval. {points}"


def _points(summaries: Sequence[RunSummary]) -> list[RunSummary]:
    """Return the runs that make a point, oldest first; repeats of a run make none."""
    scored = [s for s in summaries if s.score.mean is not None and s.run.repeat_of is None]
    return sorted(scored, key=lambda s: s.run.as_of)


def _ticks(scored: Sequence[RunSummary]) -> dict[str, object]:
    """Put the ticks at the runs while they are few: a date between two runs is nothing to read a value at."""
    if len(scored) <= _RUNS_WITH_TICKS:
        return {"tickmode": "array", "tickvals": [s.run.as_of for s in scored]}
    return {"nticks": _RUNS_WITH_TICKS}


def _range(scored: Sequence[RunSummary]) -> list[float]:
    """Return an axis that shows the differences without making small ones look like cliffs: at least 0.3 high."""
    lows = [s.score.interval.low if s.score.interval else s.score.mean or 0.0 for s in scored]
    low = max(0.0, min(lows, default=0.0) - 0.05)
    return [min(low, 0.7), 1.02]
