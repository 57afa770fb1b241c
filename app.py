"""The dashboard's entry point: page config, navigation, the store, the series in view, the page."""

import streamlit as st

from faithview.ui import help_menu, navigation, opened_store, page_setup, search, series, session, tour

page_setup.configure()
# All of them, also where the series stand below; before the store, so a page without it is still this page.
page = st.navigation(navigation.pages(), expanded=True)
if page.url_path in navigation.MOVED:  # before anything writes into the address
    page.run()
    st.stop()
page_setup.open_store()
session.PAGES.set((session.PAGES.get()[1], page.url_path))
with opened_store.explaining():
    series.choose_series(page.url_path)
    with st.sidebar:
        help_menu.draw()
    search.draw(page.url_path)
    tour.draw(page.url_path)
    page.run()
