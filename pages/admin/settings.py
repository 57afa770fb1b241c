"""Settings: which store this is, what judges can run here, and what leaves the machine."""

import streamlit as st

from faithview.ui.sections import settings

st.title("Settings", anchor=False)
settings.store()
settings.judges()
settings.versions()
