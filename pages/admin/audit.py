"""Audit: who did what, when and to which object. Only admins read it."""

import streamlit as st

from faithview.ui.audit import entry_list, filters
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
line = shell_line("Audit")
refusal = identity.why_cannot_audit()
if refusal is not None:
    st.info(refusal, icon=":material/lock:")
    st.stop()

filters.draw()
entry_list.draw(line)
