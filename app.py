"""The dashboard's entry point: page config, navigation, the page."""

import streamlit as st

from faithview.ui import nav, shell

shell.configure()
st.navigation(nav.pages()).run()
