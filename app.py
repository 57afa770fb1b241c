"""The dashboard's entry point: page config, navigation, the store, the series in view, the page."""

import streamlit as st

from faithview.ui import (
    identity,
    navigation,
    opened_store,
    page_setup,
    series,
    session,
    sidebar,
    tour,
)

page_setup.configure()
sections = navigation.pages()
page = st.navigation({**sections, "Unknown": navigation.unknown_pages()}, position="hidden")
# Before the store, so that a page without it is still this page.
places = sidebar.draw_menu(sections)
page_setup.open_store(places.top, places.foot)
session.PAGES.set((session.PAGES.get()[1], page.url_path))
with opened_store.explaining():
    identity.draw_person(places.foot)
    series.choose_series(page.url_path, places.top)
    tour.draw(page.url_path)
    page.run()
