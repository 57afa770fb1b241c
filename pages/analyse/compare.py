"""Compare: what changed between two runs, is it real, and why?"""

import streamlit as st

from faithview.ui import identity
from faithview.ui.changes import changed_answers, compared_runs, comparison_finding, difference_charts
from faithview.ui.changes.changed_documents import knowledge_card
from faithview.ui.widgets import empty_state, label_bar, sensitivity
from faithview.ui.widgets.first_line import first_line

identity.sidebar()
label_bar.answer_keys("compare")
chosen = compared_runs.choose_runs()
if chosen is None:
    first_line("Compare")
    empty_state.no_pair("this page will say what changed, whether the change is significant, and why.")
    st.stop()

comparison = comparison_finding.load(chosen)
if comparison is None or not comparison_finding.cautions(comparison):
    st.stop()

changed_answers.show_message()
comparison_finding.finding(comparison, chosen.line)
comparison_finding.figures(comparison)
knowledge = st.container()
left, right = changed_answers.side_by_side("charts", widths=(1, 1))
with left:
    difference_charts.waterfall_chart(comparison)
with right:
    difference_charts.segments_chart(comparison)
changed_answers.changed_answers(comparison)
changed_answers.unpaired_answers(comparison)
sensitivity.pair_under_definitions(
    comparison.baseline,
    comparison.candidate,
    view=comparison.view,
    key="compare",
    is_significant=comparison.is_significant and not comparison.is_judge_noise,
)
difference_charts.tables(comparison)
with knowledge:  # last, because it takes longest where a pair is opened for the first time
    knowledge_card(comparison)
