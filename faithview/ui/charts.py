"""View data to Plotly figures. Colours of verdicts come from `verdicts`; everything else from the theme."""

from collections.abc import Sequence

import plotly.graph_objects as go

from faithview.domain.run import RunSummary
from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Calibration
from faithview.ui import format as fmt

_HEIGHT = 220
_CALIBRATION_HEIGHT = 250
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


def calibration(found: Calibration, *, colour: str, guide: str) -> go.Figure:
    """Draw how often a judge is right by the confidence it states, with 95 % intervals, beside a true one's line."""
    points = [(b.confidence, b.right.value, b.right) for b in found.bins if b.right.value is not None]
    between = [share.interval or Interval(value, value) for _, value, share in points]
    figure = go.Figure(
        [
            go.Scatter(
                x=[0, 1], y=[0, 1], mode="lines", line={"width": 1, "color": guide, "dash": "dot"}, hoverinfo="skip"
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
                line={"width": 2, "color": colour},
                marker={"size": 7},
                text=_calibration_points(found),
                hovertemplate="%{text}<extra></extra>",
            ),
        ]
    )
    low = min([0.5, *(confidence for confidence, _, _ in points)])
    figure.update_layout(
        height=_CALIBRATION_HEIGHT,
        margin={"l": 48, "r": 8, "t": 8, "b": 40},
        showlegend=False,
        dragmode=False,
        yaxis={"range": [0, 1.02], "tickformat": ".1f", "nticks": 6, "title": "right", "zeroline": False},
        xaxis={
            "range": [low - 0.02, 1.02], "tickformat": ".1f", "title": "stated confidence", "showgrid": False,
            "zeroline": False,
        },
    )  # fmt: skip
    return figure


def calibration_in_words(found: Calibration) -> str:
    """Return what the calibration shows, for those who cannot see it."""
    return "How often the judge is right by the confidence it states. " + "; ".join(_calibration_points(found))


def _calibration_points(found: Calibration) -> list[str]:
    return [
        f"stated {b.confidence:.2f}, right {fmt.measure(b.right.value, b.right.interval, b.right.labels)}"
        for b in found.bins
        if b.right.value is not None
    ]


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
