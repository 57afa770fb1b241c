"""From an event to what it changed: the knowledge base page for an update of it, else the comparison of both runs."""

import streamlit as st

from faithview.domain.event import Event, EventKind
from faithview.ui.shell import nav


def open_event(event: Event) -> None:
    """Open the page that says what an event changed, where there is a run on both sides."""
    if event.before_run_id and event.after_run_id:
        page = nav.KNOWLEDGE if event.kind is EventKind.KNOWLEDGE_BASE else nav.COMPARE
        st.switch_page(page, query_params={"baseline": event.before_run_id, "candidate": event.after_run_id})


def knowledge_button(event: Event | None, *, key: str, is_small: bool = False) -> None:
    """Draw the button to the documents that an update of the knowledge base changed; nothing for other events."""
    if event is None or event.kind is not EventKind.KNOWLEDGE_BASE or not (event.before_run_id and event.after_run_id):
        return
    words = "Changed documents"
    if st.button(words, type="tertiary" if is_small else "secondary", icon=":material/library_books:", key=key):
        open_event(event)
