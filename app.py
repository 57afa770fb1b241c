"""The dashboard's entry point: page config, navigation, the store, the series in view, the page."""

import streamlit as st

from faithview.ui.shell import app, nav, series, session
from faithview.ui.tour import tour

app.configure()
# All of them, also where the series stand below; before the store, so that a page without it is still this page.
page = st.navigation(nav.pages(), expanded=True)
app.open_store()
session.PAGES.set((session.PAGES.get()[1], page.url_path))
with app.explaining():
    series.choose_series(page.url_path)
    tour.draw(page.url_path)
    page.run()
