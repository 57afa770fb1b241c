"""The judge's prompt on the check page, to be edited and tried out."""

from dataclasses import replace

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec
from faithview.services.judge_catalogue import check_prompt, main_prompt
from faithview.ui.parts.judge_choice import Choice
from faithview.ui.shell import session
from faithview.wording import numbers as fmt


def edit_prompt(choice: Choice) -> JudgeSpec | None:
    """Draw the judge's prompt for editing, where it has one; return the spec with the edited prompt.

    None where the judge is not usable, or the edited prompt is not valid.
    """
    if choice.spec is None or not choice.offer.has_methods:
        return choice.spec
    shipped = main_prompt(choice.method, strictness=choice.strictness)
    with st.expander("Prompt", icon=":material/edit_note:"):
        text = st.text_area(
            "What counts as support", shipped, height=280, key=f"check.prompt.{choice.method}.{choice.strictness}"
        )
        st.caption("Text with a $ in front is a placeholder. Press *Check the answer* to try the prompt out.")
        st.download_button("Download for --prompt", text, "prompt.md", on_click="ignore", icon=":material/download:")
        if text == shipped:
            session.EDITED_PROMPT.clear()
            return choice.spec
        try:
            check_prompt(choice.method, text)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return None
    session.EDITED_PROMPT.set((choice.method, text))
    return replace(choice.spec, options={**choice.spec.options, "prompt_text": text, "prompt_name": "edited"})
