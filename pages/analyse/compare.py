"""Compare: what changed between two runs, is it real, and why?"""

import streamlit as st

from faithview.ui import reviewer
from faithview.ui.sections import (
    compare,
    compare_changes,
    compare_choice,
    compare_pairs,
    compare_tables,
    empty,
    pair_choices,
    sensitivity,
)

reviewer.sidebar()
chosen = compare_choice.choose_runs()
if chosen is None:
    st.title("Compare", anchor=False)
    empty.too_few_runs()
    st.stop()

found = compare.load(chosen)
if found is None or not compare.cautions(found):
    st.stop()

pair_choices.say_outcome()
compare.finding(found)
compare.corrected(found)
compare.figures(found)
left, right = st.columns([1, 1], gap="medium")
with left:
    compare.waterfall(found)
with right:
    compare.segments(found)
compare_changes.changed_answers(found)
compare_pairs.unpaired_answers(found)
sensitivity.same_conclusion((found.baseline, found.candidate), view=found.view, key="compare", is_pair=True)
compare_tables.tables(found)
