"""Search and help in the sidebar: the tour, the keys, the words that pages use, and what is new."""

import re

import streamlit as st

from faithview.services.bundled_files import app_folder
from faithview.ui import tour

# Of the glossary: the words that one meets first.
_WORDS = (
    "answer",
    "chunk",
    "claim",
    "faithfulness",
    "judge",
    "run",
    "segment",
    "series",
    "spot-check",
)
_ROW = re.compile(r"^\| (?P<term>[^|]+?) \| (?P<meaning>.+?) \|$", re.MULTILINE)
# Links to other documents of the source lead nowhere here.
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


def draw() -> None:
    """Draw the two buttons in the place where it is called; the component of `search` takes what they open."""
    with st.container(key="help", gap=None):
        _draw()


def _draw() -> None:
    st.button("Search", type="tertiary", icon=":material/search:", key="help_search", help="Ctrl K; on a Mac ⌘ K")
    with st.popover("Help", type="tertiary", icon=":material/help:", key="help.menu"):
        tour.offer()
        st.button("Keys", type="tertiary", icon=":material/keyboard:", key="help_keys")
        if st.button("What's new", type="tertiary", icon=":material/campaign:", key="help.news"):
            _whats_new()
        st.markdown("\\\n".join(f"**{term.capitalize()}**: {meaning}." for term, meaning in glossary().items()))
        st.caption("The documentation is in the folder `docs` of FaithView's source code.")


def glossary() -> dict[str, str]:
    """Return what the words of the menu mean, as the documentation's glossary says it."""
    text = (app_folder() / "docs" / "glossary.md").read_text(encoding="utf-8")
    meanings = {row["term"]: _LINK.sub(r"\1", row["meaning"]) for row in _ROW.finditer(text)}
    return {term: meanings[term] for term in _WORDS}


@st.dialog("What's new", width="large")
def _whats_new() -> None:
    st.markdown(newest_changes())


def newest_changes() -> str:
    """Return the newest part of the changelog, in Markdown."""
    parts = re.split(r"^## ", (app_folder() / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return _LINK.sub(r"\1", f"#### {parts[1]}").replace("\n### ", "\n##### ")
