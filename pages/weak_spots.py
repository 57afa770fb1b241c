"""Weak spots: which questions score lower than the others, and which chunks do unsupported claims come from?"""

import streamlit as st

from faithview.ui import address, navigation, page_setup
from faithview.ui.weak_spots import segments, slices, sources
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import choose_run, first_line, view_switch

page_setup.require_app()

_QUESTIONS = "questions"
_TABS = {_QUESTIONS: "Questions", navigation.SOURCES: "Documents"}
# Narrower than this a list stands above what it opens.
_LIST_WIDTH = 576

is_of_sources = address.selected_tab(_TABS) == navigation.SOURCES
line = first_line("Weak spots", document="Documents with weak spots" if is_of_sources else None, tabs=_TABS)
run = choose_run(line)
if run is None:
    empty_state.no_runs(
        "This page will show which chunks and documents their unsupported claims come from."
        if is_of_sources
        else "This page will show what the answers with low scores have in common."
    )
    st.stop()

with line.view:
    view = view_switch()
if not is_of_sources:
    found = slices.load_slices(run, view)
    slices.draw_finding(found)
    with line.next_step:
        slices.draw_next_step(found)
    slices.draw_table(found)
    segments.draw_segments(found, segments.list_segments(found))
    st.stop()

loaded = sources.load_board_data(run, view)
with line.next_step:
    sources.draw_next_step(loaded)
sources.draw_finding(loaded)
if not loaded.board.claims:
    st.stop()
sources.choose_fault(loaded)
with st.container(horizontal=True, gap="medium"):
    left, right = st.container(width=_LIST_WIDTH), st.container(key="sources-detail", width="stretch")
with left:
    source = sources.choose_source(loaded)
with right:
    if source is not None:
        sources.source_panel(loaded, source)
