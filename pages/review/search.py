"""Search: where else does a claim occur, in any run?"""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.search.search_form import search_form
from faithview.ui.search.search_results import search_results

st.title("Search claims", anchor=False)
if not empty_state.has_runs():
    empty_state.no_runs("This page will search the claims of all runs.")
    st.stop()

search_results(search_form())
