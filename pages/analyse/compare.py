"""Compare: what changed between two runs, is it real, and why?"""

import streamlit as st

from faithview.ui.compare import (
    changed_answers,
    page_layout,
    pair_decisions,
    result_header,
    run_choice,
    tables,
    unpaired_answers,
)
from faithview.ui.compare.charts import charts_panel
from faithview.ui.knowledge.card import knowledge_card
from faithview.ui.parts import empty_state, sensitivity
from faithview.ui.parts.labels import claim_labels
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
claim_labels.answer_keys("compare")
chosen = run_choice.choose_runs()
if chosen is None:
    shell_line("Compare")
    empty_state.no_pair("this page will say what changed, whether it is more than chance, and why.")
    st.stop()

comparison = result_header.load(chosen)
if comparison is None or not result_header.cautions(comparison):
    st.stop()

pair_decisions.show_message()
result_header.finding(comparison, chosen.line)
result_header.figures(comparison)
knowledge = st.container()
left, right = page_layout.side_by_side("charts", widths=(1, 1))
with left:
    charts_panel.waterfall_chart(comparison)
with right:
    charts_panel.segments_chart(comparison)
changed_answers.changed_answers(comparison)
unpaired_answers.unpaired_answers(comparison)
sensitivity.pair_under_definitions(
    comparison.baseline,
    comparison.candidate,
    view=comparison.view,
    key="compare",
    is_significant=comparison.is_significant and not comparison.is_judge_noise,
)
tables.tables(comparison)
with knowledge:  # last, because it takes longest where a pair is opened for the first time
    knowledge_card(comparison)
