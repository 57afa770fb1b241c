"""One pasted answer judged: its verdicts marked in place, to be saved or copied; the judge's prompt, to be edited."""

import json
from dataclasses import replace

import streamlit as st

from faithview.documents.answers import CheckDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.services.judge_catalogue import JudgeOffer, check_prompt, default_method, find_errors, main_prompt
from faithview.services.runs.create import estimate_run, save_checked
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.ui.address import CLAIM, go
from faithview.ui.one_answer.paste_form import Pasted
from faithview.ui.reader import payload
from faithview.ui.reader.reader import reader
from faithview.ui.widgets.judge_choice import Choice, ask_model_button, estimate_line
from faithview.ui.widgets.judge_notes import cost_line, judge_notes
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.answer_markdown import answer_markdown
from faithview.wording.findings import NOT_CORRECT, what_to_check


def verdict_panel(pasted: Pasted, offer: JudgeOffer, spec: JudgeSpec) -> None:
    """Judge what was pasted; draw the finding, then the answer with its claims and chunks.

    A model, at a host or on this machine, is asked only after the button was pressed for exactly this text and judge.
    """
    texts = (pasted.question, pasted.answer, pasted.chunks)
    try:
        sample = service_calls.pasted_sample(*texts)
        if offer.host is not None and not _is_asked(pasted, spec):
            st.markdown(f":gray[Press *Check the answer*.] {estimate_line(estimate_run([sample], spec))}")
            return
        if offer.runs_model and not _is_asked(pasted, spec):
            st.markdown(":gray[Press *Check the answer*. The first check takes longer because the model has to load.]")
            return
        if (offer.host is not None or offer.runs_model) and not service_calls.allow(identity.why_cannot_run()):
            return
        with st.spinner("Asking the judge" if offer.host else "Checking", show_time=True):
            result = service_calls.check(*texts, spec)
        if result.state is State.FAILED:
            service_calls.check.clear(*texts, spec)  # the next press asks again
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(findings.result_finding(result))
    st.caption(NOT_CORRECT)
    if any(certainty.is_near_cut for certainty in result.certainties):
        st.caption(fmt.literal(what_to_check(find_errors(spec))))
    ask_model_button("check", uncertain=result.uncertain)
    reader(
        payload.answer(sample, result),
        key="check.reader",
        on_choice=lambda choice: go(claim=None if choice.claim is None else str(choice.claim)),
        claim=CLAIM.get(),
    )
    judge_notes(result)
    with st.container(horizontal=True, vertical_alignment="center"):
        _save(sample, result, spec)
        _copy(pasted, result, spec)
        if st.button("Correct it", icon=":material/shield:", key="check.guard"):
            st.switch_page(navigation.TRY, query_params=address.tab_link(navigation.CORRECT))
        where = "on this machine" if offer.host is None else f"at {fmt.literal(offer.host)}"
        took = cost_line(result.usage)
        st.caption(f"Judged by {fmt.literal(spec.name)}, {where}{', ' if took else ''}{took}.")


def _is_asked(pasted: Pasted, spec: JudgeSpec) -> bool:
    question = hash((pasted.question, pasted.answer, pasted.chunks, spec.name, spec.method, *spec.options.items()))
    if pasted.is_sent:
        session.CHECK_REQUEST.set(question)
    return session.CHECK_REQUEST.get() == question


def _save(sample: Sample, result: Result, spec: JudgeSpec) -> None:
    if not st.button("Save as a run", icon=":material/save:", key="check.save") or not service_calls.allow(
        identity.why_cannot_run()
    ):
        return
    run = save_checked(opened_store.store(), sample, result, name="Checked answer", judge=spec, source="check page")
    st.switch_page(navigation.ANSWERS, query_params=address.link(run.run_id))


def _copy(pasted: Pasted, result: Result, spec: JudgeSpec) -> None:
    with st.popover("Copy", icon=":material/content_copy:"):
        as_markdown, as_json, as_python = st.tabs(["Markdown", "JSON", "Python"])
        as_markdown.code(answer_markdown(pasted.question, pasted.answer, result), language=None, height=360)
        document = CheckDocument.of(result).to_dict()
        as_json.code(json.dumps(document, ensure_ascii=False, indent=2), language="json", height=360)
        as_python.code(python_call(pasted, spec), language="python", height=360)


def python_call(pasted: Pasted, spec: JudgeSpec) -> str:
    """Return the Python code that checks the same answer."""
    arguments = {"method": spec.method} if spec.method != default_method(spec.name) else {}
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


def edit_prompt(choice: Choice) -> JudgeSpec | None:
    """Draw the judge's prompt for editing, where it has one; return the spec with the edited prompt.

    None if the judge is not usable, or the edited prompt is not valid.
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
