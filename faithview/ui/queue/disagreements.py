"""Parts of the queue page: claims on which reviewers disagree, to be settled one at a time."""

from functools import partial

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.label import LabelRole
from faithview.services.review import disagreements
from faithview.services.review.disagreements import LabelledClaim
from faithview.ui.components.claim_view import claim_view
from faithview.ui.components.label_buttons import coloured_judged, label_buttons, label_words
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt

_WRITE_PLACE = "disagreements"
_BLIND = "disputes.blind"
_HEIGHT = 430
_NOTE = ".st-key-disputes_note input"
_PAGE_KEYS = {"n": _NOTE, "Escape": _NOTE}


@st.fragment
def adjudication(name: str) -> None:
    """Draw one claim on which reviewers disagree, with their labels and the buttons that settle it."""
    places = disagreements.list_disagreements(app.services())
    write.show_message(_WRITE_PLACE)
    if not places:
        st.markdown("Reviewers agree on every claim that more than one of them labelled.")
        return
    index = min(session.DISAGREEMENT_INDEX.get(), len(places) - 1)
    claim = disagreements.get_labelled_claim(app.services(), places[index])
    place = f"{claim.place.run_id}.{claim.place.row}.{claim.place.claim_number}"
    is_own = disagreements.is_own_disagreement(claim, reviewer=name)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(
            f"{index + 1} of {fmt.plural(len(places), 'claim')} to settle · {fmt.literal(claim.run_name)}",
            width="content",
        )
        wants_blind = st.toggle(
            "Hide the judge's and reviewers' verdicts", key=_BLIND, help=_BLIND_HELP, width="content"
        )
    is_blind = wants_blind and not is_own
    claim_view(
        claim.sample,
        claim.judged.text,
        [(span.start, span.end) for span in claim.judged.spans],
        subject=place,
        judged=None if is_blind else claim.judged,
        key="disputes.claim",
        height=_HEIGHT,
        page_keys=_PAGE_KEYS,
    )
    if is_blind:
        st.markdown(f"{fmt.plural(len(claim.standing), 'person', 'people')} gave different verdicts. What is yours?")
    else:
        session.REVEALED_CLAIMS.set(session.REVEALED_CLAIMS.get() | {place})
        with st.container(gap=None):
            _voices(claim)
    if is_own:
        st.markdown(f":material/group: {disagreements.OWN_DISAGREEMENT}")
    note_key = f"disputes.note.{place}"
    label_buttons(
        key=f"disputes.label.{place}",
        chosen=None,
        on_label=partial(_settle, name, claim.place, note_key, is_blind and place not in session.REVEALED_CLAIMS.get()),
        disabled=is_own,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container(key="disputes_note", width=380):
            st.text_input(
                "Note", key=note_key, placeholder="Reason (N), stored with your verdict", label_visibility="collapsed"
            )
        for words, icon, key, step in (("Previous", "arrow_back", "K", -1), ("Next", "arrow_forward", "J", 1)):
            st.button(
                words,
                icon=f":material/{icon}:",
                shortcut=key,
                type="tertiary",
                key=f"disputes.{words}.{place}",
                on_click=partial(session.DISAGREEMENT_INDEX.set, (index + step) % len(places)),
            )


def _voices(claim: LabelledClaim) -> None:
    """Draw each reviewer's label with its note, which is shown verbatim."""
    for label in claim.standing:
        if label.role is LabelRole.REVIEWER:
            manner = "blind" if label.is_blind else "judge seen" if label.judge_seen else "judge not seen"
            note = f" &nbsp; {fmt.literal(label.note)}" if label.note else ""
            st.markdown(
                f"**{fmt.literal(label.reviewer)}** &nbsp; {label_words(label)} &nbsp; "
                f":small[:gray[{fmt.day(label.at)}, {manner}]]{note}"
            )
    st.markdown(f"Judge &nbsp; {coloured_judged(claim.judged)}")


def _settle(name: str, place: ClaimRef, note_key: str, is_blind: bool, verdict: str) -> None:
    def store() -> None:
        disagreements.adjudicate(
            app.services(),
            place.run_id,
            place.row,
            place.claim_number,
            verdict,
            reviewer=name,
            note=session.widget_text(note_key),
            is_blind=is_blind,
        )

    write.write(store, place=_WRITE_PLACE, refusal=identity.why_cannot_label(name))


_BLIND_HELP = "You settle the claim from the chunks alone. Your verdict is then stored as blind."
