"""Check: is this one answer faithful?"""

import streamlit as st

from faithview.ui.one_answer.check import edit_prompt, nothing_pasted, verdict_panel
from faithview.ui.one_answer.paste_form import choose_example, paste_form
from faithview.ui.widgets.first_line import first_line
from faithview.ui.widgets.judge_choice import choose_judge

first_line("Check an answer")
choose_example()
choice = choose_judge("check", takes_prompt=False)
left, right = st.columns([2, 5], gap="large")
with left:
    pasted = paste_form("Check the answer", icon=":material/fact_check:", why_not=choice.why_not)
    spec = edit_prompt(choice)
with right:
    if pasted.answer.strip() and spec is not None:
        verdict_panel(pasted, choice.offer, spec)
    else:
        nothing_pasted()
