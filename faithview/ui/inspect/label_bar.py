"""Labelling a claim on Inspect: the verdict that counts beside the judge's, five buttons, undo, and the history."""

from functools import partial

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.label import Label, LabelRole, VerdictSource, counts_as_blind
from faithview.services.review import disagreements
from faithview.services.review.disagreements import LabelledClaim
from faithview.services.review.label_keys import UNDO, do_marked, find_place, mark_claim
from faithview.services.review.labels import LabelProvenance
from faithview.ui.components.label_buttons import (
    choice_of,
    coloured,
    coloured_judged,
    label_buttons,
    label_words,
    voice_words,
)
from faithview.ui.parts.inherited_labels import open_origin, origin_words, stale_labels, stale_words
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt

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
    """Draw the judge's and people's verdicts on a claim, and the buttons to label it."""
    claim = disagreements.get_labelled_claim(
        app.services(), ClaimRef(run_id=run_id, row=row, claim_number=claim_number)
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
        open_origin(claim.inherited, key=f"labels.origin.{_key(claim)}")
        if after is not None or (own is not None and not counts_as_blind(own)):
            undo_button(mark, key=f"labels.{_key(claim)}")
    write.show_message(WRITE_PLACE)
    if identity.ask_reviewer(to="label claims with the keys 1 to 5") is not None:
        label_buttons(
            key=f"labels.give.{_key(claim)}",
            chosen=choice_of(after or own) if own else None,
            on_label=partial(_press, mark),
            has_shortcuts=False,
            beside=partial(words_fields, _key(claim)),
        )
    if claim.effective.source is VerdictSource.JUDGE:
        stale_labels(claim.inherited, key=f"labels.{_key(claim)}")


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
    st.markdown(f"**Judge** &nbsp; {coloured_judged(claim.judged)}")
    standing = {label.label_id for label in claim.standing}
    for label in claim.history:
        st.markdown(
            f"**{fmt.literal(label.reviewer)}** &nbsp; {label_words(label)} &nbsp; :small[:gray[{_manner(label)}]]"
        )
        for text in (label.note, label.corrected_text and f"It should say: {label.corrected_text}"):
            if text:
                st.text(text)
        if label in claim.second_thoughts:
            st.caption("stored beside the blind label, which counts")
        elif label.label_id not in standing and label.retracts is None:
            st.caption("no longer counts")


def _sentence(claim: LabelledClaim) -> str:
    parts = [f"Claim {claim.place.claim_number}", f"judge {coloured_judged(claim.judged)}"]
    source = claim.effective.source
    if source in (VerdictSource.REVIEWERS, VerdictSource.ADJUDICATED):
        parts.append(f"people {coloured(claim.effective.verdict)}")
    for label in claim.second_thoughts:
        blind = next(other for other in claim.standing if other.reviewer == label.reviewer)
        parts.append(f"{fmt.literal(label.reviewer)} {voice_words(blind, label)}")
    words = _SOURCE_WORDS[source]
    if source is VerdictSource.REVIEWERS:
        words += f" by {fmt.plural(claim.effective.reviewers, 'person', 'people')}"
    standing = {label.label_id for label in claim.standing}
    valid = [item for item in claim.inherited if item.label is not None and item.label.label_id in standing]
    if source is VerdictSource.JUDGE and (stale := stale_words(claim.inherited)):
        words = stale
    if origin := origin_words(valid):
        words += f", {origin}"
    parts.append(f":small[:gray[{words}]]")
    return " &nbsp; ".join(parts)


def _manner(label: Label) -> str:
    parts = [fmt.day_and_time(label.at)]
    if label.retracts is None:
        parts.append("blind" if label.is_blind else "judge's verdict seen" if label.judge_seen else "judge not seen")
    if label.role is LabelRole.ADJUDICATOR:
        parts.append("adjudicated")
    if label.spot_check_id is not None:
        parts.append("in a spot-check")
    if label.origin is not None:
        parts.append("inherited from an earlier run")
    if label.is_stale:
        parts.append("outdated: the chunks have changed")
    return " · ".join(parts)


def do_press(mark: str | None, action: str) -> None:
    """Label the claim of a mark with the texts in its fields, or take the label back; raises FaithViewError."""
    note, corrected = _read_words(mark) if action != UNDO else (None, None)
    provenance = LabelProvenance(reviewer=identity.current_reviewer() or "", note=note, corrected_text=corrected)
    do_marked(app.services(), mark, action, provenance)


def clear_words(mark: str | None, action: str) -> None:
    """Empty the fields of a claim, now that their texts are stored."""
    if (place := _fields(mark)) is not None and action != UNDO:
        for field in (_NOTE, _CORRECTED):
            session.set_widget(f"{field}.{place}", "")


def _press(mark: str, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press."""
    refusal = identity.why_cannot_label(identity.current_reviewer())
    if write.write(partial(do_press, mark, action), place=WRITE_PLACE, refusal=refusal):
        clear_words(mark, action)


def _read_words(mark: str | None) -> tuple[str | None, str | None]:
    place = _fields(mark)
    return session.widget_text(f"{_NOTE}.{place}"), session.widget_text(f"{_CORRECTED}.{place}")


def _fields(mark: str | None) -> str | None:
    place = find_place(mark)
    return None if place is None else f"{place.run_id}.{place.row}.{place.claim_number}"


def _key(claim: LabelledClaim) -> str:
    return f"{claim.place.run_id}.{claim.place.row}.{claim.place.claim_number}"
