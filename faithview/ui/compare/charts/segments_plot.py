"""The dot plot of a comparison: each segment's difference with its interval, and what it adds to the whole."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from faithview.services.comparison.comparison import Comparison
from faithview.stats.paired import SegmentDifference
from faithview.ui.charts.theme import ChartTheme, plain
from faithview.ui.compare.charts.row_figure import row_axis, row_layout, row_targets, ticks
from faithview.ui.compare.findings import segments_by_weight
from faithview.wording import numbers as fmt

SHOWN_SEGMENTS = 14
_ROW = 27
_LABEL_CHARACTERS = 24
_NO_SEGMENT = "(no segment)"


def shown_segments(comparison: Comparison) -> list[SegmentDifference]:
    """Return the segments that the dot plot shows: those that made most of the change first."""
    is_won = (comparison.difference.mean or 0.0) > 0
    ranked = segments_by_weight(comparison.segments, is_won=is_won)
    return ranked if len(ranked) <= SHOWN_SEGMENTS else sorted(ranked, key=_weight)[:SHOWN_SEGMENTS]


def segments_figure(comparison: Comparison, *, theme: ChartTheme, chosen: str | None = None) -> go.Figure:
    """Draw each segment's difference with its interval, and what it adds; `customdata` is its name, "" for none."""
    segments = shown_segments(comparison)
    places = list(range(len(segments)))
    low, high = _span(segments)
    figure = go.Figure()
    for is_significant in (True, False):
        figure.add_trace(_dots(segments, theme, is_significant=is_significant))
    names = [segment.segment or "" for segment in segments]
    figure.add_trace(row_targets(places, low, high, names, [_hover(segment) for segment in segments]))
    for at in [at for at in places if chosen is not None and names[at] == chosen]:
        figure.add_hrect(y0=at - 0.5, y1=at + 0.5, fillcolor=theme.accent, opacity=0.1, line_width=0)
    figure.add_vline(x=0, line={"width": 1, "color": theme.faint})
    # Shares of a difference that may be chance would say nothing.
    for column in _COLUMNS if comparison.is_significant else _COLUMNS[:2]:
        _write_column(figure, column, segments, theme)
    room = 166 if comparison.is_significant else 118
    figure.update_layout(**row_layout(height=_ROW * (len(segments) + 1) + 34, left=176, right=room))
    labels = [_label(segment) for segment in segments]
    figure.update_yaxes(**row_axis(places, labels, theme) | {"range": [len(segments) - 0.5, -1.5]})
    marks, decimals = ticks(low, high, most=5)
    figure.update_xaxes(
        range=[low, high],
        tickmode="array",
        tickvals=marks,
        ticktext=[fmt.signed(mark, decimals=decimals) if mark else "0" for mark in marks],
        tickangle=0,
        tickfont={"color": theme.event},
        zeroline=False,
    )
    return figure


def _dots(segments: Sequence[SegmentDifference], theme: ChartTheme, *, is_significant: bool) -> go.Scatter:
    places = [at for at, segment in enumerate(segments) if segment.is_significant is is_significant]
    colour = theme.accent if is_significant else theme.event
    return go.Scatter(
        x=[segments[at].difference for at in places],
        y=places,
        mode="markers",
        marker={"size": 10, "symbol": "circle" if is_significant else "circle-open", "color": colour},
        opacity=1.0,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [_reach(segments[at], up=True) for at in places],
            "arrayminus": [_reach(segments[at], up=False) for at in places],
            "thickness": 2 if is_significant else 1.2,
            "width": 0,
            "color": colour,
        },
        hoverinfo="skip",
    )


def _write_column(
    figure: go.Figure, column: "_Column", segments: Sequence[SegmentDifference], theme: ChartTheme
) -> None:
    """Write a column of figures at the right of the plot, under its title."""
    cells = [(-1, column.title), *((at, column.cell(segment)) for at, segment in enumerate(segments))]
    for at, text in cells:
        figure.add_annotation(
            x=1,
            xref="paper",
            xshift=column.shift,
            y=at,
            xanchor="right",
            showarrow=False,
            text=text,
            font={"size": 12.5, "color": theme.text if at >= 0 and segments[at].is_significant else theme.event},
        )


def segments_in_words(comparison: Comparison) -> str:
    """Return what the dot plot shows, for screen readers."""
    parts = [
        f"{s.segment or _NO_SEGMENT}: {fmt.signed(s.difference)}, "
        f"{_p_words(s, f'adjusted {fmt.p_value(s.p_value_adjusted)}')}, adds {fmt.signed(s.contribution, decimals=3)}"
        for s in shown_segments(comparison)
    ]
    interval = " with its 95 % interval" if comparison.difference.is_tested else ""
    return f"Each segment's difference{interval}. {'; '.join(parts)}"


def _hover(segment: SegmentDifference) -> str:
    interval = segment.interval
    between = "" if interval is None else f" ({fmt.signed_ends(interval)})"
    return (
        f"<b>{plain(segment.segment or _NO_SEGMENT)}</b><br>"
        f"{fmt.share(segment.baseline)} → {fmt.share(segment.candidate)}, {fmt.signed(segment.difference)}{between}, "
        f"n {fmt.count(segment.rows)}<br>"
        f"{_p_words(segment, f'{fmt.p_value(segment.p_value)}, adjusted {fmt.p_value(segment.p_value_adjusted)}')}<br>"
        f"adds {fmt.signed(segment.contribution, decimals=4)} to the difference<br>click: show its answers"
    )


def _p_words(segment: SegmentDifference, words: str) -> str:
    return words if segment.p_value is not None else "not tested"


def _label(segment: SegmentDifference) -> str:
    name = segment.segment or _NO_SEGMENT
    short = name if len(name) <= _LABEL_CHARACTERS else name[: _LABEL_CHARACTERS - 1].rstrip() + "…"
    text = plain(short)
    return f"<b>{text}</b>  n {fmt.count(segment.rows)}" if segment.is_significant else f"{text}  n {segment.rows:,}"


def _p_cell(segment: SegmentDifference) -> str:
    return fmt.p_number(segment.p_value_adjusted)


def _points_cell(segment: SegmentDifference) -> str:
    return fmt.signed(segment.contribution, decimals=3)


def _share_cell(segment: SegmentDifference) -> str:
    share = segment.share_of_delta
    # Shares of a tiny difference are large numbers without meaning.
    return (
        "–"
        if share is None or abs(share) > 9.99
        else f"{fmt.fixed(100 * share, 0)}%".replace("-", "−").replace("−0%", "0%")
    )


def _span(segments: Sequence[SegmentDifference]) -> tuple[float, float]:
    ends = [0.0, -0.02, 0.02]
    for segment in segments:
        ends += [segment.difference, *((segment.interval.low, segment.interval.high) if segment.interval else ())]
    low, high = min(ends), max(ends)
    room = 0.04 * (high - low)
    return low - room, high + room


def _reach(segment: SegmentDifference, *, up: bool) -> float:
    if segment.interval is None:
        return 0.0
    reach = segment.interval.high - segment.difference if up else segment.difference - segment.interval.low
    return max(0.0, reach)


def _weight(segment: SegmentDifference) -> float:
    return -abs(segment.contribution)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of figures beside the plot, ending `shift` pixels right of it."""

    title: str
    shift: int
    cell: Callable[[SegmentDifference], str]


_COLUMNS = (
    _Column(title="adj. p", shift=52, cell=_p_cell),
    _Column(title="points", shift=112, cell=_points_cell),
    _Column(title="share", shift=160, cell=_share_cell),
)
