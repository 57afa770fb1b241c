"""Weak spots: which answers of a run score lower than the others, and what have they in common?"""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.parts.run_picker import choose_run
from faithview.ui.parts.view_switch import view_switch
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line
from faithview.ui.slices.found_slices import draw_finding, draw_next_step, draw_table, load_slices

identity.sidebar()
shell = shell_line("Weak spots")
run = choose_run(shell)
if run is None:
    empty_state.no_runs("This page will show what the answers with low scores have in common.")
    st.stop()

with shell.view:
    view = view_switch()
slices = load_slices(run, view)
draw_finding(slices)
with shell.next_step:
    draw_next_step(slices)
draw_table(slices)
