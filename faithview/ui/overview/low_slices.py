"""Where the newest run goes wrong: its slices that score lower than the rest, and the page that shows all of them."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.run import RunSummary
from faithview.domain.views import View
from faithview.services.slices.find import FoundSlice, find_slices
from faithview.ui.parts import empty_state
from faithview.ui.shell import address, app, nav
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.slices import FIGURES_HELP, NO_CORRECTED_SLICE, searched_words, slice_figures, slice_words

# The search takes a second from here on, which this page does not wait for.
_MOST_ANSWERS = 1_000
_SHOWN = 2


def low_slices(summaries: Sequence[RunSummary], view: View) -> None:
    """Draw the lowest slices of the newest run with a score, and the button to all; runs are given newest first."""
    latest = run_findings.latest_scored(summaries)
    if latest is None or empty_state.is_one_at_a_time():
        return
    run, shown = latest.run, View.REVIEWED if view is View.CORRECTED else view
    st.header("Weak spots", anchor=False, help=_HELP)
    if latest.rows <= _MOST_ANSWERS:
        found = find_slices(app.services(), run.run_id, view=view)
        for low in found.slices[:_SHOWN]:
            _line(run.run_id, low)
        if view is View.CORRECTED:
            st.caption(NO_CORRECTED_SLICE)
        if not found.slices:
            st.markdown(f"*{fmt.literal(run.name)}*: {searched_words(found.answers, found.tested, found.noticeable)}")
    if st.button("See all weak spots", icon=":material/troubleshoot:", key="overview.slices"):
        st.switch_page(nav.SLICES, query_params={**address.link(run.run_id), **address.view_link(shown)})


def _line(run_id: str, low: FoundSlice) -> None:
    figures = slice_figures(low.mean, low.elsewhere, low.difference, low.interval, len(low.positions), low.p_value)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{slice_words(low.definition)}**: {figures}", width="stretch", help=FIGURES_HELP)
        if st.button("Inspect", type="tertiary", key=f"overview.slice.{low.definition.slice_id}"):
            st.switch_page(nav.INSPECT, query_params=address.slice_link(run_id, low.definition.slice_id))


_HELP = (
    "Answers of the newest run that have something in common, such as a segment, a document or a word, and score lower "
    "than the rest by more than chance, allowing for all slices that were looked at."
)
