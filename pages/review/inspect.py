"""Inspect: where does a run go wrong, and is the judge right?"""

import streamlit as st

from faithview.ui.inspect import answer_panel
from faithview.ui.parts import corrected_score, empty_state
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import identity

identity.sidebar()
chooser, switch = st.columns([3, 1], vertical_alignment="center")
with chooser:
    run = answer_panel.choose_run()
if run is None:
    st.title("Inspect", anchor=False)
    empty_state.no_runs("This page will show a run's answers, worst first, each beside the chunks that bear it.")
    st.stop()

with switch:
    view = view_switch(offered=ALL_VIEWS)
view = corrected_score.shown_view(run, view)
answer_panel.figures(run, view)
filters, order = answer_panel.filters(run)
answer_panel.settle_row(run)
listing = answer_panel.load_list(run, filters, order, view)
if not listing.page.total:
    empty_state.nothing_matches(answer_panel.FILTERS)
    st.stop()

left, right = st.columns([1, 3], gap="medium")
with left:
    key = answer_panel.choose_answer(listing)
with right:
    answer_panel.answer(run, key, listing, view)
