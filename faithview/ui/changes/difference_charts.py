"""The charts of a comparison and the tables behind them: why the score changed, and in which segments.

The waterfall goes from the baseline's mean, through the points of each cause, to the candidate's; the dot plot has each
segment's difference with its interval, and what it adds to the whole. Either has one row per item, a label at the left,
and the whole row clickable. Losses and gains are distinguished by place and sign first and by colour second.
Names are data, so each one goes through `plain`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from faithview.domain.comparison import Cause
from faithview.services.comparison.compared_runs import CauseSide, Comparison, WaterfallStep, waterfall_steps
from faithview.stats.paired import SegmentDifference
from faithview.ui import page_addresses, session
from faithview.ui.changes.changed_answers import current_filter
from faithview.ui.changes.comparison_finding import segments_by_weight
from faithview.ui.charts.chart_colours import ChartTheme, chart_theme, dress, plain
from faithview.ui.charts.row_figure import row_axis, row_height, row_layout, row_targets, ticks
from faithview.ui.page_addresses import cause_name
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS

_LABEL_WIDTH = 200
# Room for the figures at the right of the longest bar, in px a character.
_VALUE_CHARACTER = 7.2
# On a narrower axis than this, a difference of almost nothing would fill the picture.
_MINIMUM_SPAN = 0.12
_FADED = 0.3


def waterfall_figure(comparison: Comparison, *, theme: ChartTheme, chosen: CauseSide | None = None) -> go.Figure:
    """Draw the points that each cause took away and added; `customdata` is `side_name`, "" for the means."""
    steps = waterfall_steps(comparison)
    rows = list(range(len(steps)))
    low, high = _span(steps)
    is_faded = [chosen is not None and step.side != chosen for step in steps]
    figure = go.Figure()
    figure.add_trace(_cause_bars(steps, is_faded, theme))
    figure.add_trace(_mean_marks(steps, theme))
    figure.add_trace(_value_texts(steps, is_faded, theme))
    # The whole row takes the click: the bar of a small cause is too narrow to hit.
    figure.add_trace(row_targets(rows, low, high, [_clicked(step) for step in steps], [_hover(step) for step in steps]))
    for at in rows[:-1]:
        figure.add_shape(
            type="line",
            x0=steps[at].end,
            x1=steps[at].end,
            y0=at,
            y1=at + 1,
            line={"width": 1, "color": theme.faint, "dash": "dot"},
            layer="below",
        )
    dress(figure, theme)
    room = 34 + round(_VALUE_CHARACTER * max((len(_plain_value(step)) for step in steps), default=0))
    figure.update_layout(**row_layout(height=row_height(len(steps)), left=_LABEL_WIDTH, right=room))
    figure.update_yaxes(**row_axis(rows, _labels(steps, is_largest_bold=comparison.is_significant), theme))
    places, decimals = _score_ticks(low, high)
    figure.update_xaxes(
        range=[low, high],
        tickmode="array",
        tickvals=places,
        tickformat=f".{decimals}f",
        tickangle=0,
    )
    return figure


def _cause_bars(steps: Sequence[WaterfallStep], is_faded: Sequence[bool], theme: ChartTheme) -> go.Bar:
    bars = [at for at, step in enumerate(steps) if step.side is not None]
    return go.Bar(
        orientation="h",
        y=bars,
        base=[steps[at].start for at in bars],
        x=[steps[at].end - steps[at].start for at in bars],
        width=0.56,
        marker={
            "color": [_colour(steps[at], theme) for at in bars],
            "opacity": [_FADED if is_faded[at] else 1.0 for at in bars],
            "line": {"width": 0},
        },
        hoverinfo="skip",
    )


def _colour(step: WaterfallStep, theme: ChartTheme) -> str:
    return theme.accent if step.side is not None and step.side.is_won else theme.loss


def _mean_marks(steps: Sequence[WaterfallStep], theme: ChartTheme) -> go.Scatter:
    means = [at for at, step in enumerate(steps) if step.side is None]
    return go.Scatter(
        x=[steps[at].end for at in means],
        y=means,
        mode="markers",
        marker={"symbol": "diamond", "size": 11, "color": theme.text},
        hoverinfo="skip",
    )


def _value_texts(steps: Sequence[WaterfallStep], is_faded: Sequence[bool], theme: ChartTheme) -> go.Scatter:
    return go.Scatter(
        x=[max(step.start, step.end) for step in steps],
        y=list(range(len(steps))),
        mode="text",
        text=["\u00a0\u00a0\u00a0" * (1 + (step.side is None)) + _step_label(step) for step in steps],
        textposition="middle right",
        textfont={"size": 13, "color": [theme.event if faded else theme.text for faded in is_faded]},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _labels(steps: Sequence[WaterfallStep], *, is_largest_bold: bool) -> list[str]:
    """Return the rows' labels; bold are the means and, where asked for, the cause with the largest share."""
    causes = [at for at, step in enumerate(steps) if step.side is not None]
    largest = max(causes, key=lambda at: abs(steps[at].end - steps[at].start), default=None)
    bold = largest if is_largest_bold else None
    return [_label(step, is_bold=step.side is None or at == bold) for at, step in enumerate(steps)]


def waterfall_in_words(comparison: Comparison) -> str:
    """Return what the waterfall shows, for screen readers."""
    steps = waterfall_steps(comparison)
    parts = [f"{step.label}: {_step_label(step) if step.side else fmt.share(step.end)}" for step in steps]
    causes = "The points that each cause took away and added, from the baseline's mean to the candidate's."
    return f"{causes} {'; '.join(parts)}"


def _span(steps: Sequence[WaterfallStep]) -> tuple[float, float]:
    ends = [end for step in steps for end in (step.start, step.end)] or [0.0]
    low, high = min(ends), max(ends)
    width = max(high - low, _MINIMUM_SPAN)
    middle = (low + high) / 2
    return middle - 0.55 * width, middle + 0.55 * width


def _score_ticks(low: float, high: float) -> tuple[list[float], int]:
    """Return the ticks of an axis of scores with their decimals; none beyond 0 and 1, the ends of the scale."""
    places, decimals = ticks(max(0.0, low), min(1.0, high), most=5)
    return places, max(2, decimals)


def _clicked(step: WaterfallStep) -> str:
    return "" if step.side is None else cause_name(step.side)


def _step_label(step: WaterfallStep) -> str:
    return f"<b>{_plain_value(step)}</b>" if step.side is None else _plain_value(step)


def _plain_value(step: WaterfallStep) -> str:
    if step.side is None:
        return fmt.share(step.end)
    decimals = 2 if abs(step.end - step.start) >= 0.005 else 3
    points = fmt.signed(step.end - step.start, decimals=decimals)
    return f"{points} · {fmt.plural(step.claims, 'claim')}" if step.claims else points


def _hover(step: WaterfallStep) -> str:
    if step.side is None:
        return f"mean of the paired answers {step.label}: {fmt.share(step.end)}"
    claims = f", {fmt.plural(step.claims, 'claim')}" if step.claims else ""
    if step.side.cause is not Cause.OTHER:
        claims += " fixed" if step.side.is_won else " broken"
    points = fmt.signed(step.end - step.start, decimals=4)
    return f"<b>{step.label}</b><br>{points} points{claims}<br>click: show these answers"


def _label(step: WaterfallStep, *, is_bold: bool) -> str:
    return f"<b>{step.label}</b>" if is_bold else step.label


SHOWN_SEGMENTS = 8
_SEGMENT_LABEL_CHARACTERS = 24
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
    low, high = _segment_span(segments)
    figure = go.Figure()
    for is_significant in (True, False):
        figure.add_trace(_dots(segments, theme, is_significant=is_significant))
    names = [segment.segment or "" for segment in segments]
    figure.add_trace(row_targets(places, low, high, names, [_segment_hover(segment) for segment in segments]))
    for at in [at for at in places if chosen is not None and names[at] == chosen]:
        figure.add_hrect(y0=at - 0.5, y1=at + 0.5, fillcolor=theme.accent, opacity=0.1, line_width=0)
    figure.add_vline(x=0, line={"width": 1, "color": theme.faint})
    # Shares of a difference that may be chance would say nothing.
    for column in _COLUMNS if comparison.is_significant else _COLUMNS[:2]:
        _write_column(figure, column, segments, theme)
    dress(figure, theme)
    room = 166 if comparison.is_significant else 118
    figure.update_layout(**row_layout(height=row_height(len(segments) + 1), left=176, right=room))
    labels = [_segment_label(segment) for segment in segments]
    figure.update_yaxes(**row_axis(places, labels, theme) | {"range": [len(segments) - 0.5, -1.5]})
    marks, decimals = ticks(low, high, most=5)
    figure.update_xaxes(
        range=[low, high],
        tickmode="array",
        tickvals=marks,
        ticktext=[fmt.signed(mark, decimals=decimals) if mark else "0" for mark in marks],
        tickangle=0,
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
        f"adjusted {fmt.p_value(s.p_value_adjusted)}, adds {fmt.signed(s.contribution, decimals=3)}"
        for s in shown_segments(comparison)
    ]
    return f"Each segment's difference with its 95% interval. {'; '.join(parts)}"


def _segment_hover(segment: SegmentDifference) -> str:
    interval = segment.interval
    between = "" if interval is None else f" ({fmt.signed_ends(interval)})"
    return (
        f"<b>{plain(segment.segment or _NO_SEGMENT)}</b><br>"
        f"{fmt.share(segment.baseline)} → {fmt.share(segment.candidate)}, {fmt.signed(segment.difference)}{between}, "
        f"n {fmt.count(segment.rows)}<br>"
        f"{fmt.p_value(segment.p_value)}, adjusted {fmt.p_value(segment.p_value_adjusted)}<br>"
        f"adds {fmt.signed(segment.contribution, decimals=4)} to the difference<br>click: show its answers"
    )


def _segment_label(segment: SegmentDifference) -> str:
    name = segment.segment or _NO_SEGMENT
    short = name if len(name) <= _SEGMENT_LABEL_CHARACTERS else name[: _SEGMENT_LABEL_CHARACTERS - 1].rstrip() + "…"
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


def _segment_span(segments: Sequence[SegmentDifference]) -> tuple[float, float]:
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


_CONFIG = {"displayModeBar": False}


def waterfall_chart(comparison: Comparison) -> None:
    """Draw what each cause explains; a click filters the list to its answers."""
    st.header("Why", anchor=False, help=_cause_help(comparison))
    if not comparison.causes:
        st.markdown(":gray[No claim broke or was fixed.]")
        return
    chosen = current_filter(comparison).side
    key = f"compare.waterfall.{page_addresses.cause_name(chosen) if chosen else ''}"
    st.plotly_chart(
        waterfall_figure(comparison, theme=chart_theme(), chosen=chosen),
        key=key,
        on_select=_on_click(key, partial(_choose_side, comparison)),
        selection_mode="points",
        config=_CONFIG,
        alt=waterfall_in_words(comparison),
    )


def segments_chart(comparison: Comparison) -> None:
    """Draw each segment's part of the difference; a click filters the list to its answers."""
    st.header("Where", anchor=False, help=_SEGMENT_HELP)
    if len(comparison.segments) < 2:
        st.markdown(":gray[The answers are all in one segment.]")
        return
    chosen = current_filter(comparison).segment
    key = f"compare.segments.{chosen}"
    st.plotly_chart(
        segments_figure(comparison, theme=chart_theme(), chosen=chosen),
        key=key,
        on_select=_on_click(key, partial(_choose_segment, comparison)),
        selection_mode="points",
        config=_CONFIG,
        alt=segments_in_words(comparison),
    )
    rest = len(comparison.segments) - len(shown_segments(comparison))
    if rest:
        st.caption(f"and {fmt.plural(rest, 'segment')} that add less, in the tables below")


def _on_click(key: str, choose: Callable[[str], None]) -> Callable[[], None]:
    def read() -> None:
        state = session.widget_value(key)
        name = page_addresses.clicked_name(state.get("selection") if isinstance(state, Mapping) else None)
        if name is not None:
            choose(name)

    return read


def _choose_side(comparison: Comparison, name: str) -> None:
    side = page_addresses.find_cause(name)
    if side is not None:
        page_addresses.select_change_filter(page_addresses.toggle_cause(current_filter(comparison), side))


def _choose_segment(comparison: Comparison, name: str) -> None:
    page_addresses.select_change_filter(page_addresses.toggle_segment(current_filter(comparison), name))


def _cause_help(comparison: Comparison) -> str:
    rules = []
    for share in comparison.causes:
        words = CAUSE_WORDS[share.cause]
        rules.append(f"- **{words.topic}**: {words.rule}")
    return f"{_WATERFALL_HELP}\n\n" + "\n".join(rules)


_WATERFALL_HELP = (
    "How each cause moved the mean of the paired answers, from baseline to candidate. The bars add up exactly. Each "
    "claim that broke or was fixed has one cause: the first rule below that applies. For a fixed claim, swap before "
    "and now in the rule. Click a bar to list its answers."
)
_SEGMENT_HELP = (
    "Each segment's own mean difference with its 95% interval. Adjusted p allows for looking at all segments at once "
    "(Benjamini-Hochberg); filled dots are below 0.05. Points are what the segment adds to the difference of all "
    "pairs, and the share is its part of that difference. Click a row to list its answers."
)


_POINTS = "%+.4f"


def tables(comparison: Comparison) -> None:
    """Draw causes and segments as tables, folded away: every figure behind the charts."""
    box = st.expander("Causes and segments as tables", icon=":material/table:", key="compare.tables", on_change="rerun")
    if not box.open:
        return
    number = st.column_config.NumberColumn
    with box:
        st.dataframe(
            cause_rows(comparison),
            key="compare.causes.table",
            hide_index=True,
            column_config={
                "cause": "Cause",
                "lost": number("Points lost", format=_POINTS, help=figure_help.LOST),
                "won": number("Points gained", format=_POINTS, help=figure_help.WON),
                "total": number("Total", format=_POINTS, help=figure_help.TOTAL),
                "broken": number("Claims broken", help=figure_help.CLAIMS_BROKEN),
                "fixed": number("Claims fixed", help=figure_help.CLAIMS_FIXED),
                "answers": number("Answers", help=figure_help.ANSWERS_OF_CAUSE),
            },
            alt="The points that each cause took away and added; the totals add up to the difference.",
        )
        st.dataframe(
            segment_rows(comparison),
            key="compare.segments.table",
            hide_index=True,
            placeholder="–",
            column_config={
                "segment": "Segment",
                "rows": number("n", help=figure_help.PAIRS),
                "baseline": number("Before", format="%.3f", help=figure_help.BEFORE),
                "candidate": number("Now", format="%.3f", help=figure_help.NOW),
                "difference": number("Difference", format="%+.3f", help=figure_help.DIFFERENCE),
                "low": number("from", format="%+.3f", help="The 95% interval's lower end."),
                "high": number("to", format="%+.3f", help="The 95% interval's upper end."),
                "p_value": number("p", format="%.4f", help=figure_help.P_VALUE),
                "p_value_adjusted": number("Adjusted p", format="%.4f", help=figure_help.ADJUSTED_P),
                "contribution": number("Points", format=_POINTS, help=figure_help.POINTS),
                "share": number("Share", format="percent", help=figure_help.SHARE_OF_DIFFERENCE),
            },
            alt="Each segment's scores before and now, their difference, its interval, its test and what it adds.",
        )


def cause_rows(comparison: Comparison) -> pd.DataFrame:
    """Return the causes as a table, the largest loss first."""
    return pd.DataFrame(
        [
            {
                "cause": CAUSE_WORDS[share.cause].topic,
                "lost": share.lost,
                "won": share.won,
                "total": share.total,
                "broken": share.broken,
                "fixed": share.fixed,
                "answers": share.answers,
            }
            for share in comparison.causes
        ]
    )


def segment_rows(comparison: Comparison) -> pd.DataFrame:
    """Return the segments as a table, the largest loss first."""
    return pd.DataFrame(
        [
            {
                "segment": segment.segment or "(no segment)",
                "rows": segment.rows,
                "baseline": segment.baseline,
                "candidate": segment.candidate,
                "difference": segment.difference,
                "low": None if segment.interval is None else segment.interval.low,
                "high": None if segment.interval is None else segment.interval.high,
                "p_value": segment.p_value,
                "p_value_adjusted": segment.p_value_adjusted,
                "contribution": segment.contribution,
                "share": segment.share_of_delta,
            }
            for segment in sorted(comparison.segments, key=lambda segment: segment.contribution)
        ]
    )
