"""Compare: what changed between two runs, is it real, and why?"""

import streamlit as st

from faithview.ui.compare import changed_answers, pair_decisions, result_header, run_choice, tables, unpaired_answers
from faithview.ui.parts import empty_state, sensitivity
from faithview.ui.shell import identity

identity.sidebar()
chosen = run_choice.choose_runs()
if chosen is None:
    st.title("Compare", anchor=False)
    empty_state.too_few_runs()
    st.stop()

found = result_header.load(chosen)
if found is None or not result_header.cautions(found):
    st.stop()

pair_decisions.show_message()
result_header.finding(found)
result_header.corrected(found)
result_header.figures(found)
left, right = st.columns([1, 1], gap="medium")
with left:
    result_header.waterfall(found)
with right:
    result_header.segments(found)
changed_answers.changed_answers(found)
unpaired_answers.unpaired_answers(found)
sensitivity.same_conclusion((found.baseline, found.candidate), view=found.view, key="compare", is_pair=True)
tables.tables(found)
