"""Inspect: where does a run go wrong, and is the judge right?"""

import streamlit as st

from faithview.ui import reviewer, shell
from faithview.ui.components.view_switch import ALL_VIEWS, view_switch
from faithview.ui.sections import corrected, empty, inspect

reviewer.sidebar()
chooser, switch = st.columns([3, 1], vertical_alignment="center")
with chooser:
    run = inspect.choose_run()
if run is None:
    st.title("Inspect", anchor=False)
    empty.no_runs("This page will show a run's answers, worst first, each beside the chunks that bear it.")
    st.stop()

with switch:
    view = view_switch(offered=ALL_VIEWS)
view = corrected.shown_view(run, view)
inspect.figures(shell.services().get_summary(run.run_id, view=view), view)
filters, order = inspect.filters(run)
inspect.settle_row(run)
listing = inspect.load_list(run, filters, order, view)
if not listing.page.total:
    empty.nothing_matches(inspect.FILTERS)
    st.stop()

left, right = st.columns([1, 3], gap="medium")
with left:
    key = inspect.choose_answer(listing)
with right:
    inspect.answer(run, key, listing, view)
