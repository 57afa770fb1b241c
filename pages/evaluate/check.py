"""Check: is this one answer faithful?"""

import streamlit as st

from faithview.ui.sections import check
from faithview.ui.sections.judge_choice import choose_judge

st.title("Check an answer", anchor=False)
check.examples()
choice = choose_judge("check", takes_prompt=False)
left, right = st.columns([2, 5], gap="large")
with left:
    pasted = check.form()
    spec = check.edit_prompt(choice)
with right:
    if pasted.answer.strip() and spec is not None:
        check.verdicts(pasted, choice.offer, spec)
    else:
        check.nothing_pasted()
