"""Check: is this one answer faithful?"""

import streamlit as st

from faithview.ui.sections import check

st.title("Check an answer", anchor=False)
check.examples()
left, right = st.columns([2, 5], gap="large")
with left:
    pasted = check.form()
with right:
    if pasted.answer.strip():
        check.verdicts(pasted)
    else:
        check.nothing_pasted()
