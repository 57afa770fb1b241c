"""Weak spots: which answers of a run score lower than the others, and what have they in common?"""

import streamlit as st

from faithview.ui import identity
from faithview.ui.slices import draw_finding, draw_next_step, draw_table, load_slices
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import choose_run, first_line, view_switch

identity.sidebar()
line = first_line("Weak spots")
run = choose_run(line)
if run is None:
    empty_state.no_runs("This page will show what the answers with low scores have in common.")
    st.stop()

with line.view:
    view = view_switch()
slices = load_slices(run, view)
draw_finding(slices)
with line.next_step:
    draw_next_step(slices)
draw_table(slices)
