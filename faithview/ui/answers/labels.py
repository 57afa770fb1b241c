"""Labelling on Answers: the verdict that counts, five buttons and keys, undo, the history, and missed claims."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import FaithViewError
from faithview.domain.label import Label, LabelRole, VerdictSource, counts_as_blind
from faithview.domain.scoring import ReviewedAnswer
from faithview.services.review import disagreements, labels
from faithview.services.review.disagreements import LabelledClaim
from faithview.services.review.key_presses import UNDO, KeyPress, do_marked, find_place, mark_claim, mark_found_claim
from faithview.services.review.labels import LabelProvenance
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.widgets.label_bar import (
    CHOICES,
    KEY_CHOICES,
    Keyboard,
    answer_first_press,
    answer_presses,
    choice_of,
    coloured,
    coloured_judged,
    label_as,
    label_buttons,
    label_keys,
    label_without_name,
    label_words,
    press_log,
    shared_words,
    voice_words,
)
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import verdict_word

WRITE_PLACE = "labels"
AREA = "labels_bar"  # the container of the buttons and fields, which belong to one claim
_NOTE, _CORRECTED = "labels.note", "labels.corrected"
_SOURCE_WORDS = {
    VerdictSource.JUDGE: "not labelled yet",
    VerdictSource.REVIEWERS: "reviewed",
    VerdictSource.ADJUDICATED: "adjudicated",
    VerdictSource.DISAGREEMENT: "reviewers disagree, so the judge's verdict counts",
}


def label_in_place(run_id: str, row: int, claim_number: int) -> None:
    """Draw the judge's and the reviewers' verdicts on a claim, and the buttons to label it."""
    claim = disagreements.get_labelled_claim(
        opened_store.store(), ClaimRef(run_id=run_id, row=row, claim_number=claim_number)
    )
    with st.container(key=AREA, gap="xsmall"):
        _claim_bar(claim)


def _claim_bar(claim: LabelledClaim) -> None:
    mark = mark_claim(claim.place.run_id, claim.place.row, claim.place.claim_number, claim.judged.text)
    name = identity.current_reviewer()
    own = next((label for label in reversed(claim.standing) if label.reviewer == name), None)
    after = claim.second_thought_of(name or "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(_sentence(claim), width="content")
        if claim.history and st.button(
            f"History ({len(claim.history)})", type="tertiary", icon=":material/history:", key="labels.history"
        ):
            history(claim)
        if after is not None or (own is not None and not counts_as_blind(own)):
            undo_button(mark, key=f"labels.{_key(claim)}")
    service_calls.show_message(WRITE_PLACE)
    if name is None:
        label_without_name(mark, label_as, place=WRITE_PLACE)
    elif identity.ask_reviewer() is not None:
        label_buttons(
            key=f"labels.give.{_key(claim)}",
            chosen=choice_of(after or own) if own else None,
            on_label=partial(_press, mark),
            beside=partial(words_fields, _key(claim)),
        )


def undo_button(mark: str, *, key: str) -> None:
    """Draw the button that takes the reviewer's own label of the marked claim back."""
    st.button(
        "Undo (U)",
        type="tertiary",
        icon=":material/undo:",
        key=f"{key}.{UNDO}",
        on_click=partial(_press, mark, UNDO),
    )


def words_fields(place: str) -> None:
    """Draw the fields for a note and a corrected text, which are stored with the next label."""
    with st.container(key="labels_note", width=230):
        st.text_input(
            "Note",
            key=f"{_NOTE}.{place}",
            placeholder="Note (N) for your next label",
            label_visibility="collapsed",
        )
    st.text_input(
        "Corrected text",
        key=f"{_CORRECTED}.{place}",
        placeholder="What the claim should say",
        label_visibility="collapsed",
        width=230,
    )


@st.dialog("History of the claim", width="large")
def history(claim: LabelledClaim) -> None:
    """Draw all labels of a claim, oldest first; none is ever deleted."""
    st.text(claim.judged.text)
    st.markdown(f"**Judge** &nbsp; {coloured_judged(claim.judged.verdict, claim.certainty)}")
    standing = {label.label_id for label in claim.standing}
    for label in claim.history:
        st.markdown(
            f"**{fmt.literal(label.reviewer)}** &nbsp; {label_words(label)} &nbsp; :small[:gray[{_manner(label)}]]"
        )
        for text in (label.note, label.corrected_text and f"It should say: {label.corrected_text}"):
            if text:
                st.text(text)
        if label in claim.second_thoughts:
            st.caption("stored with the blind label, which counts")
        elif label.label_id not in standing and label.retracts is None:
            st.caption("no longer counts")


def _sentence(claim: LabelledClaim) -> str:
    parts = [f"Claim {claim.place.claim_number}", f"judge {coloured_judged(claim.judged.verdict, claim.certainty)}"]
    source = claim.effective.source
    if source in (VerdictSource.REVIEWERS, VerdictSource.ADJUDICATED):
        parts.append(f"reviewers {coloured(claim.effective.verdict)}")
    for label in claim.second_thoughts:
        blind = next(other for other in claim.standing if other.reviewer == label.reviewer)
        parts.append(f"{fmt.literal(label.reviewer)} {voice_words(blind, label)}")
    words = _SOURCE_WORDS[source]
    if source is VerdictSource.REVIEWERS:
        words += f" by {fmt.plural(claim.effective.reviewers, 'reviewer')}"
    words += shared_words(claim.given_in)
    parts.append(f":small[:gray[{words}]]")
    return " &nbsp; ".join(parts)


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


def do_press(mark: str | None, action: str) -> None:
    """Label the claim of a mark with the texts in its fields, or take the label back; raises FaithViewError."""
    note, corrected = _read_words(mark) if action != UNDO else (None, None)
    provenance = LabelProvenance(reviewer=identity.current_reviewer() or "", note=note, corrected_text=corrected)
    do_marked(opened_store.store(), mark, action, provenance)


def clear_words(mark: str | None, action: str) -> None:
    """Empty the fields of a claim, now that their texts are stored."""
    if (place := _fields(mark)) is not None and action != UNDO:
        for field in (_NOTE, _CORRECTED):
            session.set_widget(f"{field}.{place}", "")


def _press(mark: str, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press."""
    refusal = identity.why_cannot_label(identity.current_reviewer())
    if service_calls.write(partial(do_press, mark, action), place=WRITE_PLACE, refusal=refusal):
        clear_words(mark, action)


def _read_words(mark: str | None) -> tuple[str | None, str | None]:
    place = _fields(mark)
    return session.widget_text(f"{_NOTE}.{place}"), session.widget_text(f"{_CORRECTED}.{place}")


def _fields(mark: str | None) -> str | None:
    place = find_place(mark)
    return None if place is None else f"{place.run_id}.{place.row}.{place.claim_number}"


def _key(claim: LabelledClaim) -> str:
    return f"{claim.place.run_id}.{claim.place.row}.{claim.place.claim_number}"


_KEY = "inspect.label_keys"
SELECT_FIRST = "no claim is selected yet; select one with ← → or a click"
_WORDS: Mapping[str, str] = MappingProxyType({**{choice: verdict_word(choice) for choice in CHOICES}, UNDO: "undo"})
_KEYBOARD = Keyboard(
    keys={**KEY_CHOICES, "u": UNDO},
    buttons={action: action for action in _WORDS},
    words=_WORDS,
    area=AREA,
)


def answer_keys() -> None:
    """Store what was pressed since the last run of the script; before the page reads anything."""
    name = identity.current_reviewer()
    answer_first_press()
    answer_presses(_KEY, _apply_key_press, refusal=_why_not(name), then=_clear)


def take_keys(mark: str | None, *, has_claims: bool = False, is_judged: bool = False) -> None:
    """Take the page's label keys.

    Without a marked claim there is no field for a name, so a key asks for a claim first. The component is drawn on
    every way through the page, because it also tells the browser what became of the keys before.

    Args:
        mark: the mark of the claim whose buttons are drawn, None for none.
        has_claims: whether the answer has claims.
        is_judged: whether the claim is one of the judge's.
    """
    name = identity.current_reviewer()
    if is_judged and identity.may_give_name():
        return  # the buttons have keys of their own
    refusal = None if mark is None and name is None else _why_not(name)
    unmarked = SELECT_FIRST if has_claims else "there are no claims to label here"
    label_keys(_KEYBOARD, key=_KEY, log=press_log(_KEY), mark=mark, waits=False, refusal=refusal, unmarked=unmarked)


def marks_of(detail: AnswerDetail, reviewed: ReviewedAnswer) -> Sequence[str]:
    """Return the marks of an answer's claims, the judge's first and then those that reviewers added."""
    run_id, row = detail.run_id, detail.position
    judged = [mark_claim(run_id, row, at, claim.text) for at, claim in enumerate(detail.result.claims, start=1)]
    return [*judged, *(mark_found_claim(run_id, row, label) for label in reviewed.missed)]


def _apply_key_press(press: KeyPress) -> None:
    do_press(press.mark, press.action)


def _clear(press: KeyPress) -> None:
    clear_words(press.mark, press.action)


def _why_not(name: str | None) -> str | None:
    return identity.why_no_name("below the answer") if name is None else identity.why_cannot_label(name)


_LONG, _ANSWER_HEIGHT = 600, 200  # characters, pixels
_QUOTE, _VERDICT, _MISSED_NOTE, _MISSED_WORDS, _WHICH = (
    f"missed.{name}" for name in ("quote", "verdict", "note", "words", "which")
)


def missed_claim(detail: AnswerDetail, label: Label, number: int) -> None:
    """Draw who found a claim, and let them take it back."""
    with st.container(key=AREA, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"Claim {number} &nbsp; added by a reviewer: {coloured(label.verdict)} &nbsp; "
            f":small[:gray[{fmt.literal(label.reviewer)}, {fmt.day(label.at)}; the judge missed it]]",
            width="content",
        )
        if label.reviewer == identity.current_reviewer():
            undo_button(mark_found_claim(detail.run_id, detail.position, label), key=f"labels.found.{label.label_id}")
    service_calls.show_message(WRITE_PLACE)


def mark_button(detail: AnswerDetail) -> None:
    """Draw the button that marks a part of the answer as a claim that the judge missed."""
    if st.button("Add a claim", type="tertiary", icon=":material/add_comment:", key="missed.open", help=_HELP):
        session.forget_widgets(_QUOTE, _MISSED_NOTE, _MISSED_WORDS, _VERDICT, _WHICH)
        _mark(detail)


@st.dialog("A claim that the judge missed", width="medium")
def _mark(detail: AnswerDetail) -> None:
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


_HELP = "For a statement in the answer that no claim covers. It counts in the reviewed score, not in the judge's."
