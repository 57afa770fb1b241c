"""The dashboard's pages, one row each, the tabs that others link to, and where the addresses of older versions lead."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

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

# Tabs by their names in the address: of Changes, Weak spots, Try one answer (two), Upload and Settings (two).
DOCUMENTS, SOURCES, CORRECT, GENERATE, VERSIONS, ALERTS, AUDIT = (
    "documents",
    "sources",
    "correct",
    "generate",
    "versions",
    "alerts",
    "audit",
)

# By section, each with its address, title and icon.
_SECTIONS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "": {
        OVERVIEW: ("", "Overview", "monitoring"),
        ANSWERS: ("answers", "Answers", "find_in_page"),
        CLAIMS: ("claims", "Claims", "rule"),
        CHANGES: ("changes", "Changes", "compare_arrows"),
        TRENDS: ("trends", "Trends", "show_chart"),
        WEAK_SPOTS: ("weak-spots", "Weak spots", "troubleshoot"),
    },
    "People": {
        REVIEW: ("review", "Review", "checklist"),
        JUDGES: ("judges", "Judges", "gavel"),
    },
    "Data": {
        TRY: ("try", "Try one answer", "fact_check"),
        UPLOAD: ("upload", "Upload", "upload_file"),
    },
    "Store": {SETTINGS: ("settings", "Settings", "settings")},
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
        "datasets": (UPLOAD, VERSIONS),
        "audit": (SETTINGS, AUDIT),
    }
)

_mount = st.components.v2.component("faithview.moved_page", js=read_script("moved_page"))


def pages() -> dict[str, list[st.Page]]:
    """Return the pages by section, as `st.navigation` takes them, and hidden ones for the addresses that moved."""
    shown = {
        section: [
            st.Page(path, title=title, icon=f":material/{icon}:", url_path=name or None, default=path == OVERVIEW)
            for path, (name, title, icon) in rows.items()
        ]
        for section, rows in _SECTIONS.items()
    }
    moved = [_hidden_page(name, partial(_go_on, ADDRESSES[page], tab)) for name, (page, tab) in MOVED.items()]
    return {**shown, "Moved": moved}


def _hidden_page(name: str, draw: Callable[[], None]) -> st.Page:
    return st.Page(draw, title="Moved", url_path=name, visibility="hidden")


def _go_on(name: str, tab: str | None) -> None:
    """Open the page in place of this one, with the parameters of this address.

    The browser does it: `st.switch_page` would leave this address in the history, from where Back would lead here and
    on again.
    """
    _mount(key="moved", height=1, data={"page": name, "parameters": {} if tab is None else address.tab_link(tab)})
    st.caption("This page has moved. Opening it …")
