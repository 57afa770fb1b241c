"""The sidebar: the series first, then the pages, and at its foot the settings and who reviews."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.ui import navigation, series


class Sidebar(NamedTuple):
    """The places of the sidebar, from top to bottom.

    Attributes:
        top: the project and the series in view.
        pages: the links to the pages.
        settings: the link to the settings.
        foot: below Settings, for the name of the reviewer.
    """

    top: DeltaGenerator
    pages: DeltaGenerator
    settings: DeltaGenerator
    foot: DeltaGenerator


def draw_places() -> Sidebar:
    """Return the sidebar's places, which are filled once the store is open."""
    with st.sidebar:
        top = st.container(key="sidebar-top", gap="xsmall")
        pages = st.container(key="sidebar-pages", gap=None)
        foot = st.container(key="sidebar-foot", gap=None)
    return Sidebar(top=top, pages=pages, settings=foot.container(gap=None), foot=foot.container(gap=None))


def draw_links(sidebar: Sidebar, sections: Mapping[str, Sequence[st.Page]]) -> None:
    """Draw the links to the pages, which take the run and the series in view along; also where no store is open."""
    with_run, without = series.carried(with_run=True), series.carried(with_run=False)
    for section, pages in sections.items():
        with sidebar.settings if section == navigation.FOOT else sidebar.pages:
            if section and section != navigation.FOOT:
                st.caption(section)
            for page in pages:
                # On Upload, a run is one that is being judged.
                is_upload = page.url_path == navigation.ADDRESSES[navigation.UPLOAD]
                st.page_link(page, width="stretch", query_params=without if is_upload else with_run)
