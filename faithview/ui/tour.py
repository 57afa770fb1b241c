"""A tour of the sample in five steps, one on each of five pages, until it is closed."""

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from faithview.services.demo import sample_weeks
from faithview.ui import address, browser_memory, navigation, opened_store, session

_COOKIE = "faithview-tour"
# By the address of the page: what it shows, the button to the next page, and that page.
_STEPS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "": (
            "*What changed last* says when faithfulness fell, by how much, and where.",
            "See why",
            navigation.CHANGES,
        ),
        "changes": (
            "*Why* splits the change by cause, *Where* by segment. Below are the answers that changed.",
            "See the wrong claims",
            navigation.ANSWERS,
        ),
        "answers": (
            "The most harmful answers come first; the wrong words are boxed.",
            "See what reviewers found",
            navigation.REVIEW,
        ),
        "review": (
            "Two reviewers labelled random claims blind; their labels correct the judge's score.",
            "See how good the judge is",
            navigation.JUDGES,
        ),
        "judges": (
            "How often the judge agrees with reviewers. Now try it with your own answers.",
            "Upload answers",
            navigation.UPLOAD,
        ),
    }
)


def draw(page: str) -> None:
    """Draw the step of the page with this address above it, while the store holds the sample and the tour is open."""
    if session.TOUR_CLOSED.get():
        browser_memory.remember(_COOKIE, "closed")
    is_closed = session.TOUR_CLOSED.get() or browser_memory.remembered(_COOKIE)
    if (
        is_closed
        or page not in _STEPS
        or address.TAB.get() is not None
        or not (weeks := sample_weeks(opened_store.store()))
    ):
        return
    text, action, to = _STEPS[page]
    before, after = weeks["2026-w42"].run_id, weeks["2026-w43"].run_id
    links = {navigation.CHANGES: address.pair_link(before, after), navigation.ANSWERS: address.link(after)}
    with st.container(key="tour", horizontal=True, vertical_alignment="center", gap="small"):
        number = list(_STEPS).index(page) + 1
        st.markdown(f":small[:material/school: **Tour, {number} of {len(_STEPS)}.** {text}]", width="content")
        if st.button(action, key="tour.next"):
            st.switch_page(to, query_params=links.get(to, {}))
        st.button("Close", key="tour.close", type="tertiary", on_click=session.TOUR_CLOSED.set, args=(True,))
