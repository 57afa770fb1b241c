"""A comparison as Plotly figures, and in words. Pure: what is drawn comes in, a figure comes out.

Colours of verdicts mean verdicts and are not used here; what was lost and what was won are told apart by place and sign
first and by colour second. Names are data, so every one goes through `plain`.
"""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import CauseSide
from faithview.services.comparison.waterfall import WaterfallStep, waterfall_steps
from faithview.stats.paired import SegmentDifference
from faithview.ui.charts.theme import ChartTheme, plain
from faithview.ui.compare.address import side_name
from faithview.ui.compare.findings import segments_by_weight
from faithview.wording import numbers as fmt

SHOWN_SEGMENTS = 14
_ROW, _TIGHT_ROW, _TIGHT_FROM = 36, 31, 9
_SEGMENT_ROW = 27
_LABEL_CHARACTERS = 32
_SEGMENT_CHARACTERS = 24
# Below this width of the axis a difference that is nothing would fill the picture.
_LEAST_SPAN = 0.12
_CLEAR = "rgba(0,0,0,0)"
_FADED = 0.3
_NO_SEGMENT = "(no segment)"


def waterfall_figure(found: Comparison, *, theme: ChartTheme, chosen: CauseSide | None = None) -> go.Figure:
    """Draw what each cause lost and won; `customdata` is `side_name`, "" for the means."""
    steps = waterfall_steps(found)
    places = list(range(len(steps)))
    low, high = _span(steps)
    colours = [theme.event if s.side is None else theme.accent if s.side.is_won else theme.others[2] for s in steps]
    bars = [at for at in places if steps[at].side is not None]
    faded = [chosen is not None and steps[at].side != chosen for at in places]
    hover = [_hover(step) for step in steps]
    figure = go.Figure()
    figure.add_trace(
        go.Bar(
            orientation="h",
            y=bars,
            base=[steps[at].start for at in bars],
            x=[steps[at].end - steps[at].start for at in bars],
            width=0.56,
            marker={
                "color": [colours[at] for at in bars],
                "opacity": [_FADED if faded[at] else 1.0 for at in bars],
                "line": {"width": 0},
            },
            hoverinfo="skip",
        )
    )
    ends = [at for at in places if steps[at].side is None]
    figure.add_trace(
        go.Scatter(
            x=[steps[at].end for at in ends],
            y=ends,
            mode="markers",
            marker={"symbol": "diamond", "size": 11, "color": theme.text},
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[max(step.start, step.end) for step in steps],
            y=places,
            mode="text",
            text=["\u00a0\u00a0\u00a0" * (1 + (step.side is None)) + _value(step) for step in steps],
            textposition="middle right",
            textfont={"size": 13, "color": [theme.faint if f else theme.text for f in faded]},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    # The whole row takes the click: what explains little is a bar too narrow to hit.
    figure.add_trace(_row_targets(places, low, high, [_clicked(step) for step in steps], hover))
    for at in places[:-1]:
        figure.add_shape(
            type="line",
            x0=steps[at].end,
            x1=steps[at].end,
            y0=at,
            y1=at + 1,
            line={"width": 1, "color": theme.faint, "dash": "dot"},
            layer="below",
        )
    largest = max(bars, key=lambda at: abs(steps[at].end - steps[at].start), default=None)
    telling = largest if found.is_significant else None
    labels = [_label(step, is_bold=step.side is None or at == telling) for at, step in enumerate(steps)]
    row = _ROW if len(steps) < _TIGHT_FROM else _TIGHT_ROW
    figure.update_layout(**_layout(height=row * len(steps) + 34, left=222))
    figure.update_yaxes(**_rows(places, labels, theme))
    figure.update_xaxes(
        range=[low, high], tickmode="array", tickvals=_ticks(low, high), tickformat=".2f", zeroline=False
    )
    return figure


def waterfall_in_words(found: Comparison) -> str:
    """Return what the waterfall shows, for those who cannot see it."""
    steps = waterfall_steps(found)
    parts = [f"{step.label}: {_value(step) if step.side else fmt.share(step.end)}" for step in steps]
    return f"What each cause lost and won, from the baseline's mean to the candidate's. {'; '.join(parts)}"


def shown_segments(found: Comparison) -> list[SegmentDifference]:
    """Return the segments that the dot plot shows: those that made most of the change first."""
    is_won = (found.difference.mean or 0.0) > 0
    ranked = segments_by_weight(found.segments, is_won=is_won)
    return ranked if len(ranked) <= SHOWN_SEGMENTS else sorted(ranked, key=_weight)[:SHOWN_SEGMENTS]


def segments_figure(found: Comparison, *, theme: ChartTheme, chosen: str | None = None) -> go.Figure:
    """Draw each segment's difference with its interval, and what it adds; `customdata` is its name, "" for none."""
    segments = shown_segments(found)
    places = list(range(len(segments)))
    low, high = _segment_span(segments)
    figure = go.Figure()
    for is_telling in (True, False):
        group = [at for at in places if _is_telling(segments[at]) is is_telling]
        colour = theme.accent if is_telling else theme.event
        figure.add_trace(
            go.Scatter(
                x=[segments[at].difference for at in group],
                y=group,
                mode="markers",
                marker={"size": 10, "symbol": "circle" if is_telling else "circle-open", "color": colour},
                opacity=1.0,
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [_reach(segments[at], up=True) for at in group],
                    "arrayminus": [_reach(segments[at], up=False) for at in group],
                    "thickness": 2 if is_telling else 1.2,
                    "width": 0,
                    "color": colour,
                },
                hoverinfo="skip",
            )
        )
    figure.add_trace(
        _row_targets(places, low, high, [s.segment or "" for s in segments], [_segment_hover(s) for s in segments])
    )
    if chosen is not None:
        for at in places:
            if (segments[at].segment or "") == chosen:
                figure.add_hrect(y0=at - 0.5, y1=at + 0.5, fillcolor=theme.accent, opacity=0.1, line_width=0)
    figure.add_vline(x=0, line={"width": 1, "color": theme.faint})
    columns = [("adj. p", 52, _p_cell), ("points", 112, _points_cell)]
    if found.is_significant:  # what chance made has no parts worth sharing out
        columns.append(("share", 160, _share_cell))
    for title, shift, cell in columns:
        for at, text in [(-1, title), *((at, cell(segments[at])) for at in places)]:
            figure.add_annotation(
                x=1,
                xref="paper",
                xshift=shift,
                y=at,
                xanchor="right",
                showarrow=False,
                text=text,
                font={"size": 12.5, "color": theme.text if at >= 0 and _is_telling(segments[at]) else theme.faint},
            )
    layout = _layout(height=_SEGMENT_ROW * (len(segments) + 1) + 34, left=176)
    layout["margin"]["r"] = 166 if found.is_significant else 118
    figure.update_layout(**layout)
    labels = [_segment_label(s) for s in segments]
    figure.update_yaxes(**_rows(places, labels, theme) | {"range": [len(segments) - 0.5, -1.5]})
    figure.update_xaxes(range=[low, high], tickformat="+.1f", nticks=5, zeroline=False)
    return figure


def segments_in_words(found: Comparison) -> str:
    """Return what the dot plot shows, for those who cannot see it."""
    parts = [
        f"{s.segment or _NO_SEGMENT}: {fmt.signed(s.difference)}, adjusted {fmt.p_value(s.p_value_adjusted)}, "
        f"adds {fmt.signed(s.contribution, decimals=3)}"
        for s in shown_segments(found)
    ]
    return f"Each segment's difference with its 95 % interval. {'; '.join(parts)}"


def _row_targets(places: Sequence[int], low: float, high: float, names: Sequence[str], hover: Sequence[str]) -> go.Bar:
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


def _layout(*, height: int, left: int) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": left, "r": 8, "t": 4, "b": 26},
        "showlegend": False,
        "dragmode": False,
        "barmode": "overlay",
        "hoverlabel": {"align": "left"},
        "clickmode": "event+select",
    }


def _rows(places: Sequence[int], labels: Sequence[str], theme: ChartTheme) -> dict[str, Any]:
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


def _span(steps: Sequence[WaterfallStep]) -> tuple[float, float]:
    ends = [end for step in steps for end in (step.start, step.end)] or [0.0]
    low, high = min(ends), max(ends)
    width = max(high - low, _LEAST_SPAN)
    middle = (low + high) / 2
    # At the right, room for the figures.
    return middle - 0.56 * width, middle + 0.95 * width


def _ticks(low: float, high: float) -> list[float]:
    """Return where an axis of scores is marked: no score lies beyond 1, whatever room there is."""
    step = 0.05 if high - low < 0.4 else 0.1 if high - low < 0.9 else 0.2
    first, last = math.ceil(low / step), math.floor(min(high, 1.0) / step + 1e-9)
    return [round(at * step, 2) for at in range(max(0, first), last + 1)]


def _clicked(step: WaterfallStep) -> str:
    return "" if step.side is None else side_name(step.side)


def _value(step: WaterfallStep) -> str:
    if step.side is None:
        return f"<b>{fmt.share(step.end)}</b>"
    decimals = 2 if abs(step.end - step.start) >= 0.005 else 3
    return f"{fmt.signed(step.end - step.start, decimals=decimals)} · {fmt.plural(step.claims, 'claim')}"


def _hover(step: WaterfallStep) -> str:
    if step.side is None:
        return f"mean of the paired answers {step.label}: {fmt.share(step.end)}"
    done = "mended" if step.side.is_won else "broken"
    return (
        f"<b>{step.label}</b><br>{fmt.signed(step.end - step.start, decimals=4)} points, "
        f"{fmt.plural(step.claims, 'claim')} {done} in {fmt.plural(step.answers, 'answer')}<br>"
        "click: show these answers"
    )


def _segment_hover(segment: SegmentDifference) -> str:
    interval = segment.interval
    between = "" if interval is None else f" ({fmt.signed_ends(interval)})"
    return (
        f"<b>{plain(segment.segment or _NO_SEGMENT)}</b><br>"
        f"{fmt.share(segment.baseline)} → {fmt.share(segment.candidate)}, {fmt.signed(segment.difference)}{between}, "
        f"n {fmt.count(segment.rows)}<br>{fmt.p_value(segment.p_value)}, "
        f"adjusted {fmt.p_value(segment.p_value_adjusted)}<br>"
        f"adds {fmt.signed(segment.contribution, decimals=4)} to the difference<br>click: show its answers"
    )


def _segment_label(segment: SegmentDifference) -> str:
    name = segment.segment or _NO_SEGMENT
    short = name if len(name) <= _SEGMENT_CHARACTERS else name[: _SEGMENT_CHARACTERS - 1].rstrip() + "…"
    text = plain(short)
    return f"<b>{text}</b>  n {fmt.count(segment.rows)}" if _is_telling(segment) else f"{text}  n {segment.rows:,}"


def _is_telling(segment: SegmentDifference) -> bool:
    return segment.is_significant


def _p_cell(segment: SegmentDifference) -> str:
    return fmt.p_number(segment.p_value_adjusted)


def _points_cell(segment: SegmentDifference) -> str:
    return fmt.signed(segment.contribution, decimals=3)


def _share_cell(segment: SegmentDifference) -> str:
    share = segment.share_of_delta
    # Shares of next to nothing are large numbers that say nothing.
    return "–" if share is None or abs(share) > 9.99 else f"{share:.0%}".replace("-", "−").replace("−0%", "0%")


def _segment_span(segments: Sequence[SegmentDifference]) -> tuple[float, float]:
    ends = [0.0, -0.1, 0.1]
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


def _label(step: WaterfallStep, *, is_bold: bool) -> str:
    lines = "<br>".join(textwrap.wrap(step.label, _LABEL_CHARACTERS))
    return f"<b>{lines}</b>" if is_bold else lines
