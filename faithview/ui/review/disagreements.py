"""Claims on which reviewers disagree, one at a time, to be settled by a reviewer who has not labelled them."""

from functools import partial

import streamlit as st

from faithview.domain.errors import InvalidInput
from faithview.domain.label import LabelRole
from faithview.services.review import disagreements
from faithview.services.review.disagreements import LabelledClaim
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.labels import coloured_judged, label_words
from faithview.ui.reader import payload
from faithview.ui.reader.reader import Choice, reader
from faithview.ui.review.queue import ITEM, NOT_ON_SCREEN, show_item
from faithview.wording import numbers as fmt

_MESSAGES = "disagreements"
_HEIGHT = "max(22rem, calc(100dvh - 30rem))"


@st.fragment
@opened_store.explaining()
def settle_claims(name: str | None) -> None:
    """Draw one claim on which reviewers disagree, with their labels; a verdict in the reader settles it.

    Args:
        name: who settles; None for a user who may not, or has no name yet.
    """
    places = disagreements.list_disagreements(opened_store.store())
    service_calls.show_message(_MESSAGES)
    if not places:
        st.markdown("There are no disagreements to settle.")
        return
    number = min(max(1, ITEM.get() or 1), len(places))
    claim = disagreements.get_labelled_claim(opened_store.store(), places[number - 1])
    is_own = name is not None and disagreements.is_own_disagreement(claim, reviewer=name)
    st.caption(f"{number} of {fmt.plural(len(places), 'claim')} to settle · {fmt.literal(claim.run_name)}")
    reader(
        payload.claim_alone(
            claim.sample, claim.judged, claim.certainty, label=None, can_label=name is not None and not is_own
        ),
        key="disputes.reader",
        on_choice=partial(_settle, claim, name or ""),
        claim=1,
        row=_name(claim),
        height=_HEIGHT,
    )
    with st.container(gap=None):
        _voices(claim)
    if is_own:
        st.markdown(f":material/group: {disagreements.OWN_DISAGREEMENT}")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if name is not None and not is_own:
            st.text_input(
                "Note",
                key=f"disputes.note.{_name(claim)}",
                placeholder="Reason, stored with your verdict",
                label_visibility="collapsed",
                width=330,
            )
        for words, icon, key, to in (
            ("Previous", "arrow_back", "k", number - 1),
            ("Next", "arrow_forward", "j", number + 1),
        ):
            st.button(
                words,
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"disputes.{words.lower()}",
                shortcut=key,
                disabled=not 1 <= to <= len(places),
                on_click=partial(show_item, to),
            )


def _name(claim: LabelledClaim) -> str:
    place = claim.place
    return f"{place.run_id}.{place.row}.{place.claim_number}"


def _settle(claim: LabelledClaim, name: str, choice: Choice) -> None:
    """Store the verdict that was chosen in the reader, if it is on the claim on screen."""

    def settle() -> None:
        if choice.row != _name(claim):
            raise InvalidInput(NOT_ON_SCREEN)
        note = session.widget_text(f"disputes.note.{_name(claim)}")
        place, verdict = claim.place, choice.verdict or ""
        disagreements.adjudicate(
            opened_store.store(), place.run_id, place.row, place.claim_number, verdict, reviewer=name, note=note
        )

    if choice.verdict is not None:
        service_calls.write(settle, place=_MESSAGES, refusal=identity.why_cannot_label(name))


def _voices(claim: LabelledClaim) -> None:
    """Draw each reviewer's label with its note, and the judge's verdict."""
    for label in claim.standing:
        if label.role is LabelRole.REVIEWER:
            manner = "blind" if label.is_blind else "judge seen"
            note = f" &nbsp; {fmt.literal(label.note)}" if label.note else ""
            st.markdown(
                f"**{fmt.literal(label.reviewer)}** &nbsp; {label_words(label)} &nbsp; "
                f":small[:gray[{fmt.day(label.at)}, {manner}]]{note}"
            )
    st.markdown(f"Judge &nbsp; {coloured_judged(claim.judged.verdict, claim.certainty)}")
