"""Search: where else does a claim occur, in any run?"""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.search import claim_search

st.title("Search claims", anchor=False)
if not empty_state.has_runs():
    empty_state.no_runs("This page will find claims in all of them.")
    st.stop()

claim_search.hits(*claim_search.ask())
