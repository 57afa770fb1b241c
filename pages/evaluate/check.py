"""Check: is this one answer faithful?"""

import streamlit as st

from faithview.ui.check import paste_form
from faithview.ui.parts.judge_choice import choose_judge

st.title("Check an answer", anchor=False)
paste_form.examples()
choice = choose_judge("check", takes_prompt=False)
left, right = st.columns([2, 5], gap="large")
with left:
    pasted = paste_form.form()
    spec = paste_form.edit_prompt(choice)
with right:
    if pasted.answer.strip() and spec is not None:
        paste_form.verdicts(pasted, choice.offer, spec)
    else:
        paste_form.nothing_pasted()
