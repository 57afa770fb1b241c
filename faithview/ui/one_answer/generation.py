"""A generated answer: its attempts as a timeline, and the one that is chosen."""

import json

import streamlit as st

from faithview.documents.answers import CheckDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec
from faithview.services.guard.generation import Attempt, Generation, generate_with_validation
from faithview.ui import identity, service_calls, session
from faithview.ui.differences import diff_html
from faithview.ui.one_answer.guard import Controls, copy_call, save_versions, show_claims, show_versions
from faithview.ui.one_answer.paste_form import Pasted
from faithview.ui.widgets.judge_notes import cost_line
from faithview.wording import guard as words
from faithview.wording import numbers as fmt
from faithview.wording.findings import NOT_CORRECT


def show_generation(controls: Controls, spec: JudgeSpec, pasted: Pasted) -> None:
    """Ask the model when the button was pressed; draw the attempts and the one that is chosen.

    A generation is kept in the session until the question, the chunks or a control changes.
    """
    if pasted.is_sent and service_calls.allow(identity.why_cannot_run()):
        with st.spinner("Asking the model", show_time=True):
            session.GENERATION.set((controls.hash_of(pasted), _generate(controls, spec, pasted)))
        session.forget_widgets("guard.attempt")
    kept = session.GENERATION.get()
    if kept is None or kept[0] != controls.hash_of(pasted):
        host = controls.generator_host
        asked = "" if host is None else f" Question and chunks are sent to **{fmt.literal(host)}**."
        st.markdown(f":gray[Press *Generate and check*.]{asked}")
    elif isinstance(kept[1], Generation):
        _draw(controls, spec, pasted, kept[1])
    else:
        st.error(fmt.literal(str(kept[1])), icon=":material/error:")


def _generate(controls: Controls, spec: JudgeSpec, pasted: Pasted) -> Generation | str:
    """Return the generation, or why there is none."""
    try:
        return generate_with_validation(
            question=pasted.question,
            context=list(pasted.chunks),
            judge=spec.name,
            method=spec.method if controls.offer.has_methods else None,
            options=spec.options,
            generator=controls.generator or "",
            max_retries=controls.max_retries,
            threshold=controls.threshold,
        )
    except FaithViewError as error:
        return str(error)


def _draw(controls: Controls, spec: JudgeSpec, pasted: Pasted, generation: Generation) -> None:
    attempts, check = generation.attempts, generation.check
    best = attempts[generation.best].number
    st.markdown(words.generation_finding(len(attempts), best=best, result=check.result, validated=generation.validated))
    st.caption(NOT_CORRECT)
    number = st.radio(
        "Attempts",
        [attempt.number for attempt in attempts],
        index=generation.best,
        format_func=lambda n: _title(generation, n),
        captions=[_caption(attempt) for attempt in attempts],
        horizontal=True,
        key="guard.attempt",
    )
    attempt = attempts[(number or best) - 1]
    versions = {
        f"Attempt {one.number}": (
            service_calls.pasted_sample(pasted.question, one.answer, pasted.chunks),
            one.check.result,
        )
        for one in attempts
        if one.check is not None
    }
    if attempt.check is None:
        st.error(fmt.literal(attempt.error or ""), icon=":material/error:")
    else:
        judged = [one for one in attempts[: attempt.number] if one.check is not None][-2:]
        html = [one.check.highlighted for one in judged if one.check is not None]
        if len(judged) > 1 and judged[0].check is not None:
            _say_rejected(judged[0].number, [issue.number for issue in judged[0].check.issues])
            html[1] = diff_html(judged[0].answer, attempt.answer)
        titles = [f"Attempt {one.number}" for one in judged]
        show_versions({title: versions[title] for title in titles}, html)
        show_claims(*versions[titles[-1]], key=f"guard.attempt_claims.{attempt.number}")
    with st.container(horizontal=True, vertical_alignment="center"):
        save_versions(versions, controls, spec, name="Generated answer")
        document = json.dumps(CheckDocument.of(check.result).to_dict(), ensure_ascii=False, indent=2)
        copy_call({"JSON": document, "HTML": check.highlighted, "Python": generation_call(pasted, controls)})
        model, judge, cost = controls.generator or "", check.result.judge, cost_line(generation.usage)
        said = f"Answered by {fmt.literal(model)}, judged by {fmt.literal(judge)}"
        st.caption(f"{said}{': ' if cost else ''}{cost}.")


def _say_rejected(number: int, claims: list[int]) -> None:
    """Draw what was said to the model about the attempt before."""
    if claims:
        verb = fmt.verb(len(claims), "is", "are")
        told = f"{words.claims_words(claims)} of attempt {number} {verb} not supported"
        st.caption(f"The model was told that {told}.")


def _title(generation: Generation, number: int) -> str:
    attempt = generation.attempts[number - 1]
    best = ", the best" if number - 1 == generation.best and len(generation.attempts) > 1 else ""
    return f"{'✓' if attempt.passed else '✕'} Attempt {number}{best}"


def _caption(attempt: Attempt) -> str:
    found = "no answer" if attempt.check is None else words.short_score(attempt.check.result)
    return f"{found}, {fmt.fixed(attempt.seconds, 1)} s"


def generation_call(pasted: Pasted, controls: Controls) -> str:
    """Return the Python that generates the same answer in the same way."""
    return (
        "from faithview import generate_with_validation\n\n"
        "generation = generate_with_validation(\n"
        f"    question={pasted.question!r},\n"
        f"    context={list(pasted.chunks)!r},\n"
        f"    generator={controls.generator!r},\n"
        f"    max_retries={controls.max_retries},\n"
        f"    {controls.in_python()},\n"
        ")\n"
        "print(generation.validated, generation.answer)\n"
    )
