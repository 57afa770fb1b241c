"""Parts of the check page: the form, and the verdicts in place."""

import json
import re
from dataclasses import dataclass, replace

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.services.demo import Example, load_examples
from faithview.services.exports.run_document import check_document
from faithview.services.judge_catalogue import DEFAULT_METHOD, JudgeOffer, check_prompt, main_prompt
from faithview.services.runs.create import save_checked
from faithview.services.runs.estimate import estimate_run
from faithview.ui.components.answer_view import answer_view
from faithview.ui.parts.judge_choice import Choice, estimate_line
from faithview.ui.parts.judge_extras import beside, cost_line
from faithview.ui.shell import address, app, cached, identity, nav, session, write
from faithview.wording import numbers as fmt
from faithview.wording import run_findings

_HEIGHT = 600
_SPLITS = {
    "Empty lines": re.compile(r"\n[ \t]*\n"),
    "Lines of ---": re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE),
    "Nothing": None,
}
_JOINS = {"Empty lines": "\n\n", "Lines of ---": "\n---\n", "Nothing": "\n\n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What stands in the form; `is_sent` says that the button was pressed just now."""

    question: str
    answer: str
    chunks: tuple[str, ...]
    is_sent: bool = False


def edit_prompt(choice: Choice) -> JudgeSpec | None:
    """Draw the prompt to be edited, for judges that have one; return the spec with what was edited.

    "Check the answer" tries it out on what is pasted.
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
        is_sent = st.form_submit_button(
            "Check the answer", type="primary", icon=":material/fact_check:", key="check.submit", width="stretch"
        )
    return Pasted(question=question, answer=answer, chunks=split_chunks(text, str(split)), is_sent=is_sent)


def split_chunks(text: str, split: str) -> tuple[str, ...]:
    """Return the chunks of a pasted text, parted as the form says; what holds nothing but white space is no chunk."""
    pattern = _SPLITS.get(split)
    parts = [text] if pattern is None else pattern.split(text)
    return tuple(part.strip("\n") for part in parts if part.strip())


def verdicts(pasted: Pasted, offer: JudgeOffer, spec: JudgeSpec) -> None:
    """Judge what was pasted and draw it: the verdict in words, the answer marked, claims, chunks.

    A model is asked only after the button was pressed for exactly this text and judge.
    """
    texts = (pasted.question, pasted.answer, pasted.chunks)
    try:
        sample = cached.pasted_sample(*texts)
        if offer.host is not None and not _is_asked(pasted, spec):
            st.markdown(f":gray[Press *Check the answer*.] {estimate_line(estimate_run([sample], spec))}")
            return
        if offer.host is not None and not write.allow(identity.why_cannot_run()):
            return
        with st.spinner("Asking the judge" if offer.host else "Checking", show_time=True):
            result = cached.check(*texts, spec)
        if result.state is State.FAILED:
            cached.check.clear(*texts, spec)  # the next press asks again
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(run_findings.result_finding(result))
    chosen = answer_view(sample, result, key="check.result", claim=address.selected_claim(), height=_HEIGHT)
    address.select_claim(chosen)
    beside(result)
    with st.container(horizontal=True, vertical_alignment="center"):
        _save(sample, result, spec)
        _copy(pasted, result, spec)
        where = "on this machine" if offer.host is None else f"at {fmt.literal(offer.host)}"
        took = cost_line(result)
        by = f"Judged by {fmt.literal(spec.name)}, {where}{', ' if took else ''}{took}."
        st.caption(f"{by} Faithful is not the same as correct.")


def _is_asked(pasted: Pasted, spec: JudgeSpec) -> bool:
    question = hash((pasted.question, pasted.answer, pasted.chunks, spec.name, spec.method, *spec.options.items()))
    if pasted.is_sent:
        session.CHECK_REQUEST.set(question)
    return session.CHECK_REQUEST.get() == question


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
    example = examples.get(session.widget_text("check.example") or "")
    if example is None:
        return
    split = session.widget_text("check.split") or "Empty lines"
    session.set_widget("check.question", example.question)
    session.set_widget("check.answer", example.answer)
    session.set_widget("check.chunks", _JOINS[split].join(example.chunks))
    address.select_claim(None)


def _save(sample: Sample, result: Result, spec: JudgeSpec) -> None:
    if not st.button("Save as a run", icon=":material/save:", key="check.save") or not write.allow(
        identity.why_cannot_run()
    ):
        return
    run = save_checked(app.services(), sample, result, name="Checked answer", judge=spec, source="check page")
    st.switch_page(nav.INSPECT, query_params=address.link(run.run_id))


def _copy(pasted: Pasted, result: Result, spec: JudgeSpec) -> None:
    with st.popover("Copy", icon=":material/content_copy:"):
        as_json, as_python = st.tabs(["JSON", "Python"])
        as_json.code(json.dumps(check_document(result), ensure_ascii=False, indent=2), language="json", height=360)
        as_python.code(python_call(pasted, spec), language="python", height=360)


def python_call(pasted: Pasted, spec: JudgeSpec) -> str:
    """Return the Python that checks the same answer."""
    given = {"method": spec.method} if spec.method != DEFAULT_METHOD else {}
    known = dict(spec.options)
    for name, option in (("strictness", "strictness"), ("prompt", "prompt_text")):
        if option in known:
            given[name] = known.pop(option)
    lines = [f"    {name}={value!r},\n" for name, value in given.items()]
    if known.pop("companions", None) == "yes":
        lines.append("    companions=True,\n")
    if known:
        lines.append(f"    options={known!r},\n")
    return (
        "from faithview import check\n\n"
        "result = check(\n"
        f"    question={pasted.question or None!r},\n"
        f"    answer={pasted.answer!r},\n"
        f"    context={list(pasted.chunks)!r},\n"
        f"    judge={spec.name!r},\n"
        f"{''.join(lines)}"
        ")\n"
        "print(result.faithfulness, [claim.verdict for claim in result.claims])\n"
    )
