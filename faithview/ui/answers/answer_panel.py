"""The part below an answer on Answers: who labelled the claim, notes, history, claims that the judge missed.

The answer itself, its claims and the buttons that label them are in the reader.
"""

from functools import partial

import streamlit as st

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import FaithViewError
from faithview.domain.label import Label, LabelKind, LabelRole, VerdictSource, effective_verdict, standing_labels
from faithview.domain.result import State
from faithview.services.given_labels import GivenByPeople, Mark, given_label_of
from faithview.services.results import get_run
from faithview.services.review import labels
from faithview.services.review.labels import UNDO, LabelProvenance
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.labels import coloured_judged, label_words
from faithview.ui.reader.reader import Choice
from faithview.ui.widgets.notes import claim_notes
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import VERDICTS, verdict_word

WRITE_PLACE = "labels"
_NOTE, _CORRECTED = "labels.note", "labels.corrected"
_SOURCE_WORDS = {
    VerdictSource.JUDGE: "not labelled yet",
    VerdictSource.REVIEWERS: "reviewed",
    VerdictSource.ADJUDICATED: "adjudicated",
    VerdictSource.DISAGREEMENT: "reviewers disagree, so the judge's verdict counts",
}
_GIVEN_HELP = "Labels that came with the data set. They do not affect any score in this run."


def store_label(detail: AnswerDetail, choice: Choice) -> None:
    """Store the label that a person chose in the reader, with the texts in its fields, or take theirs back.

    If it cannot be stored, a message below the answer says why.
    """
    reviewer = identity.current_reviewer()
    number = choice.claim or 0
    fields = [f"{name}.{detail.run_id}.{detail.position}.{number}" for name in (_NOTE, _CORRECTED)]
    note, corrected = (session.widget_text(field) for field in fields)
    provenance = LabelProvenance(reviewer=reviewer or "", note=note, corrected_text=corrected)
    store = opened_store.store()
    action = partial(
        labels.choose_label, store, detail.run_id, detail.position, number, choice.verdict or UNDO, provenance
    )
    is_done = service_calls.write(action, place=WRITE_PLACE, refusal=identity.why_cannot_label(reviewer))
    if is_done and choice.verdict != UNDO:
        for field in fields:
            session.set_widget(field, "")


def below_the_answer(detail: AnswerDetail, history: list[Label], number: int | None) -> None:
    """Draw the reviewers' labels of the chosen claim, the fields that go with the next label, and the notes."""
    service_calls.show_message(WRITE_PLACE)
    judged = len(detail.result.claims)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if number is not None and number <= judged:
            on_claim = [label for label in history if label.claim_number == number]
            st.markdown(_people(detail, number, on_claim), width="content")
            if on_claim and st.button(
                f"History ({len(on_claim)})", type="tertiary", icon=":material/history:", key="labels.history"
            ):
                show_history(detail, number, on_claim)
            place = ClaimRef(run_id=detail.run_id, row=detail.position, claim_number=number)
            claim_notes(place, key=f"inspect.{detail.run_id}.{detail.position}.{number}")
        if detail.result.state is not State.PENDING and st.button(
            "Add a claim", type="tertiary", icon=":material/add_comment:", key="missed.open", help=_MISSED_HELP
        ):
            session.forget_widgets(*_MISSED)
            add_claim(detail)
    if identity.ask_reviewer() is not None and number is not None and number <= judged:
        place_name = f"{detail.run_id}.{detail.position}.{number}"
        with st.container(horizontal=True):
            st.text_input(
                "Note",
                key=f"{_NOTE}.{place_name}",
                placeholder="Note for your next label",
                label_visibility="collapsed",
                width=330,
            )
            st.text_input(
                "Corrected text",
                key=f"{_CORRECTED}.{place_name}",
                placeholder="What the claim should say",
                label_visibility="collapsed",
                width=330,
            )


def _people(detail: AnswerDetail, number: int, on_claim: list[Label]) -> str:
    """Return in Markdown whose verdict on the claim counts."""
    effective = effective_verdict(detail.result.claims[number - 1].verdict, on_claim)
    words = _SOURCE_WORDS[effective.source]
    if effective.source is VerdictSource.REVIEWERS:
        words += f" by {fmt.plural(effective.reviewers, 'reviewer')}"
    elsewhere = {label.given_on.run_id: None for label in standing_labels(on_claim) if label.given_on is not None}
    if elsewhere:
        names = [get_run(opened_store.store(), run_id).name for run_id in elsewhere]
        words += f", labelled in {fmt.listed([f'*{fmt.literal(name)}*' for name in names])}"
    return f"Claim {number}: :small[:gray[{words}]]"


@st.dialog("History of the claim", width="large")
def show_history(detail: AnswerDetail, number: int, on_claim: list[Label]) -> None:
    """Draw all labels of a claim, oldest first; none is ever deleted."""
    claim, certainty = detail.result.claims[number - 1], detail.result.certainties[number - 1]
    st.text(claim.text)
    st.markdown(f"**Judge** &nbsp; {coloured_judged(claim.verdict, certainty)}")
    standing = {label.label_id for label in standing_labels(on_claim)}
    for label in on_claim:
        st.markdown(
            f"**{fmt.literal(label.reviewer)}** &nbsp; {label_words(label)} &nbsp; :small[:gray[{_manner(label)}]]"
        )
        for text in (label.note, label.corrected_text and f"It should say: {label.corrected_text}"):
            if text:
                st.text(text)
        if label.label_id not in standing and label.kind is not LabelKind.RETRACTION:
            st.caption("no longer counts")


def _manner(label: Label) -> str:
    parts = [fmt.day_and_time(label.at)]
    if label.retracts is None:
        parts.append("blind" if label.is_blind else "judge's verdict seen")
    if label.role is LabelRole.ADJUDICATOR:
        parts.append("adjudicated")
    if label.spot_check_id is not None:
        parts.append("in a spot-check")
    if label.given_on is not None:
        parts.append("given on an equal claim of another answer")
    return " · ".join(parts)


# ---- what came with the data set


def given_marks(detail: AnswerDetail) -> list[tuple[int, int, str, str]]:
    """Return the marks of the data set's annotators in the answer: start, end, verdict, comment."""
    given = given_label_of(detail.sample)
    marks = (given.marks if given else None) or ()
    return [(mark.start, mark.end, str(mark.verdict), _said(mark)) for mark in marks]


def given_labels(detail: AnswerDetail) -> None:
    """Draw what the data set says of the answer; nothing if it says nothing."""
    given = given_label_of(detail.sample)
    if given is None:
        return
    if not given.marks:
        st.caption(whole_line(given), help=_GIVEN_HELP)
        return
    with st.expander(whole_line(given)):
        st.caption(_GIVEN_HELP)
        for mark in given.marks:
            with st.container(gap=None):
                st.caption(mark_line(mark, detail))
                st.text(detail.sample.answer[mark.start : mark.end])


def _said(mark: Mark) -> str:
    words = f"marked {VERDICTS[mark.verdict].word}"
    return f"{words}: {mark.note}" if mark.note else words


def whole_line(given: GivenByPeople) -> str:
    """Return in Markdown what the data set says of the answer as a whole."""
    who = fmt.literal(given.by)
    if given.is_faithful is None:
        return f"{who}: the label of this answer cannot be read: {fmt.literal(given.problem)}."
    said = "faithful" if given.is_faithful else "not faithful"
    marked = "" if given.marks is None else f", {fmt.plural(len(given.marks), 'mark')}"
    return f"{who}: labelled **{said}**{marked}"


def mark_line(mark: Mark, detail: AnswerDetail) -> str:
    """Return in Markdown what an annotator marked, and what the judge says about the same words."""
    claims = detail.result.claims
    judged = [
        f"claim {number}: {VERDICTS[claims[number - 1].verdict].word} by the judge" for number in mark.claims(claims)
    ]
    parts = [
        f"marked **{VERDICTS[mark.verdict].word}**",
        *([fmt.literal(mark.note)] if mark.note else []),
        *(judged or ["not part of any claim that the judge found"]),
    ]
    return " · ".join(parts)


# ---- a claim that the judge missed

_LONG, _ANSWER_HEIGHT = 600, 200  # characters, pixels
_MISSED = tuple(f"missed.{name}" for name in ("quote", "verdict", "note", "words", "which"))
_QUOTE, _VERDICT, _MISSED_NOTE, _MISSED_WORDS, _WHICH = _MISSED
_MISSED_HELP = "Adds a statement that the judge missed. It counts in the reviewed score, not in the judge's."


@st.dialog("A claim that the judge missed", width="medium")
def add_claim(detail: AnswerDetail) -> None:
    """Draw the form; it stays open while what is given cannot be stored."""
    name = identity.ask_reviewer(place=".missed")
    if name is None:
        return
    answer = detail.sample.answer
    with st.container(height=_ANSWER_HEIGHT if len(answer) > _LONG else "content", border=True):
        st.text(answer)
    quote = st.text_area(
        "Words of the answer, copied from above", key=_QUOTE, height=70, placeholder="Word for word"
    ).strip()
    places = answer.count(quote) if quote else 0
    which = 1
    if places > 1:
        which = st.number_input(f"It occurs {places} times; which occurrence?", 1, places, value=1, key=_WHICH)
    if quote and not places:
        st.warning("The answer does not contain exactly these words.", icon=":material/info:")
    verdict = st.segmented_control(
        "What do the chunks say about it?",
        list(Verdict),
        format_func=lambda v: verdict_word(v).capitalize(),
        key=_VERDICT,
    )
    st.text_input("The claim, as a self-contained sentence", key=_MISSED_WORDS)
    st.text_input("Note", key=_MISSED_NOTE)
    if not st.button("Save", type="primary", key="missed.store", disabled=not places or verdict is None):
        return
    if verdict is None or not service_calls.allow(identity.why_cannot_label(name)):
        return
    provenance = LabelProvenance(
        reviewer=name, note=session.widget_text(_MISSED_NOTE), corrected_text=session.widget_text(_MISSED_WORDS)
    )
    try:
        labels.label_missed_quote(
            opened_store.store(),
            detail.run_id,
            detail.position,
            quote,
            occurrence=int(which) - 1,
            verdict=verdict.value,
            provenance=provenance,
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    st.rerun()
