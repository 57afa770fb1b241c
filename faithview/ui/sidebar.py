"""The sidebar: the series first, then the pages, and at its foot the settings and who reviews."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.ui import navigation


class Sidebar(NamedTuple):
    """The places of the sidebar that are filled once the store is open.

    Attributes:
        top: the project and the series in view.
        foot: below Settings, for the name of the reviewer.
    """

    top: DeltaGenerator
    foot: DeltaGenerator


def draw_menu(sections: Mapping[str, Sequence[st.Page]]) -> Sidebar:
    """Draw the entries of the pages, also where no store can be opened, and return the places around them."""
    with st.sidebar:
        top = st.container(key="sidebar-top", gap="xsmall")
        with st.container(key="sidebar-pages", gap=None):
            for section, pages in sections.items():
                if section == navigation.FOOT:
                    continue
                if section:
                    st.caption(section)
                for page in pages:
                    st.page_link(page, width="stretch")
        with st.container(key="sidebar-foot", gap=None):
            for page in sections[navigation.FOOT]:
                st.page_link(page, width="stretch")
            foot = st.container(gap=None)
    return Sidebar(top=top, foot=foot)
