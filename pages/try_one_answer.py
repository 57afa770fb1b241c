"""Try one answer: is it faithful, what would be sent instead of it, and what would a model answer?"""

import streamlit as st

from faithview.ui import address, navigation, page_setup
from faithview.ui.one_answer import check, generation, guard
from faithview.ui.one_answer.paste_form import choose_example, paste_form
from faithview.ui.widgets.first_line import first_line
from faithview.ui.widgets.judge_choice import choose_judge

page_setup.require_app()

_CHECK = "check"
_TABS = {_CHECK: "Check", navigation.CORRECT: "Correct", navigation.GENERATE: "Generate"}
_WIDTHS = (2, 5)
# What the right side will show.
_NOTHING_YET = {
    _CHECK: "The verdict appears here: every claim marked in the answer, next to the chunk that supports it. Paste an "
    "answer with its chunks, or load an example.",
    navigation.CORRECT: "The text to send appears here: your answer, a corrected answer, or nothing if it is blocked. "
    "Paste an answer with its chunks, or load an example.",
    navigation.GENERATE: "Ask a question, paste the chunks, and choose the model that answers. Each attempt appears "
    "here with the verdicts on it; before each retry the model is told which claims were unsupported.",
}

tab = address.selected_tab(_TABS)
first_line("Try one answer", document=f"{_TABS[tab]} one answer", tabs=_TABS)
if tab == _CHECK:
    choose_example()
    choice = choose_judge("check", takes_prompt=False)
    left, right = st.columns(_WIDTHS, gap="large")
    with left:
        pasted = paste_form("Check the answer", icon=":material/fact_check:", why_not=choice.why_not)
        spec = check.edit_prompt(choice)
    with right:
        if pasted.answer.strip() and spec is not None:
            check.verdict_panel(pasted, choice.offer, spec)
        else:
            st.markdown(f":gray[{_NOTHING_YET[tab]}]")
    st.stop()

controls = guard.choose_controls(is_generated=tab == navigation.GENERATE)
left, right = st.columns(_WIDTHS, gap="large")
with left:
    pasted = guard.paste(controls)
with right:
    if controls.is_generated and controls.spec is not None and controls.generator and pasted.question.strip():
        generation.show_generation(controls, controls.spec, pasted)
    elif not controls.is_generated and controls.spec is not None and pasted.answer.strip():
        guard.show_guarded(controls, controls.spec, pasted)
    else:
        st.markdown(f":gray[{_NOTHING_YET[tab]}]")
