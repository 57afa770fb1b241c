"""The two charts of a comparison on the page: why the score changed, and in which segments."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from faithview.services.comparison.comparison import Comparison
from faithview.ui.compare import address
from faithview.ui.compare.change_filter import current_filter
from faithview.ui.compare.charts.segments_plot import segments_figure, segments_in_words, shown_segments
from faithview.ui.compare.charts.waterfall import waterfall_figure, waterfall_in_words
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.shell import session
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS

_CONFIG = {"displayModeBar": False}


def waterfall_chart(comparison: Comparison) -> None:
    """Draw what each cause explains; a click filters the list to its answers."""
    _heading("Why", "How causes are found", _cause_help(comparison))
    if not comparison.causes:
        st.markdown(":gray[No claim lost or gained support.]")
        return
    chosen = current_filter(comparison).side
    key = f"compare.waterfall.{comparison.view}.{address.side_name(chosen) if chosen else ''}"
    st.plotly_chart(
        waterfall_figure(comparison, theme=chart_theme(), chosen=chosen),
        key=key,
        on_select=_clicked(key, partial(_choose_side, comparison)),
        selection_mode="points",
        config=_CONFIG,
        alt=waterfall_in_words(comparison),
    )


def segments_chart(comparison: Comparison) -> None:
    """Draw each segment's part of the difference; a click filters the list to its answers."""
    _heading("Where", "How segments are tested", _SEGMENT_HELP)
    if len(comparison.segments) < 2:
        st.markdown(":gray[The answers are all in one segment.]")
        return
    chosen = current_filter(comparison).segment
    key = f"compare.segments.{comparison.view}.{chosen}"
    st.plotly_chart(
        segments_figure(comparison, theme=chart_theme(), chosen=chosen),
        key=key,
        on_select=_clicked(key, partial(_choose_segment, comparison)),
        selection_mode="points",
        config=_CONFIG,
        alt=segments_in_words(comparison),
    )
    rest = len(comparison.segments) - len(shown_segments(comparison))
    if rest:
        st.caption(f"and {fmt.plural(rest, 'segment')} that add less, in the tables below")


def _clicked(key: str, choose: Callable[[str], None]) -> Callable[[], None]:
    def read() -> None:
        state = session.widget_value(key)
        name = address.clicked_name(state.get("selection") if isinstance(state, Mapping) else None)
        if name is not None:
            choose(name)

    return read


def _choose_side(comparison: Comparison, name: str) -> None:
    side = address.find_side(name)
    if side is not None:
        address.select_filter(address.toggle_side(current_filter(comparison), side))


def _choose_segment(comparison: Comparison, name: str) -> None:
    address.select_filter(address.toggle_segment(current_filter(comparison), name))


def _heading(title: str, question: str, text: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(title, anchor=False, width="content")
        with st.popover(question, type="tertiary", icon=":material/help:"):
            st.markdown(text)


def _cause_help(comparison: Comparison) -> str:
    rules = []
    for share in comparison.causes:
        words = CAUSE_WORDS[share.cause]
        rules.append(f"- **{words.topic}**: {words.rule}")
    return f"{_WATERFALL_HELP}\n\n" + "\n".join(rules)


_WATERFALL_HELP = (
    "From the mean of the paired answers before, through what each cause lost and won, to their mean now; the bars add "
    "up exactly. Each claim that lost or gained support has one cause: the first rule below that applies. For a claim "
    "that gained support, swap before and now in the rule. Click a bar to list its answers."
)
_SEGMENT_HELP = (
    "Each segment's own mean difference with its 95 % interval. Adjusted p allows for looking at all segments at once "
    "(Benjamini-Hochberg); filled dots are below 0.05. Points are what the segment adds to the difference of all "
    "pairs, and the share is of that difference. Click a row to list its answers."
)
