"""The dashboard's entry point: page config, navigation, the page."""

import streamlit as st

from faithview.ui.shell import app, nav

app.configure()
st.navigation(nav.pages()).run()
