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
session.PAGE.set(page.url_path)
places = sidebar.draw_places()
try:
    page_setup.open_store(places.top, places.foot)
    with opened_store.explaining():
        identity.draw_person(places.foot)
        series.choose_series(places.top)
finally:  # a page without a store is still this page
    sidebar.draw_links(places, sections)
with opened_store.explaining():
    tour.draw(page.url_path)
    page.run()
