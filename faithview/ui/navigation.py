"""The dashboard's pages, one row each, and the tabs that others link to."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

import streamlit as st

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

# Tabs by their names in the address: of Changes (two), Weak spots, Review, Judges (two), Try one answer (two) and
# Settings (two).
DOCUMENTS, BEFORE, SOURCES, DISAGREEMENTS, REVIEWERS, FILES, CORRECT, GENERATE, ALERTS, AUDIT = (
    "documents",
    "before",
    "sources",
    "disagreements",
    "reviewers",
    "files",
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


def pages() -> dict[str, list[st.Page]]:
    """Return the pages by section, in the order of the sidebar."""
    return {
        section: [
            st.Page(path, title=title, url_path=name or None, default=path == OVERVIEW)
            for path, (name, title) in rows.items()
        ]
        for section, rows in _SECTIONS.items()
    }


def unknown_pages() -> list[st.Page]:
    """Return a hidden page for the address in view if it names none of the pages; Streamlit would open the first."""
    name = urlsplit(st.context.url or "").path.rpartition("/")[2]
    if not name or name in ADDRESSES.values():
        return []
    return [st.Page(_say_unknown, title="Page not found", url_path=name, visibility="hidden")]


def _say_unknown() -> None:
    st.title("Page not found", anchor=False)
    st.markdown("This page does not exist.")
    st.page_link(OVERVIEW, label="Go to Overview", icon=":material/arrow_forward:")
