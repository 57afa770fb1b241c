"""The right side of the guard page for an answer that was pasted: what would be sent instead, and why."""

import json
from dataclasses import replace

import streamlit as st

from faithview.documents.guard import GuardedDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.services.guard.guarded_answer import GuardedAnswer
from faithview.ui.components.answer_view import answer_view
from faithview.ui.guard.before_after import Version, before_after
from faithview.ui.guard.edits import list_edits
from faithview.ui.guard.request import Controls
from faithview.ui.guard.saving import Row, copy_call, guard_call, save_rows
from faithview.ui.parts.judge_choice import caution_line
from faithview.ui.parts.judge_notes import cost_line, judge_notes
from faithview.ui.parts.pasted.paste_form import Pasted
from faithview.ui.shell import address, cached, identity, session, write
from faithview.wording import guard as words
from faithview.wording import numbers as fmt
from faithview.wording.judge_errors import NOT_CORRECT

_GIVEN = "Given"
_SENT = "Corrected"


def nothing_to_guard(controls: Controls) -> None:
    """Explain what this side will show."""
    if controls.is_generated:
        text = (
            "Ask a question, paste the chunks, and choose the model that answers. Each attempt appears here with the "
            "verdicts on it; what is not supported is named to the model before it tries again."
        )
    else:
        text = (
            "What would be sent appears here: the answer as it is, the answer without what the chunks do not support, "
            "or nothing. Paste an answer with its chunks, or load an example."
        )
    st.markdown(f":gray[{text}]")


def show_guarded(controls: Controls, pasted: Pasted) -> None:
    """Guard what was pasted; draw the finding, both versions, what was changed, and the claims with their chunks.

    A model is asked only after the button was pressed for exactly this text and judge.
    """
    if controls.spec is None:
        return
    texts = (pasted.question, pasted.answer, pasted.chunks)
    has_model = controls.offer.host is not None or controls.offer.runs_model
    if has_model and not _is_asked(pasted, controls):
        st.markdown(":gray[Press *Guard the answer*.]")
        return
    if has_model and not write.allow(identity.why_cannot_run()):
        return
    try:
        sample = cached.pasted_sample(*texts)
        with st.spinner("Asking the judge" if controls.offer.host else "Checking", show_time=True):
            guarded = cached.guard(*texts, controls.spec, controls.threshold)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    if State.FAILED in (guarded.before.result.state, guarded.after.result.state):
        cached.guard.clear(*texts, controls.spec, controls.threshold)  # the next press asks again
    _draw(controls, pasted, sample, guarded)


def _draw(controls: Controls, pasted: Pasted, sample: Sample, guarded: GuardedAnswer) -> None:
    before, after = guarded.before.result, guarded.after.result
    st.markdown(words.sent_finding(before, after, passed=guarded.passed, changed=guarded.changed))
    if controls.spec is not None:
        caution_line(controls.spec, before=NOT_CORRECT)
    given = Version(title=_GIVEN, note=words.score_note(before), answer=sample.answer, result=before)
    sent = Version(title=_SENT, note=words.score_note(after), answer=guarded.answer, result=after)
    before_after(given, sent if guarded.changed else None, key="guard.versions")
    list_edits(guarded, sample)
    _claims(sample, guarded)
    rows = [Row(name=_GIVEN, sample=sample, result=before)]
    if guarded.changed:
        rows.append(Row(name=_SENT, sample=replace(sample, answer=guarded.answer), result=after))
    with st.container(horizontal=True, vertical_alignment="center"):
        save_rows(rows, controls, name="Guarded answer")
        copy_call(
            guard_call(pasted, controls),
            {
                "JSON": json.dumps(GuardedDocument.of(guarded.after, guarded).to_dict(), ensure_ascii=False, indent=2),
                "HTML": guarded.before.highlighted,
            },
        )
        st.caption(_judged_by(controls, guarded))


def _claims(sample: Sample, guarded: GuardedAnswer) -> None:
    """Draw the claims of one version beside the chunks."""
    with st.expander("Claims and chunks", icon=":material/fact_check:", expanded=not guarded.changed):
        version = _GIVEN
        if guarded.changed:
            version = st.segmented_control(
                "Version",
                [_GIVEN, _SENT],
                default=_GIVEN,
                required=True,
                key="guard.version",
                label_visibility="collapsed",
            )
        is_given = version == _GIVEN
        result = guarded.before.result if is_given else guarded.after.result
        shown = sample if is_given else replace(sample, answer=guarded.answer)
        chosen = answer_view(shown, result, key=f"guard.claims.{version}", claim=address.selected_claim(), height=480)
        address.select_claim(chosen)
        judge_notes(result)


def _judged_by(controls: Controls, guarded: GuardedAnswer) -> str:
    where = "on this machine" if controls.offer.host is None else f"at {fmt.literal(controls.offer.host)}"
    took = cost_line(guarded.usage)
    judge = fmt.literal(guarded.before.result.judge)
    return f"Judged by {judge}, {where}{', ' if took else ''}{took}."


def _is_asked(pasted: Pasted, controls: Controls) -> bool:
    question = controls.hash_of(pasted)
    if pasted.is_sent:
        session.GUARD_REQUEST.set(question)
    return session.GUARD_REQUEST.get() == question
