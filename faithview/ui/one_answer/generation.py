"""The right side of Try one answer for a generated answer: its attempts as a timeline, and the one that is chosen."""

import json

import streamlit as st

from faithview.documents.answers import CheckDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.generation import Attempt, Generation, generate_with_validation
from faithview.ui import address, identity, service_calls, session
from faithview.ui.one_answer.guard import Controls, Row, Version, before_after, copy_call, generation_call, save_rows
from faithview.ui.one_answer.paste_form import Pasted
from faithview.ui.widgets.answer_view import answer_view
from faithview.ui.widgets.judge_choice import caution_line
from faithview.ui.widgets.judge_notes import cost_line, judge_notes
from faithview.wording import guard as words
from faithview.wording import numbers as fmt
from faithview.wording.findings import NOT_CORRECT


def show_generation(controls: Controls, pasted: Pasted) -> None:
    """Ask the model when the button was pressed; draw the attempts and the one that is chosen.

    A generation is kept in the session until the question, the chunks or a control changes.
    """
    if controls.spec is None:
        return
    if pasted.is_sent and service_calls.allow(identity.why_cannot_run()):
        with st.spinner("Asking the model", show_time=True):
            _generate(controls, controls.spec, pasted)
    kept = session.GENERATION.get()
    if kept is None or kept[0] != controls.hash_of(pasted):
        asked = f"Question and chunks are sent to **{fmt.literal(controls.generator_host or '')}**."
        st.markdown(f":gray[Press *Generate and check*.] {asked}")
        return
    if isinstance(kept[1], str):
        st.error(fmt.literal(kept[1]), icon=":material/error:")
    elif isinstance(kept[1], Generation):
        _draw(controls, pasted, kept[1])


def _generate(controls: Controls, spec: JudgeSpec, pasted: Pasted) -> None:
    try:
        outcome: object = generate_with_validation(
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
        outcome = str(error)
    session.GENERATION.set((controls.hash_of(pasted), outcome))
    session.forget_widgets("guard.attempt")


def _draw(controls: Controls, pasted: Pasted, generation: Generation) -> None:
    best = generation.attempts[generation.best]
    st.markdown(
        words.generation_finding(
            len(generation.attempts),
            best=best.number,
            result=generation.check.result,
            validated=generation.validated,
        )
    )
    if controls.spec is not None:
        caution_line(controls.spec, before=NOT_CORRECT)
    number = st.radio(
        "Attempts",
        [attempt.number for attempt in generation.attempts],
        index=generation.best,
        format_func=lambda n: _title(generation, n),
        captions=[_caption(attempt) for attempt in generation.attempts],
        horizontal=True,
        key="guard.attempt",
    )
    attempt = generation.attempts[(number or best.number) - 1]
    with st.container():  # however much is in it, what follows keeps its place
        if attempt.check is None:
            st.error(fmt.literal(attempt.error or ""), icon=":material/error:")
        else:
            _draw_attempt(pasted, generation, attempt, attempt.check)
    with st.container(horizontal=True, vertical_alignment="center"):
        save_rows(_attempt_rows(pasted, generation), controls, name="Generated answer")
        document = json.dumps(CheckDocument.of(generation.check.result).to_dict(), ensure_ascii=False, indent=2)
        copy_call(generation_call(pasted, controls), {"JSON": document, "HTML": generation.check.highlighted})
        st.caption(_answered_by(controls, generation))


def _draw_attempt(pasted: Pasted, generation: Generation, attempt: Attempt, check: GuardCheck) -> None:
    """Draw one attempt beside the one before it, then its claims beside the chunks."""
    earlier = [one for one in generation.attempts[: attempt.number - 1] if one.check is not None]
    if earlier and earlier[-1].check is not None:
        _show_rejected_claims(earlier[-1].number, earlier[-1].check)
        before_after(_version(earlier[-1], earlier[-1].check), _version(attempt, check), key="guard.versions")
    else:
        before_after(_version(attempt, check), None, key="guard.versions")
    with st.expander("Claims and chunks", icon=":material/fact_check:", expanded=True):
        chosen = answer_view(
            service_calls.pasted_sample(pasted.question, attempt.answer, pasted.chunks),
            check.result,
            key=f"guard.attempt_claims.{attempt.number}",
            claim=address.selected_claim(),
            height=420,
        )
        address.select_claim(chosen)
        judge_notes(check.result)


def _attempt_rows(pasted: Pasted, generation: Generation) -> list[Row]:
    return [
        Row(
            name=f"Attempt {attempt.number}",
            sample=service_calls.pasted_sample(pasted.question, attempt.answer, pasted.chunks),
            result=attempt.check.result,
        )
        for attempt in generation.attempts
        if attempt.check is not None
    ]


def _show_rejected_claims(number: int, check: GuardCheck) -> None:
    """Draw what was said to the model about the attempt before."""
    if check.issues:
        claims = words.claims_words([issue.number for issue in check.issues])
        verb = fmt.verb(len(check.issues), "is", "are")
        st.caption(f"The model was told that {claims} of attempt {number} {verb} not supported.")


def _version(attempt: Attempt, check: GuardCheck) -> Version:
    return Version(
        title=f"Attempt {attempt.number}",
        note=words.score_note(check.result),
        answer=attempt.answer,
        result=check.result,
    )


def _title(generation: Generation, number: int) -> str:
    attempt = generation.attempts[number - 1]
    best = ", the best" if number - 1 == generation.best and len(generation.attempts) > 1 else ""
    return f"{'✓' if attempt.passed else '✕'} Attempt {number}{best}"


def _caption(attempt: Attempt) -> str:
    found = "no answer" if attempt.check is None else words.short_score(attempt.check.result)
    return f"{found}, {fmt.fixed(attempt.seconds, 1)} s"


def _answered_by(controls: Controls, generation: Generation) -> str:
    model, judge = fmt.literal(controls.generator or ""), fmt.literal(generation.check.result.judge)
    cost = cost_line(generation.usage)
    return f"Answered by {model}, judged by {judge}{': ' if cost else ''}{cost}."
