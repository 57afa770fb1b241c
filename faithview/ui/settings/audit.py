"""The audit log: the newest entries, which the table's own toolbar searches, sorts and saves."""

import pandas as pd
import streamlit as st

from faithview.domain.hidden_characters import make_visible
from faithview.store.audit import list_entries
from faithview.ui import opened_store

_MOST_ENTRIES = 2_000
# Pixels: the height of a laptop's window below the heading.
_HEIGHT = 640


def draw_entries() -> None:
    """Draw the newest entries, newest first."""
    entries = list_entries(opened_store.store().db, limit=_MOST_ENTRIES)
    if not entries:
        st.info("Nothing has been recorded yet. This page will list who changed what, and when.")
        return
    rows = [
        {
            "Time (UTC)": entry.at,
            "User": make_visible(entry.who),
            "Action": entry.action.replace(".", " ").replace("_", " "),
            "Object": make_visible(" · ".join(filter(None, (entry.run_name or entry.run_id, entry.subject)))),
            "Detail": make_visible(entry.detail or ""),
            "Items": entry.items,
        }
        for entry in entries
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        placeholder="",
        column_config={
            "Time (UTC)": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm:ss", timezone="UTC"),
            "Items": st.column_config.NumberColumn(format="localized"),
        },
        height=_HEIGHT,
        alt="The audit log, newest first: when, who, what, on which object.",
    )
