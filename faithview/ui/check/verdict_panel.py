"""The right side of the check page: the pasted answer judged, marked in place, to be saved or copied."""

import json

import streamlit as st

from faithview.documents.answers import CheckDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.services.judge_catalogue import DEFAULT_METHOD, JudgeOffer
from faithview.services.runs.create import save_checked
from faithview.services.runs.estimate import estimate_run
from faithview.ui.check.other_strictness import other_strictness
from faithview.ui.components.answer_view import answer_view
from faithview.ui.parts.judge_choice import caution_line, estimate_line
from faithview.ui.parts.judge_notes import cost_line, judge_notes
from faithview.ui.parts.pasted.paste_form import Pasted
from faithview.ui.shell import address, app, cached, identity, nav, session, write
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.judge_errors import NOT_CORRECT


def verdict_panel(pasted: Pasted, offer: JudgeOffer, spec: JudgeSpec) -> None:
    """Judge what was pasted; draw the finding, then the answer with its claims and chunks.

    A model, at a host or on this machine, is asked only after the button was pressed for exactly this text and judge.
    """
    texts = (pasted.question, pasted.answer, pasted.chunks)
    try:
        sample = cached.pasted_sample(*texts)
        if offer.host is not None and not _is_asked(pasted, spec):
            st.markdown(f":gray[Press *Check the answer*.] {estimate_line(estimate_run([sample], spec))}")
            return
        if offer.runs_model and not _is_asked(pasted, spec):
            st.markdown(":gray[Press *Check the answer*. The first one takes longer, for the model is loaded.]")
            return
        if (offer.host is not None or offer.runs_model) and not write.allow(identity.why_cannot_run()):
            return
        with st.spinner("Asking the judge" if offer.host else "Checking", show_time=True):
            result = cached.check(*texts, spec)
        if result.state is State.FAILED:
            cached.check.clear(*texts, spec)  # the next press asks again
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(run_findings.result_finding(result))
    caution_line(spec, before=NOT_CORRECT)
    other_strictness(pasted, offer, spec, result)
    chosen = answer_view(sample, result, key="check.result", claim=address.selected_claim(), height=None)
    address.select_claim(chosen)
    judge_notes(result)
    with st.container(horizontal=True, vertical_alignment="center"):
        _save(sample, result, spec)
        _copy(pasted, result, spec)
        if st.button("Open in Guard", icon=":material/shield:", key="check.guard", help=_GUARD_HELP):
            st.switch_page(nav.GUARD)
        where = "on this machine" if offer.host is None else f"at {fmt.literal(offer.host)}"
        took = cost_line(result.usage)
        st.caption(f"Judged by {fmt.literal(spec.name)}, {where}{', ' if took else ''}{took}.")


def _is_asked(pasted: Pasted, spec: JudgeSpec) -> bool:
    question = hash((pasted.question, pasted.answer, pasted.chunks, spec.name, spec.method, *spec.options.items()))
    if pasted.is_sent:
        session.CHECK_REQUEST.set(question)
    return session.CHECK_REQUEST.get() == question


def nothing_pasted() -> None:
    """Explain what this side will show."""
    st.markdown(
        ":gray[The verdict appears here: every claim marked in the answer, beside the chunk that supports it. Paste an "
        "answer with its chunks, or load an example.]"
    )


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
        document = CheckDocument.of(result).to_dict()
        as_json.code(json.dumps(document, ensure_ascii=False, indent=2), language="json", height=360)
        as_python.code(python_call(pasted, spec), language="python", height=360)


def python_call(pasted: Pasted, spec: JudgeSpec) -> str:
    """Return the Python code that checks the same answer."""
    arguments = {"method": spec.method} if spec.method != DEFAULT_METHOD else {}
    options = dict(spec.options)
    for name, option in (("strictness", "strictness"), ("prompt", "prompt_text")):
        if option in options:
            arguments[name] = options.pop(option)
    lines = [f"    {name}={value!r},\n" for name, value in arguments.items()]
    if options.pop("companions", None) == "yes":
        lines.append("    companions=True,\n")
    if options:
        lines.append(f"    options={options!r},\n")
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


_GUARD_HELP = "See what could be sent instead: the same answer, corrected or blocked."
