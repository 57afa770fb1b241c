"""What would be sent instead of an answer, and why: the request, both versions side by side, and saving them."""

import hashlib
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

import streamlit as st

from faithview.documents.guard import GuardedDocument
from faithview.domain.claim import Claim, Verdict
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
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.one_answer.paste_form import Pasted, choose_example, paste_form
from faithview.ui.widgets.answer_view import answer_view
from faithview.ui.widgets.judge_choice import caution_line, choose_judge, where_both_go
from faithview.ui.widgets.judge_notes import cost_line, judge_notes
from faithview.wording import guard as words
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import FAITHFUL_FROM
from faithview.wording.findings import NOT_CORRECT
from faithview.wording.verdict_styles import STYLES, claim_verdict_words, style_name
from faithview.wording.word_diff import changed_ranges


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

    def is_ready(self, pasted: Pasted) -> bool:
        """Return whether there is enough to begin with: an answer, or a question and a model to ask."""
        if self.spec is None:
            return False
        if self.is_generated:
            return self.generator is not None and bool(pasted.question.strip())
        return bool(pasted.answer.strip())

    def hash_of(self, pasted: Pasted) -> int:
        """Return a hash of all that is asked: the texts, the judge, and the model where one is asked."""
        judge = () if self.spec is None else (self.spec.name, self.spec.method, *self.spec.options.items())
        texts = (pasted.question, pasted.answer, pasted.chunks)
        return hash((texts, judge, self.threshold, self.generator, self.max_retries))


def choose_controls(*, is_generated: bool) -> Controls:
    """Draw the part above the form: examples, the judge with the threshold, and the model to ask."""
    choose_example()
    choice = choose_judge("guard", has_companions=False, beside=_choose_threshold, says_where=not is_generated)
    generator = _choose_generator() if is_generated else _Generator()
    if generator.offer is not None:
        st.caption(where_both_go(choice.offer, generator.offer))
    return Controls(
        offer=choice.offer,
        spec=choice.spec,
        threshold=session.widget_number("guard.threshold", DEFAULT_THRESHOLD),
        is_generated=is_generated,
        generator=generator.name,
        generator_host=generator.offer.host if generator.offer else None,
        max_retries=generator.max_retries,
        why_not=choice.why_not or generator.why_not,
    )


def _choose_threshold() -> None:
    st.number_input(
        "Faithful from",
        min_value=0.0,
        max_value=1.0,
        value=DEFAULT_THRESHOLD,
        step=0.05,
        key="guard.threshold",
        width=140,
        help=_THRESHOLD_HELP,
    )


def paste(controls: Controls) -> Pasted:
    """Draw the form, without an answer where one is generated."""
    if controls.is_generated:
        action, icon = "Generate and check", ":material/auto_awesome:"
        return paste_form(action, icon=icon, has_answer=False, why_not=controls.why_not)
    return paste_form("Correct the answer", icon=":material/shield:", why_not=controls.why_not)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Generator:
    """The model to ask for an answer; `name` is None if there is none to ask, and `why_not` then says why."""

    name: str | None = None
    offer: JudgeOffer | None = None
    max_retries: int = 0
    why_not: str = ""


def _choose_generator() -> _Generator:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return _generator_fields()


def _generator_fields() -> _Generator:
    offers = {offer.name: offer for offer in list_offers() if offer.has_methods}
    name = st.selectbox("Model of", list(offers), key="guard.vendor", width=150, help=_GENERATOR_HELP)
    offer = offers[name]
    model = st.selectbox(
        "Model that answers",
        list(offer.models),
        index=None,
        key=f"guard.model_to_ask.{offer.name}",
        accept_new_options=True,
        placeholder="Choose one, or type its name",
        width=240,
    )
    retries = st.number_input(
        "Retries", min_value=0, max_value=5, value=2, step=1, key="guard.retries", width=130, help=_RETRIES_HELP
    )
    if offer.missing is not None:
        return _Generator(offer=offer, why_not=f"The answering model is not set up. {offer.missing}")
    if not (model or "").strip():
        return _Generator(offer=offer, why_not="First choose the model that answers.")
    return _Generator(name=f"{offer.name}:{(model or '').strip()}", offer=offer, max_retries=int(retries))


_THRESHOLD_HELP = (
    f"An answer passes if it is faithful, or states nothing. {FAITHFUL_FROM} Answers that cannot be judged never pass."
)
_GENERATOR_HELP = "The vendor whose model answers the question. The judge above checks what it says."
_RETRIES_HELP = "Maximum retries. Each retry lists the unsupported claims. The best attempt is kept."


_mount = st.components.v2.component(
    "faithview.before_after",
    css=read_styles("reading", "before_after"),
    js=read_script("before_after"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of an answer: its text, the verdicts on it (None if it was not judged), and the words above it."""

    title: str
    note: str
    answer: str
    result: Result | None


class PartPayload(TypedDict):
    """A stretch of text; `change` is "", "removed" or "added".

    `verdict` is the style of the worst problem there, "" for none; `numbers` are the claims whose problem begins here,
    and `words` the problems for screen readers.
    """

    text: str
    change: str
    verdict: str
    numbers: list[int]
    words: str


class SidePayload(TypedDict):
    """One version as it is drawn."""

    title: str
    note: str
    parts: list[PartPayload]


def before_after(before: Version, after: Version | None, *, key: str) -> None:
    """Draw an answer and what became of it; without `after`, the answer alone over the whole width."""
    sides = build_sides(before, after)
    digest = hashlib.blake2b(json.dumps(sides).encode(), digest_size=12).hexdigest()
    _mount(key=key, height="content", data={"subject": digest, "styles": browser_styles(), "sides": sides})


def build_sides(before: Version, after: Version | None) -> list[SidePayload]:
    """Return what is drawn of both versions; the parts of each join to its text."""
    if after is None:
        return [_version_payload(before, "removed", [])]
    removed, added = changed_ranges(before.answer, after.answer)
    return [_version_payload(before, "removed", removed), _version_payload(after, "added", added)]


def _version_payload(version: Version, change: str, changed: Sequence[tuple[int, int]]) -> SidePayload:
    result = version.result
    judged = () if result is None else zip(result.claims, result.certainties, strict=True)
    problems = [
        _Problem(number, claim, style_name(claim.verdict, certainty), claim_verdict_words(claim.verdict, certainty))
        for number, (claim, certainty) in enumerate(judged, start=1)
        if claim.verdict is not Verdict.SUPPORTED or certainty.is_near_cut
    ]
    return {
        "title": version.title,
        "note": version.note,
        "parts": _marked_parts(version.answer, problems, change, changed),
    }


class _Problem(NamedTuple):
    """A claim that is not fully supported, or that should be checked, with its style and its verdict in words."""

    number: int
    claim: Claim
    style: str
    words: str


def _marked_parts(
    text: str, problems: Sequence[_Problem], change: str, changed: Sequence[tuple[int, int]]
) -> list[PartPayload]:
    spans = [(span.start, span.end, problem) for problem in problems for span in problem.claim.spans]
    ends = (at for start, end, _ in spans for at in (start, end))
    cuts = sorted({0, len(text), *ends, *(at for pair in changed for at in pair)})
    parts: list[PartPayload] = []
    for start, end in itertools.pairwise(cuts):
        here = [(first, problem) for first, last, problem in spans if first <= start and end <= last]
        parts.append(
            {
                "text": text[start:end],
                "change": change if any(first <= start and end <= last for first, last in changed) else "",
                "verdict": next((name for name in STYLES if any(problem.style == name for _, problem in here)), ""),
                "numbers": [problem.number for first, problem in here if first == start],
                "words": "; ".join(f"claim {problem.number}, {problem.words}" for _, problem in here),
            }
        )
    return parts


_MOST_SHOWN = 20


def list_edits(guarded: GuardedAnswer, sample: Sample) -> None:
    """Draw a line for each edit of the answer, then the guard's notes."""
    lines = [f"- {edit_line(edit, sample.answer)}" for edit in guarded.edits[:_MOST_SHOWN]]
    if len(guarded.edits) > _MOST_SHOWN:
        lines.append(f"- {fmt.count(len(guarded.edits) - _MOST_SHOWN)} more")
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


def _quoted(text: str, *, most: int = 160) -> str:
    """Return a text in quotation marks on one line, cut if it is long; "" for whitespace alone."""
    line = " ".join(text.split())
    if not line:
        return ""
    return f"“{fmt.literal(line if len(line) <= most else line[: most - 1] + '…')}”"


_SOURCE = "guard page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One version of the answer as a row of a run; its name is the row's key."""

    name: str
    sample: Sample
    result: Result


def save_rows(rows: Sequence[Row], controls: Controls, *, name: str) -> None:
    """Draw the choice of versions and the button that saves them as one run, then opens it."""
    with st.popover("Save as a run", icon=":material/save:"):
        names = [row.name for row in rows]
        chosen = st.pills("What to save", names, selection_mode="multi", default=names, key="guard.save.rows")
        is_pressed = st.button("Save", type="primary", key="guard.save", disabled=not chosen)
        if not is_pressed or controls.spec is None or not service_calls.allow(identity.why_cannot_run()):
            return
        judged = [(replace(row.sample, key=row.name.lower()), row.result) for row in rows if row.name in chosen]
        request = RunRequest(
            name=name, judge=controls.spec, threshold=controls.threshold, source=_SOURCE, series=CHECKED_ANSWERS
        )
        try:
            run = save_judged(opened_store.store(), judged, request)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
    st.switch_page(navigation.ANSWERS, query_params=address.link(run.run_id))


def copy_call(code: str, documents: dict[str, str]) -> None:
    """Draw what can be copied: documents by the name of their tab, then the Python that does the same.

    The languages of the documents follow from their names: "HTML" and "JSON".
    """
    with st.popover("Copy", icon=":material/content_copy:"):
        *tabs, as_python = st.tabs([*documents, "Python"])
        for tab, (kind, text) in zip(tabs, documents.items(), strict=True):
            tab.code(text, language=kind.lower(), height=320, wrap_lines=True)
        as_python.code(code, language="python", height=320)


def guard_call(pasted: Pasted, controls: Controls) -> str:
    """Return the Python that guards the same answer in the same way."""
    return (
        "from faithview import FaithfulnessGuard\n\n"
        f"with FaithfulnessGuard({_judge_arguments(controls)}) as guard:\n"
        "    guarded = guard.guard_and_correct(\n"
        f"        question={pasted.question or None!r},\n"
        f"        answer={pasted.answer!r},\n"
        f"        context={list(pasted.chunks)!r},\n"
        "    )\n"
        "print(guarded.passed, guarded.answer)\n"
    )


def generation_call(pasted: Pasted, controls: Controls) -> str:
    """Return the Python that generates the same answer in the same way."""
    return (
        "from faithview import generate_with_validation\n\n"
        "generation = generate_with_validation(\n"
        f"    question={pasted.question!r},\n"
        f"    context={list(pasted.chunks)!r},\n"
        f"    generator={controls.generator!r},\n"
        f"    max_retries={controls.max_retries},\n"
        f"    {_judge_arguments(controls)},\n"
        ")\n"
        "print(generation.validated, generation.answer)\n"
    )


def _judge_arguments(controls: Controls) -> str:
    spec = controls.spec
    arguments: dict[str, object] = {"threshold": controls.threshold}
    if spec is not None:
        arguments = {"judge": spec.name, **arguments}
        if controls.offer.has_methods:
            arguments["method"] = spec.method
        if spec.options:
            arguments["options"] = dict(spec.options)
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())


_GIVEN = "Given"
_SENT = "Corrected"


def nothing_to_guard(controls: Controls) -> None:
    """Explain what this side will show."""
    if controls.is_generated:
        text = (
            "Ask a question, paste the chunks, and choose the model that answers. Each attempt appears here with the "
            "verdicts on it; before each retry the model is told which claims were unsupported."
        )
    else:
        text = (
            "The text to send appears here: your answer, a corrected answer, or nothing if it is blocked. Paste an "
            "answer with its chunks, or load an example."
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
        st.markdown(":gray[Press *Correct the answer*.]")
        return
    if has_model and not service_calls.allow(identity.why_cannot_run()):
        return
    try:
        sample = service_calls.pasted_sample(*texts)
        with st.spinner("Asking the judge" if controls.offer.host else "Checking", show_time=True):
            guarded = service_calls.guard(*texts, controls.spec, controls.threshold)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    if State.FAILED in (guarded.before.result.state, guarded.after.result.state):
        service_calls.guard.clear(*texts, controls.spec, controls.threshold)  # the next press asks again
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
