"""The dashboard's pages, one row each. A page's address is the stem of its file unless `_ADDRESSES` has another."""

from collections.abc import Mapping

import streamlit as st

from faithview.ui import identity

OVERVIEW = "pages/analyse/overview.py"
COMPARE = "pages/analyse/compare.py"
TRENDS = "pages/analyse/trends.py"
JUDGES = "pages/analyse/judges.py"
SOURCES = "pages/analyse/sources.py"
KNOWLEDGE = "pages/analyse/knowledge.py"
SLICES = "pages/analyse/slices.py"
CHECK = "pages/evaluate/check.py"
UPLOAD = "pages/evaluate/upload.py"
GUARD = "pages/evaluate/guard.py"
DATASETS = "pages/evaluate/datasets.py"
INSPECT = "pages/review/inspect.py"
QUEUE = "pages/review/queue.py"
INBOX = "pages/review/inbox.py"
SETTINGS = "pages/admin/settings.py"
AUDIT = "pages/admin/audit.py"

_SECTIONS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "": ((OVERVIEW, "Overview", "monitoring"),),
    "Evaluate": (
        (CHECK, "Check", "fact_check"),
        (UPLOAD, "Upload", "upload_file"),
        (DATASETS, "Data sets", "dataset"),
        (GUARD, "Guard", "shield"),
    ),
    "Review": (
        (INSPECT, "Inspect", "find_in_page"),
        (QUEUE, "Queue", "checklist"),
        (INBOX, "Inbox", "inbox"),
    ),
    "Analyse": (
        (COMPARE, "Compare", "compare_arrows"),
        (TRENDS, "Trends", "show_chart"),
        (SLICES, "Weak spots", "troubleshoot"),
        (SOURCES, "Sources", "topic"),
        (KNOWLEDGE, "Knowledge base", "library_books"),
        (JUDGES, "Judges", "gavel"),
    ),
    "Store": ((SETTINGS, "Settings", "settings"), (AUDIT, "Audit", "history")),
}
_ADDRESSES: Mapping[str, str] = {QUEUE: "review"}


def pages() -> dict[str, list[st.Page]]:
    """Return the pages by section, as `st.navigation` takes them; the audit log is offered to those who may read it."""
    hidden: set[str] = set() if identity.why_cannot_audit() is None else {AUDIT}
    return {
        section: [
            st.Page(
                path,
                title=title,
                icon=f":material/{icon}:",
                url_path=_ADDRESSES.get(path),
                default=path == OVERVIEW,
                visibility="hidden" if path in hidden else "visible",
            )
            for path, title, icon in rows
        ]
        for section, rows in _SECTIONS.items()
    }
