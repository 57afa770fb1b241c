"""The sidebar: the series first, then the pages, and at its foot the settings, help and who reviews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.services.review.disagreements import list_disagreements
from faithview.services.review.inbox import count_to_label
from faithview.ui import navigation, opened_store, series
from faithview.wording import numbers as fmt


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidebar:
    """The places of the sidebar that are filled once the store is open.

    Attributes:
        top: the project and the series in view.
        claims: next to the entry Claims, for its count.
        review: next to the entry Review, for its count.
        foot: below Settings, for help and the name of the reviewer.
    """

    top: DeltaGenerator
    claims: DeltaGenerator
    review: DeltaGenerator
    foot: DeltaGenerator


def draw_menu(sections: Mapping[str, Sequence[st.Page]]) -> Sidebar:
    """Draw the entries of the pages, also where no store can be opened, and return the places around them."""
    with st.sidebar:
        top = st.container(key="sidebar-top", gap="xsmall")
        places: dict[str, DeltaGenerator] = {}
        with st.container(key="sidebar-pages", gap=None):
            for section, pages in sections.items():
                if section == navigation.FOOT:
                    continue
                if section:
                    st.caption(section)
                for page in pages:
                    places[page.url_path] = _entry(page)
        with st.container(key="sidebar-foot", gap=None):
            for page in sections[navigation.FOOT]:
                _entry(page)
            foot = st.container(gap=None)
    return Sidebar(
        top=top,
        claims=places[navigation.ADDRESSES[navigation.CLAIMS]],
        review=places[navigation.ADDRESSES[navigation.REVIEW]],
        foot=foot,
    )


def _entry(page: st.Page) -> DeltaGenerator:
    """Draw an entry and return the place of its count."""
    name = page.url_path or "overview"
    with st.container(key=f"menu-{name}", gap=None):
        st.page_link(page, width="stretch")
        return st.container(key=f"count-{name}")


def draw_counts(sidebar: Sidebar) -> None:
    """Draw how many claims of the series in view are to be labelled, and on how many of all reviewers disagree."""
    store = opened_store.store()
    unlabelled = count_to_label(store, series=series.in_view(), most=_MOST_COUNTED + 1)
    if unlabelled:
        words = fmt.count(unlabelled) if unlabelled <= _MOST_COUNTED else f"{fmt.count(_MOST_COUNTED)}+"
        claims = "1 claim that is" if unlabelled == 1 else f"{words} claims that are"
        with sidebar.claims:
            st.badge(words, color="gray", help=f"To label: {claims} not fully supported.")
    waiting = len(list_disagreements(store))
    if waiting:
        with sidebar.review:
            st.badge(fmt.count(waiting), color="gray", help=f"Reviewers disagree on {fmt.plural(waiting, 'claim')}.")


_MOST_COUNTED = 999
