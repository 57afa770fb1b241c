"""Inbox: which claims are not fully supported, in any run, and what people say of them."""

import streamlit as st

from faithview.ui.inbox import controls, listing
from faithview.ui.parts import empty_state
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
line = shell_line("Inbox")
if not empty_state.has_runs():
    empty_state.no_runs("This page will list their claims that are not fully supported.")
    st.stop()

controls.choose_words()
controls.choose_tab()
listing.draw(line)
