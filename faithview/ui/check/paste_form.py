"""The left side of the check page: examples, the form for one answer with its chunks, and the judge's prompt."""

import re
from dataclasses import dataclass, replace

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec
from faithview.services.demo.examples import Example, load_examples
from faithview.services.judge_catalogue import check_prompt, main_prompt
from faithview.ui.check.form_memory import keep_form, restore_form
from faithview.ui.parts.judge_choice import Choice
from faithview.ui.shell import address, session
from faithview.wording import numbers as fmt

_SPLITS = {
    "Empty lines": re.compile(r"\n[ \t]*\n"),
    "Lines of ---": re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE),
    "Nothing": None,
}
_JOINS = {"Empty lines": "\n\n", "Lines of ---": "\n---\n", "Nothing": "\n\n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What the form holds; `is_sent` is true in the run that follows a press of its button."""

    question: str
    answer: str
    chunks: tuple[str, ...]
    is_sent: bool = False


def choose_example() -> None:
    """Draw the examples; choosing one fills the form."""
    known = {example.name: example for example in load_examples()}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(":gray[Try an example]", width="content")
        st.pills(
            "Try an example",
            list(known),
            key="check.example",
            on_change=lambda: _load(known),
            label_visibility="collapsed",
        )


def _load(examples: dict[str, Example]) -> None:
    example = examples.get(session.widget_text("check.example") or "")
    if example is None:
        return
    split = session.widget_text("check.split") or "Empty lines"
    session.set_widget("check.question", example.question)
    session.set_widget("check.answer", example.answer)
    session.set_widget("check.chunks", _JOINS[split].join(example.chunks))
    address.select_claim(None)


def paste_form() -> Pasted:
    """Draw the form and return what was last sent with it."""
    restore_form(list(_SPLITS))
    with st.form("check.form", border=False):
        question = st.text_input("Question", key="check.question", placeholder="Optional")
        answer = st.text_area("Answer", key="check.answer", height=130, placeholder="The answer to check")
        text = st.text_area(
            "Chunks", key="check.chunks", height=190, placeholder="The retrieved chunks, one after the other"
        )
        split = st.segmented_control("Chunks are separated by", list(_SPLITS), required=True, key="check.split")
        is_sent = st.form_submit_button(
            "Check the answer", type="primary", icon=":material/fact_check:", key="check.submit", width="stretch"
        )
    keep_form(list(_SPLITS))
    return Pasted(question=question, answer=answer, chunks=split_chunks(text, str(split)), is_sent=is_sent)


def split_chunks(text: str, split: str) -> tuple[str, ...]:
    """Return the chunks of a pasted text; blank ones are dropped."""
    pattern = _SPLITS.get(split)
    parts = [text] if pattern is None else pattern.split(text)
    return tuple(part.strip("\n") for part in parts if part.strip())


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
