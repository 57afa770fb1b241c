"""The form for one answer with its chunks, and the examples that fill it.

All pages share one form: a text pasted on one page is on the others too.
"""

import re
from dataclasses import dataclass

import streamlit as st

from faithview.services.bundled_files import Example, load_examples
from faithview.ui import session
from faithview.ui.address import go
from faithview.wording import numbers as fmt

_SPLITS = {
    "Empty lines": re.compile(r"\n[ \t]*\n"),
    "Lines of ---": re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE),
    "Nothing": None,
}
_JOINS = {"Empty lines": "\n\n", "Lines of ---": "\n---\n", "Nothing": "\n\n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """The contents of the form; `is_sent` is true in the run that follows a press of its button."""

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
    go(claim=None)


def paste_form(action: str, *, icon: str, has_answer: bool = True, why_not: str = "") -> Pasted:
    """Draw the form and return what was last sent with it.

    Args:
        action: what its button does: "Check the answer".
        icon: the button's icon, as Streamlit names it.
        why_not: why the button cannot do it yet, in plain text, which is then shown below the button; "" if it can.
        has_answer: whether it asks for an answer; without, `Pasted.answer` is empty and the pasted one is kept.
    """
    with st.form("check.form", border=False):
        question = st.text_input(
            "Question",
            key="check.question",
            persist_state="session",
            placeholder="Optional" if has_answer else "The question to answer",
            required=not has_answer,
        )
        answer = ""
        if has_answer:
            answer = st.text_area(
                "Answer",
                key="check.answer",
                persist_state="session",
                height=130,
                placeholder="The answer to check",
                required=True,
            )
        text = st.text_area(
            "Chunks",
            key="check.chunks",
            persist_state="session",
            height=190,
            placeholder="The retrieved chunks, one after the other",
            required=True,
        )
        split = st.segmented_control(
            "Chunks are separated by",
            list(_SPLITS),
            default="Empty lines",
            required=True,
            key="check.split",
            persist_state="session",
        )
        is_sent = st.form_submit_button(
            action, type="primary", icon=icon, key="check.submit", width="stretch", disabled=bool(why_not)
        )
        if why_not:
            st.caption(f":material/block: {fmt.literal(why_not)}")
    return Pasted(question=question, answer=answer, chunks=split_chunks(text, str(split)), is_sent=is_sent)


def split_chunks(text: str, split: str) -> tuple[str, ...]:
    """Return the chunks of a pasted text; blank ones are dropped."""
    pattern = _SPLITS.get(split)
    parts = [text] if pattern is None else pattern.split(text)
    return tuple(part.strip("\n") for part in parts if part.strip())
