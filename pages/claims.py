"""Claims: which claims are not fully supported, in any run, and what people say of them."""

import streamlit as st

from faithview.ui import claims, page_setup
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

line = first_line("Claims")
if not empty_state.has_runs():
    empty_state.no_runs("This page will list their claims that are not fully supported.")
    st.stop()

claims.choose_words()
claims.choose_tab()
claims.draw_claims(line)
