"""Changes: what changed between two runs, in the answers and in the documents, is it real, and why?"""

import streamlit as st

from faithview.ui import address, navigation, page_setup
from faithview.ui.changes import (
    before_an_update,
    changed_answers,
    changed_documents,
    compared_runs,
    comparison_finding,
    difference_charts,
)
from faithview.ui.widgets import empty_state, label_bar
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

_ANSWERS = "answers"
_TABS = {_ANSWERS: "Answers", navigation.DOCUMENTS: "Documents", navigation.BEFORE: "Before an update"}
tab = address.selected_tab(_TABS)

if tab == navigation.BEFORE:
    first_line("Changes", document="Before an update", tabs=_TABS)
    before_an_update.draw()
    st.stop()

if tab == navigation.DOCUMENTS:
    line = first_line("Changes", document="Changed documents", tabs=_TABS)
    with line.what:
        pair = changed_documents.choose_step()
    if pair is None:
        empty_state.no_pair(
            "this page will say which documents changed between them, and which claims are based on them."
        )
        changed_documents.check_next_button(key="empty.check_next")
        st.stop()

    changes = changed_documents.load_changes(pair)
    if changes is None:
        st.stop()

    with line.next_step:
        changed_documents.draw_next_step(changes)
    changed_documents.draw_finding(changes)
    if changes.changed:
        changed_documents.choose_document(changes)
        document = changed_documents.opened_document(changes)
        if document is not None:
            changed_documents.document_panel(changes, document)
    st.stop()

label_bar.answer_keys("compare")
chosen = compared_runs.choose_runs(_TABS)
if chosen is None:
    first_line("Changes", tabs=_TABS)
    empty_state.no_pair("this page will say what changed, whether the change is significant, and why.")
    st.stop()

comparison = comparison_finding.load(chosen)
if comparison is not None:
    before_an_update.preflight_line(comparison)
if comparison is None or not comparison_finding.cautions(comparison):
    st.stop()

comparison_finding.finding(comparison, chosen.line)
with st.container(gap="xsmall"):
    knowledge = st.container()
    comparison_finding.figures(comparison)
left, right = changed_answers.side_by_side("charts", widths=(1, 1))
with left:
    difference_charts.waterfall_chart(comparison)
with right:
    difference_charts.segments_chart(comparison)
changed_answers.changed_answers(comparison)
changed_answers.unpaired_answers(comparison)
difference_charts.tables(comparison)
with knowledge:  # last, because it takes longest where a pair is opened for the first time
    changed_documents.knowledge_card(comparison)
