"""The dashboard's pages, one row each, the tabs that others link to, and where the addresses of older versions lead."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from urllib.parse import urlsplit

import streamlit as st

from faithview.ui import address
from faithview.ui.frontend.component_files import read_script

OVERVIEW = "pages/overview.py"
ANSWERS = "pages/answers.py"
CLAIMS = "pages/claims.py"
CHANGES = "pages/changes.py"
TRENDS = "pages/trends.py"
WEAK_SPOTS = "pages/weak_spots.py"
REVIEW = "pages/review.py"
JUDGES = "pages/judges.py"
TRY = "pages/try_one_answer.py"
UPLOAD = "pages/upload.py"
SETTINGS = "pages/settings.py"

# Tabs by their names in the address: of Changes (two), Weak spots, Try one answer (two) and Settings (two).
DOCUMENTS, BEFORE, SOURCES, CORRECT, GENERATE, ALERTS, AUDIT = (
    "documents",
    "before",
    "sources",
    "correct",
    "generate",
    "alerts",
    "audit",
)

# The section that stands at the foot of the sidebar.
FOOT = "Store"
# By section, each with its address and title.
_SECTIONS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "": {
        OVERVIEW: ("", "Overview"),
        ANSWERS: ("answers", "Answers"),
        CLAIMS: ("claims", "Claims"),
        CHANGES: ("changes", "Changes"),
        TRENDS: ("trends", "Trends"),
        WEAK_SPOTS: ("weak-spots", "Weak spots"),
    },
    "People": {
        REVIEW: ("review", "Review"),
        JUDGES: ("judges", "Judges"),
    },
    "Data": {
        TRY: ("try", "Try one answer"),
        UPLOAD: ("upload", "Upload"),
    },
    FOOT: {SETTINGS: ("settings", "Settings")},
}
ADDRESSES: Mapping[str, str] = MappingProxyType(
    {path: row[0] for rows in _SECTIONS.values() for path, row in rows.items()}
)

# Where an address of an older version leads: the page, and the tab that is not its first.
MOVED: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        "inspect": (ANSWERS, None),
        "inbox": (CLAIMS, None),
        "compare": (CHANGES, None),
        "knowledge": (CHANGES, DOCUMENTS),
        "slices": (WEAK_SPOTS, None),
        "sources": (WEAK_SPOTS, SOURCES),
        "check": (TRY, None),
        "guard": (TRY, CORRECT),
        "audit": (SETTINGS, AUDIT),
    }
)

_mount = st.components.v2.component("faithview.moved_page", js=read_script("moved_page"))


def pages() -> dict[str, list[st.Page]]:
    """Return the pages by section, in the order of the sidebar."""
    return {
        section: [
            st.Page(path, title=title, url_path=name or None, default=path == OVERVIEW)
            for path, (name, title) in rows.items()
        ]
        for section, rows in _SECTIONS.items()
    }


def moved_pages() -> list[st.Page]:
    """Return hidden pages for the addresses of older versions."""
    return [_hidden_page(name, partial(_go_on, ADDRESSES[page], tab)) for name, (page, tab) in MOVED.items()]


def unknown_pages() -> list[st.Page]:
    """Return a hidden page for the address in view if it names none of the pages; Streamlit would open the first."""
    name = urlsplit(st.context.url or "").path.rpartition("/")[2]
    is_known = not name or name in MOVED or name in ADDRESSES.values()
    return [] if is_known else [_hidden_page(name, _say_unknown, title="Page not found")]


def _hidden_page(name: str, draw: Callable[[], None], *, title: str = "Moved") -> st.Page:
    return st.Page(draw, title=title, url_path=name, visibility="hidden")


def _say_unknown() -> None:
    st.title("Page not found", anchor=False)
    st.markdown("This page does not exist.")
    st.page_link(OVERVIEW, label="Go to Overview", icon=":material/arrow_forward:")


def _go_on(name: str, tab: str | None) -> None:
    """Open the page in place of this one, with the parameters of this address.

    The browser does it: `st.switch_page` would leave this address in the history, from where Back would lead here and
    on again.
    """
    _mount(key="moved", height=1, data={"page": name, "parameters": {} if tab is None else address.tab_link(tab)})
    st.caption("This page has moved. Opening it …")
