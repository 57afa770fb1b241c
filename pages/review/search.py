"""Search: where else does a claim occur, in any run?"""

import streamlit as st

from faithview.ui import shell
from faithview.ui.sections import empty, search

st.title("Search claims", anchor=False)
if not shell.services().count_runs():
    empty.no_runs("This page will find claims in all of them.")
    st.stop()

search.hits(*search.ask())
