"""Parts of the check page: the form, and the verdicts in place."""

import json
import re
from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.services.demo import Example, load_examples
from faithview.services.documents import check_document
from faithview.services.evaluation import create_run, judge_here
from faithview.ui import data, findings, nav, shell, state
from faithview.ui import format as fmt
from faithview.ui.components.answer_view import answer_view

_HEIGHT = 600
_JUDGE = "lexical"
_SPLITS = {
    "Empty lines": re.compile(r"\n[ \t]*\n"),
    "Lines of ---": re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE),
    "Nothing": None,
}
_JOINS = {"Empty lines": "\n\n", "Lines of ---": "\n---\n", "Nothing": "\n\n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What stands in the form."""

    question: str
    answer: str
    chunks: tuple[str, ...]


def form() -> Pasted:
    """Draw the form and return what was last sent with it."""
    with st.form("check.form", border=False):
        question = st.text_input("Question", key="check.question", placeholder="Optional")
        answer = st.text_area("Answer", key="check.answer", height=130, placeholder="The answer to be checked")
        text = st.text_area(
            "Chunks", key="check.chunks", height=190, placeholder="The retrieved text, all chunks one after the other"
        )
        split = st.segmented_control(
            "Chunks are separated by", list(_SPLITS), default="Empty lines", required=True, key="check.split"
        )
        st.form_submit_button(
            "Check the answer", type="primary", icon=":material/fact_check:", key="check.submit", width="stretch"
        )
    return Pasted(question=question, answer=answer, chunks=split_chunks(text, str(split)))


def split_chunks(text: str, split: str) -> tuple[str, ...]:
    """Return the chunks of a pasted text, parted as the form says; what holds nothing but white space is no chunk."""
    pattern = _SPLITS.get(split)
    parts = [text] if pattern is None else pattern.split(text)
    return tuple(part.strip("\n") for part in parts if part.strip())


def verdicts(pasted: Pasted) -> None:
    """Judge what was pasted and draw it: the verdict in words, the answer marked, claims, chunks."""
    try:
        result = data.check(pasted.question, pasted.answer, pasted.chunks, _JUDGE)
        sample = data.pasted_sample(pasted.question, pasted.answer, pasted.chunks)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(findings.result_finding(result))
    chosen = answer_view(sample, result, key="check.result", claim=state.selected_claim(), height=_HEIGHT)
    state.select_claim(chosen)
    with st.container(horizontal=True, vertical_alignment="center"):
        _save(pasted)
        _copy(pasted, result)
        st.caption(f"Judged by {_JUDGE}, on this machine. Faithful is not the same as correct.")


def nothing_pasted() -> None:
    """Say what will stand here."""
    st.markdown(
        ":gray[The verdict will stand here: every claim of the answer marked in place, beside the chunk that bears it. "
        "Paste an answer with its chunks, or load an example.]"
    )


def examples() -> None:
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
    example = examples.get(st.session_state.get("check.example") or "")
    if example is None:
        return
    split = st.session_state.get("check.split") or "Empty lines"
    st.session_state["check.question"] = example.question
    st.session_state["check.answer"] = example.answer
    st.session_state["check.chunks"] = _JOINS[split].join(example.chunks)
    state.select_claim(None)


def _save(pasted: Pasted) -> None:
    if not st.button("Save as a run", icon=":material/save:", key="check.save"):
        return
    services = shell.services()
    sample = data.pasted_sample(pasted.question, pasted.answer, pasted.chunks)
    run = create_run(services, [sample], name="Checked answer", judge=JudgeSpec(name=_JUDGE), source="check page")
    judge_here(services, run)
    st.switch_page(nav.INSPECT, query_params=state.link(run.run_id))


def _copy(pasted: Pasted, result: Result) -> None:
    with st.popover("Copy", icon=":material/content_copy:"):
        as_json, as_python = st.tabs(["JSON", "Python"])
        as_json.code(json.dumps(check_document(result), ensure_ascii=False, indent=2), language="json", height=360)
        as_python.code(python_call(pasted), language="python", height=360)


def python_call(pasted: Pasted) -> str:
    """Return the Python that checks the same answer."""
    return (
        "from faithview import check\n\n"
        "result = check(\n"
        f"    question={pasted.question or None!r},\n"
        f"    answer={pasted.answer!r},\n"
        f"    context={list(pasted.chunks)!r},\n"
        f"    judge={_JUDGE!r},\n"
        ")\n"
        "print(result.faithfulness, [claim.verdict for claim in result.claims])\n"
    )
