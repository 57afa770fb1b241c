"""The dashboard's entry point: page config, navigation, the series in view, the page."""

import streamlit as st

from faithview.ui.shell import app, nav, series, session
from faithview.ui.tour import tour

app.configure()
page = st.navigation(nav.pages(), expanded=True)  # all of them, also where the series stand below
session.PAGES.set((session.PAGES.get()[1], page.url_path))
with app.explaining():
    series.choose_series(page.url_path)
    tour.draw(page.url_path)
    page.run()
