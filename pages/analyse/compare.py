"""Compare: what changed between two runs, is it real, and why?"""

import streamlit as st

from faithview.ui.compare import changed_answers, pair_decisions, result_header, run_choice, tables, unpaired_answers
from faithview.ui.compare.charts import charts_panel
from faithview.ui.parts import empty_state, sensitivity
from faithview.ui.shell import identity

identity.sidebar()
chosen = run_choice.choose_runs()
if chosen is None:
    st.title("Compare", anchor=False)
    empty_state.no_pair()
    st.stop()

comparison = result_header.load(chosen)
if comparison is None or not result_header.cautions(comparison):
    st.stop()

pair_decisions.show_message()
result_header.finding(comparison)
result_header.corrected(comparison)
result_header.figures(comparison)
left, right = st.columns([1, 1], gap="medium")
with left:
    charts_panel.waterfall_chart(comparison)
with right:
    charts_panel.segments_chart(comparison)
changed_answers.changed_answers(comparison)
unpaired_answers.unpaired_answers(comparison)
sensitivity.same_conclusion(
    (comparison.baseline, comparison.candidate), view=comparison.view, key="compare", is_pair=True
)
tables.tables(comparison)
