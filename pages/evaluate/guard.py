"""Guard: what would be sent instead of this answer?"""

import streamlit as st

from faithview.ui.one_answer.generation import show_generation
from faithview.ui.one_answer.guard import choose_controls, choose_mode, nothing_to_guard, paste, show_guarded
from faithview.ui.widgets.first_line import first_line

line = first_line("Guard an answer")
controls = choose_controls(is_generated=choose_mode(line))
left, right = st.columns([2, 5], gap="large")
with left:
    pasted = paste(controls)
with right:
    if not controls.is_ready(pasted):
        nothing_to_guard(controls)
    elif controls.is_generated:
        show_generation(controls, pasted)
    else:
        show_guarded(controls, pasted)
