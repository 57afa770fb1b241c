"""Knowledge base: what changed between two versions, and which claims rest on it?"""

import streamlit as st

from faithview.ui.knowledge.document_list import choose_document
from faithview.ui.knowledge.document_panel import document_panel
from faithview.ui.knowledge.headline import draw_finding, draw_next_step
from faithview.ui.knowledge.page_data import load_changes, opened_document
from faithview.ui.knowledge.step_choice import choose_step
from faithview.ui.parts import empty_state
from faithview.ui.parts.view_switch import view_switch
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
shell = shell_line("Knowledge base")
with shell.what:
    pair = choose_step()
if pair is None:
    empty_state.no_pair("this page will say which documents changed between them, and which claims rest on those.")
    st.stop()

with shell.view:
    view = view_switch()
changes = load_changes(pair, view)
if changes is None:
    st.stop()

with shell.next_step:
    draw_next_step(changes)
draw_finding(changes)
if changes.changed:
    choose_document(changes)
    document = opened_document(changes)
    if document is not None:
        document_panel(changes, document)
