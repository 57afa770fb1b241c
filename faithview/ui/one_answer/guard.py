"""What would be sent instead of an answer, and why: both versions side by side, and the claims of either."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from faithview.documents.guard import GuardedDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.guard.correction import Edit
from faithview.services.guard.guard import GuardedAnswer
from faithview.services.judge_catalogue import JudgeOffer, list_offers
from faithview.services.runs.create import RunRequest, save_judged
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.ui.address import CLAIM, go
from faithview.ui.differences import diff_html, draw_text
from faithview.ui.one_answer.paste_form import Pasted, choose_example, paste_form
from faithview.ui.reader import payload
from faithview.ui.reader.reader import reader
from faithview.ui.widgets.judge_choice import choose_judge, where_both_go
from faithview.ui.widgets.judge_notes import cost_line, judge_notes
from faithview.wording import guard as words
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import FAITHFUL_FROM
from faithview.wording.findings import NOT_CORRECT

# Versions of an answer with the verdicts on each, by their titles.
Versions = dict[str, tuple[Sample, Result]]

_GIVEN, _SENT = "Given", "Corrected"
_MOST_EDITS = 20
_MOST_QUOTED = 160  # characters
_THRESHOLD_HELP = (
    f"An answer passes if it is faithful or makes no claims. {FAITHFUL_FROM} An answer that failed never passes."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """How answers are guarded on this page.

    `spec` is None if the judge is not usable, which the page explains. `generator` is the model to ask for an answer
    ("openai:MODEL") and `generator_host` where it is; both are None if the pasted answer is guarded, and `generator`
    is None too where none is chosen. `why_not` says why nothing can be guarded with these settings; "" if it can.
    """

    offer: JudgeOffer
    spec: JudgeSpec | None
    threshold: float
    is_generated: bool
    generator: str | None = None
    generator_host: str | None = None
    max_retries: int = 0
    why_not: str = ""

    def hash_of(self, pasted: Pasted) -> int:
        """Return a hash of all that is asked: the texts, the judge, and the model where one is asked."""
        judge = () if self.spec is None else (self.spec.name, self.spec.method, *self.spec.options.items())
        texts = (pasted.question, pasted.answer, pasted.chunks)
        return hash((texts, judge, self.threshold, self.generator, self.max_retries))

    def in_python(self) -> str:
        """Return the arguments of the judge as Python."""
        arguments: dict[str, object] = {"threshold": self.threshold}
        if self.spec is not None:
            arguments["judge"] = self.spec.name
            if self.offer.has_methods:
                arguments["method"] = self.spec.method
            if self.spec.options:
                arguments["options"] = dict(self.spec.options)
        return ", ".join(f"{name}={value!r}" for name, value in arguments.items())


def choose_controls(*, is_generated: bool) -> Controls:
    """Draw the part above the form: examples, the judge with the threshold, and the model to ask."""
    choose_example()
    choice = choose_judge("guard", has_companions=False, beside=_choose_threshold, says_where=not is_generated)
    controls = Controls(
        offer=choice.offer,
        spec=choice.spec,
        threshold=session.widget_number("guard.threshold", DEFAULT_THRESHOLD),
        is_generated=is_generated,
        why_not=choice.why_not,
    )
    return _choose_generator(controls) if is_generated else controls


def _choose_threshold() -> None:
    st.number_input(
        "Faithful from", 0.0, 1.0, DEFAULT_THRESHOLD, 0.05, key="guard.threshold", width=140, help=_THRESHOLD_HELP
    )


def _choose_generator(controls: Controls) -> Controls:
    """Draw the choice of the model that answers; return the controls with it."""
    offers = {offer.name: offer for offer in list_offers() if offer.has_methods}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        offer = offers[st.selectbox("Model of", list(offers), key="guard.vendor", width=150)]
        model = st.selectbox(
            "Model that answers",
            list(offer.models),
            index=None,
            key=f"guard.model_to_ask.{offer.name}",
            accept_new_options=True,
            placeholder="Choose one, or type its name",
            width=240,
        )
        retries = st.number_input("Retries", 0, 5, 2, 1, key="guard.retries", width=130)
    st.caption(where_both_go(controls.offer, offer))
    name, why_not = (model or "").strip(), controls.why_not
    if offer.missing is not None:
        why_not = why_not or f"The answering model is not set up. {offer.missing}"
    elif not name:
        why_not = why_not or "First choose the model that answers."
    return replace(
        controls,
        generator=f"{offer.name}:{name}" if name and offer.missing is None else None,
        generator_host=offer.host,
        max_retries=int(retries),
        why_not=why_not,
    )


def paste(controls: Controls) -> Pasted:
    """Draw the form, without an answer where one is generated."""
    if controls.is_generated:
        action, icon = "Generate and check", ":material/auto_awesome:"
        return paste_form(action, icon=icon, has_answer=False, why_not=controls.why_not)
    return paste_form("Correct the answer", icon=":material/shield:", why_not=controls.why_not)


def show_guarded(controls: Controls, spec: JudgeSpec, pasted: Pasted) -> None:
    """Guard what was pasted; draw the finding, both versions, what was changed, and the claims with their chunks.

    A model is asked only after the button was pressed for exactly this text and judge.
    """
    texts = (pasted.question, pasted.answer, pasted.chunks)
    question = controls.hash_of(pasted)
    if pasted.is_sent:
        session.GUARD_REQUEST.set(question)
    if controls.offer.host is not None or controls.offer.runs_model:
        if session.GUARD_REQUEST.get() != question:
            st.markdown(":gray[Press *Correct the answer*.]")
            return
        if not service_calls.allow(identity.why_cannot_run()):
            return
    try:
        sample = service_calls.pasted_sample(*texts)
        with st.spinner("Asking the judge" if controls.offer.host else "Checking", show_time=True):
            guarded = service_calls.guard(*texts, spec, controls.threshold)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    before, after = guarded.before.result, guarded.after.result
    if State.FAILED in (before.state, after.state):
        service_calls.guard.clear(*texts, spec, controls.threshold)  # the next press asks again
    st.markdown(words.sent_finding(before, after, passed=guarded.passed, changed=guarded.changed))
    st.caption(NOT_CORRECT)
    versions = {_GIVEN: (sample, before)}
    html = [guarded.before.highlighted]
    if guarded.changed:
        versions[_SENT] = (replace(sample, answer=guarded.answer), after)
        html.append(diff_html(sample.answer, guarded.answer))
    show_versions(versions, html)
    _list_edits(guarded, sample)
    shown: str | None = _GIVEN
    if guarded.changed:
        shown = st.segmented_control(
            "Claims of",
            list(versions),
            default=_GIVEN,
            required=True,
            key="guard.version",
            label_visibility="collapsed",
        )
    show_claims(*versions[str(shown)], key=f"guard.claims.{shown}")
    with st.container(horizontal=True, vertical_alignment="center"):
        save_versions(versions, controls, spec, name="Guarded answer")
        document = GuardedDocument.of(guarded.after, guarded).to_dict()
        copies = {"JSON": json.dumps(document, ensure_ascii=False, indent=2), "HTML": guarded.before.highlighted}
        copy_call(copies | {"Python": guard_call(pasted, controls)})
        where = "on this machine" if controls.offer.host is None else f"at {fmt.literal(controls.offer.host)}"
        took = cost_line(guarded.usage)
        st.caption(f"Judged by {fmt.literal(before.judge)}, {where}{', ' if took else ''}{took}.")


def show_versions(versions: Versions, html: Sequence[str]) -> None:
    """Draw versions of an answer side by side, each with its score; `html` are their texts with marks."""
    for column, (title, (_, result)), text in zip(st.columns(len(versions)), versions.items(), html, strict=True):
        with column:
            st.markdown(f"**{title}** &nbsp; :small[:gray[{words.score_note(result)}]]")
            draw_text(text)


def show_claims(sample: Sample, result: Result, *, key: str) -> None:
    """Draw an answer with its claims next to its chunks."""
    reader(
        payload.answer(sample, result),
        key=key,
        on_choice=lambda choice: go(claim=None if choice.claim is None else str(choice.claim)),
        claim=CLAIM.get(),
        row=key,
        height="28rem",
    )
    judge_notes(result)


def _list_edits(guarded: GuardedAnswer, sample: Sample) -> None:
    """Draw a line for each edit of the answer, then the guard's notes."""
    lines = [f"- {edit_line(edit, sample.answer)}" for edit in guarded.edits[:_MOST_EDITS]]
    if len(guarded.edits) > _MOST_EDITS:
        lines.append(f"- {fmt.count(len(guarded.edits) - _MOST_EDITS)} more")
    if lines:
        st.markdown("\n".join(lines))
    for note in guarded.notes:
        st.caption(f":material/info: {fmt.literal(note)}")


def edit_line(edit: Edit, answer: str) -> str:
    """Return what one edit did and why, in Markdown; an announcement that is removed is about no claim."""
    claims = words.claims_words(edit.claim_numbers) if edit.claim_numbers else ""
    old, new = _quoted(answer[edit.start : edit.end]), _quoted(edit.replacement)
    what = f"{old} became {new}" if new else f"{old} was removed"
    prefix = f"**{claims[:1].upper()}{claims[1:]}:** " if claims else ""
    return f"{prefix}{what}. {fmt.literal(edit.reason)}".rstrip()


def _quoted(text: str) -> str:
    """Return a text in quotation marks on one line, cut if it is long; "" for whitespace alone."""
    line = " ".join(text.split())
    if not line:
        return ""
    return f"“{fmt.literal(line if len(line) <= _MOST_QUOTED else line[: _MOST_QUOTED - 1] + '…')}”"


def save_versions(
    versions: dict[str, tuple[Sample, Result]], controls: Controls, spec: JudgeSpec, *, name: str
) -> None:
    """Draw the button that saves the versions as one run, each under its title, and opens it."""
    is_pressed = st.button("Save as a run", icon=":material/save:", key="guard.save")
    if not is_pressed or not service_calls.allow(identity.why_cannot_run()):
        return
    judged = [(replace(sample, key=title.lower()), result) for title, (sample, result) in versions.items()]
    request = RunRequest(
        name=name, judge=spec, threshold=controls.threshold, source="guard page", series=CHECKED_ANSWERS
    )
    try:
        run = save_judged(opened_store.store(), judged, request)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.switch_page(navigation.ANSWERS, query_params=address.link(run.run_id))


def copy_call(copies: dict[str, str]) -> None:
    """Draw what can be copied, by its language: "JSON", "HTML", "Python"."""
    with st.popover("Copy", icon=":material/content_copy:"):
        for tab, (language, text) in zip(st.tabs(list(copies)), copies.items(), strict=True):
            tab.code(text, language=language.lower(), height=320, wrap_lines=language != "Python")


def guard_call(pasted: Pasted, controls: Controls) -> str:
    """Return the Python that guards the same answer in the same way."""
    return (
        "from faithview import FaithfulnessGuard\n\n"
        f"with FaithfulnessGuard({controls.in_python()}) as guard:\n"
        "    guarded = guard.guard_and_correct(\n"
        f"        question={pasted.question or None!r},\n"
        f"        answer={pasted.answer!r},\n"
        f"        context={list(pasted.chunks)!r},\n"
        "    )\n"
        "print(guarded.passed, guarded.answer)\n"
    )
