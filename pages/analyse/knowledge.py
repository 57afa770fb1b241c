"""Knowledge base: what changed between two versions, and which claims rest on it?"""

import streamlit as st

from faithview.ui import identity
from faithview.ui.changes.changed_documents import (
    choose_document,
    choose_step,
    document_panel,
    draw_finding,
    draw_next_step,
    load_changes,
    opened_document,
)
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line, view_switch

identity.sidebar()
line = first_line("Knowledge base")
with line.what:
    pair = choose_step()
if pair is None:
    empty_state.no_pair("this page will say which documents changed between them, and which claims rest on those.")
    st.stop()

with line.view:
    view = view_switch()
changes = load_changes(pair, view)
if changes is None:
    st.stop()

with line.next_step:
    draw_next_step(changes)
draw_finding(changes)
if changes.changed:
    choose_document(changes)
    document = opened_document(changes)
    if document is not None:
        document_panel(changes, document)
