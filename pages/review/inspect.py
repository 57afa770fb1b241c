"""Inspect: where does a run go wrong, and is the judge right?"""

import streamlit as st

from faithview.ui.inspect import answer_filters, answer_list_panel, label_keys, run_header, slice_filter, team_line
from faithview.ui.inspect.answer_panel import answer_panel
from faithview.ui.parts import corrected_score, empty_state
from faithview.ui.parts.run_picker import choose_run
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import identity

identity.sidebar()
label_keys.answer_keys()
picker, switch = st.columns([3, 1], vertical_alignment="center")
with picker:
    run = choose_run()
if run is None:
    st.title("Inspect", anchor=False)
    empty_state.no_runs("This page will list a run's answers, worst first, each beside its chunks.")
    st.stop()

with switch:
    view = view_switch(offered=ALL_VIEWS)
view = corrected_score.shown_view(run, view)
run_header.run_header(run, view)
filters, order = answer_filters.choose_filters(run)
filters = slice_filter.within_slice(run, filters, view)
answer_list_panel.resolve_row(run)
listing = answer_list_panel.load_list(run, filters, order, view)
if not listing.page.total:
    empty_state.nothing_matches(answer_filters.CLEARED)
    label_keys.take_keys(None)
    st.stop()

left, right = st.columns([1, 3], gap="medium")
with left:
    row = answer_list_panel.choose_answer(listing)
    team_line.spot_check_button(run, filters, view)
with right:
    answer_panel(run, row, view)
    team_line.notes_line(run, row)
