"""Settings: which store this is, what judges can run here, and what leaves the machine."""

import streamlit as st

from faithview.ui.settings import facts

st.title("Settings", anchor=False)
facts.store()
facts.judges()
facts.versions()
