"""Audit: who did what, when and to which object. Only admins read it."""

import streamlit as st

from faithview.ui import audit, identity
from faithview.ui.widgets.first_line import first_line

identity.sidebar()
line = first_line("Audit")
refusal = identity.why_cannot_audit()
if refusal is not None:
    st.info(refusal, icon=":material/lock:")
    st.stop()

audit.draw_filters()
audit.draw_entries(line)
