"""The sheet of keys: those of a page, then those of every page."""

from collections.abc import Sequence

import streamlit as st

# What each key does on every page.
EVERYWHERE: tuple[tuple[str, str], ...] = (
    ("Ctrl K", "search runs, answers, claims and chunks; on a Mac ⌘ K"),
    ("?", "this sheet"),
    ("Esc", "close a sheet or the search"),
)


@st.dialog("Keys")
def show_keys(keys: Sequence[tuple[str, str]]) -> None:
    """Open the sheet of a page that has keys of its own.

    Args:
        keys: what each key of the page does.
    """
    rows = [*keys, *(row for row in EVERYWHERE if row[0] not in {key for key, _ in keys})]
    st.markdown("\n".join(["| Key | Does |", "| --- | --- |", *(f"| {key} | {what} |" for key, what in rows)]))
    st.caption("Keys do nothing while you type in a field.")
