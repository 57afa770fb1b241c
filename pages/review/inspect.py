"""Inspect: where does a run go wrong, and is the judge right?"""

import streamlit as st

from faithview.ui import shell
from faithview.ui.sections import empty, inspect

run = inspect.choose_run()
if run is None:
    st.title("Inspect", anchor=False)
    empty.no_runs("This page will show a run's answers, worst first, each beside the chunks that bear it.")
    st.stop()

inspect.figures(shell.services().get_summary(run.run_id))
filters, order = inspect.filters(run)
inspect.settle_row(run)
listing = inspect.load_list(run, filters, order)
if not listing.page.total:
    empty.nothing_matches(inspect.FILTERS)
    st.stop()

left, right = st.columns([1, 3], gap="medium")
with left:
    key = inspect.choose_answer(listing)
with right:
    inspect.answer(run, key)
