"""Labelling where a claim is read: the verdict that counts beside the judge's, five keys, undo, and the history."""

from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.label import Label, LabelRole, VerdictSource
from faithview.services import disputes, labelling
from faithview.services.disputes import ClaimPlace, LabelledClaim
from faithview.services.labelling import Given
from faithview.ui import format as fmt
from faithview.ui import reviewer, shell
from faithview.ui.components.label_buttons import choice_of, coloured, label_buttons, said

_SAID = "labels.said"
_SOURCE_WORDS = {
    VerdictSource.JUDGE: "not labelled yet",
    VerdictSource.REVIEWERS: "reviewed",
    VerdictSource.ADJUDICATED: "adjudicated",
    VerdictSource.DISAGREEMENT: "reviewers disagree, the judge's stands",
}


def label_in_place(run_id: str, row: int, claim_number: int) -> None:
    """Draw what the judge and people say of a claim, and let the person say it too."""
    claim = disputes.get_labelled_claim(shell.services(), ClaimPlace(run_id=run_id, row=row, claim_number=claim_number))
    name = reviewer.who()
    own = next((label for label in reversed(claim.standing) if label.reviewer == name), None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(_sentence(claim), width="content")
        if claim.history and st.button(
            f"History ({len(claim.history)})", type="tertiary", icon=":material/history:", key="labels.history"
        ):
            history(claim)
        if own is not None:
            st.button(
                "Undo",
                type="tertiary",
                icon=":material/undo:",
                shortcut="U",
                key=f"labels.undo.{_key(claim)}",
                on_click=partial(_retract, claim.place, own),
            )
    if message := st.session_state.pop(_SAID, None):
        st.warning(message, icon=":material/info:")
    if reviewer.ask_who() is not None:
        label_buttons(
            key=f"labels.give.{_key(claim)}",
            chosen=choice_of(own) if own else None,
            on_label=partial(_label, claim.place),
        )


@st.dialog("History of the claim", width="large")
def history(claim: LabelledClaim) -> None:
    """Draw everything that was said of a claim, oldest first; nothing is ever deleted."""
    st.text(claim.judged.text)
    st.markdown(f"**Judge** &nbsp; {coloured(claim.judged.verdict)}")
    standing = {label.label_id for label in claim.standing}
    for label in claim.history:
        st.markdown(f"**{fmt.literal(label.reviewer)}** &nbsp; {said(label)} &nbsp; :small[:gray[{_manner(label)}]]")
        if label.note:
            st.text(label.note)
        if label.label_id not in standing and label.retracts is None:
            st.caption("does not count any more")


def _sentence(claim: LabelledClaim) -> str:
    parts = [f"Claim {claim.place.claim_number}", f"judge {coloured(claim.judged.verdict)}"]
    source = claim.effective.source
    if source in (VerdictSource.REVIEWERS, VerdictSource.ADJUDICATED):
        parts.append(f"people {coloured(claim.effective.verdict)}")
    words = _SOURCE_WORDS[source]
    if source is VerdictSource.REVIEWERS:
        words += f" by {fmt.plural(claim.effective.reviewers, 'person', 'people')}"
    parts.append(f":small[:gray[{words}{', inherited' if claim.effective.is_inherited else ''}]]")
    return " &nbsp; ".join(parts)


def _manner(label: Label) -> str:
    parts = [f"{fmt.day(label.at)}, {label.at:%H:%M} UTC"]
    if label.retracts is None:
        parts.append("blind" if label.is_blind else "judge's verdict seen" if label.judge_seen else "judge not seen")
    if label.role is LabelRole.ADJUDICATOR:
        parts.append("adjudicated")
    if label.spot_check_id is not None:
        parts.append("in a spot-check")
    if label.origin is not None:
        parts.append("inherited from an earlier run")
    if label.is_stale:
        parts.append("stale: the chunks have changed")
    return " · ".join(parts)


def _label(place: ClaimPlace, verdict: str) -> None:
    name = reviewer.who()
    if name is None or not reviewer.may_write(name):
        st.session_state[_SAID] = reviewer.REFUSED
        return
    try:
        labelling.label_claim(
            shell.services(), place.run_id, place.row, place.claim_number, verdict, Given(reviewer=name)
        )
    except FaithViewError as error:
        st.session_state[_SAID] = fmt.literal(str(error))


def _retract(place: ClaimPlace, label: Label) -> None:
    name = reviewer.who()
    if name is None or not reviewer.may_write(name):
        st.session_state[_SAID] = reviewer.REFUSED
        return
    try:
        labelling.retract_label(shell.services(), place.run_id, place.row, label, Given(reviewer=name))
    except FaithViewError as error:
        st.session_state[_SAID] = fmt.literal(str(error))


def _key(claim: LabelledClaim) -> str:
    return f"{claim.place.run_id}.{claim.place.row}.{claim.place.claim_number}"
