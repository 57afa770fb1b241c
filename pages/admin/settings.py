"""Settings: which store this is, what judges can run here, and what leaves the machine."""

import streamlit as st

from faithview.ui.settings.installation import draw_judges, draw_store, draw_versions

st.title("Settings", anchor=False)
draw_store()
draw_judges()
draw_versions()
