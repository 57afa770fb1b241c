"""The segments of a run with their means and intervals: those that score significantly lower stand out."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import streamlit as st

from faithview.domain.run import SegmentSummary
from faithview.domain.scoring import Interval
from faithview.services.results import get_summary
from faithview.services.weak_spots.slices import RunSlices
from faithview.ui import address, navigation, opened_store
from faithview.ui.charts.chart_colours import ChartTheme, chart_theme, dress, plain
from faithview.ui.charts.row_figure import row_axis, row_height, row_layout, row_targets, ticks
from faithview.wording import numbers as fmt

_MOST = 14
_LABEL_CHARACTERS = 28
_LABEL_WIDTH = 220
_ROOM = 130


def list_segments(slices: RunSlices) -> list[SegmentSummary]:
    """Return the segments of the run that have a score, the lowest first."""
    summary = get_summary(opened_store.store(), slices.run.run_id, view=slices.view)
    scored = [segment for segment in summary.segments if segment.score.mean is not None]
    return sorted(scored, key=lambda segment: (segment.score.mean or 0.0, segment.segment))


def lowest_words(segments: Sequence[SegmentSummary]) -> str:
    """Return the sentence on the segment with the lowest mean, in Markdown; "" if there are not several."""
    if len(segments) < 2 or segments[0].score.mean == segments[-1].score.mean:
        return ""
    lowest = segments[0]
    return f"Lowest segment: **{fmt.literal(lowest.segment)}** {fmt.score(lowest.score)}."


def draw_segments(slices: RunSlices, segments: Sequence[SegmentSummary]) -> None:
    """Draw the segments, the lowest on top; a click on a row opens its answers. Nothing if there are not several."""
    if len(segments) < 2:
        return
    st.header("Segments", anchor=False, help=_HELP)
    low, whole = slices.low_segments, get_summary(opened_store.store(), slices.run.run_id, view=slices.view).score.mean
    shown = segments[:_MOST]
    with st.container(width=_WIDTH):
        event = st.plotly_chart(
            segments_figure(shown, low=low, whole=whole, theme=chart_theme()),
            key=f"slices.segments.{slices.run.run_id}.{slices.view}",
            on_select="rerun",
            selection_mode="points",
            config={"displayModeBar": False},
            alt=segments_in_words(shown, low=low),
        )
    if len(segments) > len(shown):
        st.caption(f"and {fmt.plural(len(segments) - len(shown), 'segment')} with higher scores")
    name = clicked_segment(event.selection.get("points") or [], shown)
    if name is not None:
        st.switch_page(navigation.ANSWERS, query_params={**address.link(slices.run.run_id), "segment": name})


def segments_figure(
    segments: Sequence[SegmentSummary], *, low: frozenset[str], whole: float | None, theme: ChartTheme
) -> go.Figure:
    """Draw each segment's mean with its interval, and the run's mean as a line; `customdata` is the segment's name."""
    places = list(range(len(segments)))
    ends = [end for one in segments for end in (_interval(one).low, _interval(one).high)]
    least, most = min([*ends, 0.8]) - 0.02, 1.02
    figure = go.Figure()
    for is_low in (True, False):
        figure.add_trace(_dots(segments, low, theme, is_low=is_low))
    figure.add_trace(row_targets(places, least, most, [one.segment for one in segments], [_hover(o) for o in segments]))
    if whole is not None:
        figure.add_vline(x=whole, line={"width": 1, "color": theme.faint, "dash": "dot"})
    for at, segment in enumerate(segments):
        figure.add_annotation(
            x=1,
            xref="paper",
            xshift=_ROOM,
            y=at,
            xanchor="right",
            showarrow=False,
            text=_score_text(segment),
            font={"size": 12.5, "color": theme.text if segment.segment in low else theme.event},
        )
    dress(figure, theme)
    figure.update_layout(**row_layout(height=row_height(len(segments)), left=_LABEL_WIDTH, right=_ROOM))
    figure.update_yaxes(**row_axis(places, [_label(one, is_low=one.segment in low) for one in segments], theme))
    marks, decimals = ticks(least, 1.0, most=5)
    figure.update_xaxes(
        range=[least, most], tickmode="array", tickvals=marks, tickformat=f".{max(1, decimals)}f", tickangle=0
    )
    return figure


def segments_in_words(segments: Sequence[SegmentSummary], *, low: frozenset[str]) -> str:
    """Return what the figure shows, for screen readers."""
    parts = [
        f"{one.segment}: {fmt.score(one.score)}{', significantly lower than the rest' if one.segment in low else ''}"
        for one in segments
    ]
    return f"Mean faithfulness of each segment with its 95% interval, the lowest first. {'; '.join(parts)}"


def clicked_segment(clicks: Sequence[Mapping[str, object]], segments: Sequence[SegmentSummary]) -> str | None:
    """Return the segment whose row was clicked, looked up by what the browser reports; None if unknown."""
    known = {one.segment for one in segments}
    for click in clicks:
        data = click.get("customdata")
        name = data[0] if isinstance(data, list) and data else data
        if isinstance(name, str) and name in known:
            return name
    return None


def _dots(segments: Sequence[SegmentSummary], low: frozenset[str], theme: ChartTheme, *, is_low: bool) -> go.Scatter:
    places = [at for at, one in enumerate(segments) if (one.segment in low) is is_low]
    means = [segments[at].score.mean or 0.0 for at in places]
    colour = theme.loss if is_low else theme.event
    return go.Scatter(
        x=means,
        y=places,
        mode="markers",
        marker={"size": 10, "symbol": "circle" if is_low else "circle-open", "color": colour},
        opacity=1.0,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [_interval(segments[at]).high - mean for at, mean in zip(places, means, strict=True)],
            "arrayminus": [mean - _interval(segments[at]).low for at, mean in zip(places, means, strict=True)],
            "thickness": 2 if is_low else 1.2,
            "width": 0,
            "color": colour,
        },
        hoverinfo="skip",
    )


def _interval(segment: SegmentSummary) -> Interval:
    mean = segment.score.mean or 0.0
    return segment.score.interval or Interval(low=mean, high=mean)


def _hover(segment: SegmentSummary) -> str:
    return f"<b>{plain(segment.segment)}</b><br>{fmt.score(segment.score)}<br>click: show its answers"


def _score_text(segment: SegmentSummary) -> str:
    between = "" if segment.score.interval is None else f" ({fmt.ends(segment.score.interval)})"
    return f"<b>{fmt.share(segment.score.mean)}</b>{between}"


def _label(segment: SegmentSummary, *, is_low: bool) -> str:
    name = segment.segment
    short = name if len(name) <= _LABEL_CHARACTERS else f"{name[: _LABEL_CHARACTERS - 1].rstrip()}…"
    text = f"<b>{plain(short)}</b>" if is_low else plain(short)
    return f"{text}  n {fmt.count(segment.score.judged)}"


_WIDTH = 860
_HELP = (
    "Mean faithfulness of each segment with its 95% interval; the dotted line is the mean of the run. Filled dots "
    "score significantly lower than the rest, allowing for all slices that were tested; grey ones could be chance. "
    "Click a row to open its answers."
)
