"""Part of the page Review: claims on which reviewers disagree, to be settled one at a time."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.label import LabelRole
from faithview.services.review import disagreements
from faithview.services.review.disagreements import LabelledClaim
from faithview.services.review.key_presses import KeyPress, check_mark, find_place, mark_claim
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.label_bar import (
    CHOICES,
    KEY_CHOICES,
    Keyboard,
    answer_first_press,
    answer_presses,
    coloured_judged,
    label_buttons,
    label_keys,
    label_without_name,
    press_log,
    voice_words,
)
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import verdict_word

_WRITE_PLACE = "disagreements"
_BLIND = "disputes.blind"
_HEIGHT = 430
_NOTE = ".st-key-disputes_note input"
_PAGE_KEYS = {"n": _NOTE, "Escape": _NOTE}
_AREA = "disputes_area"  # the container of the buttons and fields, which belong to one claim
_LABEL_KEYS = "disputes.label_keys"
_FORWARD, _BACK = "forward", "back"
_WORDS: Mapping[str, str] = MappingProxyType(
    {**{choice: verdict_word(choice) for choice in CHOICES}, _FORWARD: "next claim", _BACK: "previous claim"}
)
_KEYBOARD = Keyboard(
    keys={**KEY_CHOICES, "j": _FORWARD, "k": _BACK},
    buttons={action: action for action in _WORDS},
    words=_WORDS,
    area=_AREA,
)


def adjudication() -> None:
    """Draw one claim on which reviewers disagree, with their labels and the buttons that settle it."""
    name = identity.current_reviewer()
    if name is None:  # the whole page, whose sidebar shows the name once it is given
        _draw(None)
    else:
        _draw_alone(name)


@st.fragment
@opened_store.explaining()
def _draw_alone(name: str) -> None:
    _draw(name)


def _draw(name: str | None) -> None:
    refusal = identity.why_cannot_label(name)
    if name is None:
        answer_first_press()
    else:
        answer_presses(_LABEL_KEYS, partial(_do_press, name), refusal=refusal, then=_clear_note)
    places = disagreements.list_disagreements(opened_store.store())
    service_calls.show_message(_WRITE_PLACE)
    if not places:
        st.markdown("Reviewers agree on every claim that more than one of them labelled.")
        _take_keys(None, refusal)
        return
    index = session.DISAGREEMENT_INDEX.get() % len(places)
    claim = disagreements.get_labelled_claim(opened_store.store(), places[index])
    mark = mark_claim(claim.place.run_id, claim.place.row, claim.place.claim_number, claim.judged.text)
    place = _key(claim.place)
    is_own = name is not None and disagreements.is_own_disagreement(claim, reviewer=name)
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
        judged=None if is_blind else (claim.judged, claim.certainty),
        key="disputes.claim",
        height=_HEIGHT,
        page_keys=_PAGE_KEYS,
        mark=mark,
    )
    if is_blind:
        st.markdown(f"{fmt.plural(len(claim.standing), 'reviewer')} gave different verdicts. What is yours?")
    else:
        session.REVEALED_CLAIMS.set(session.REVEALED_CLAIMS.get() | {place})
        with st.container(gap=None):
            _voices(claim)
    if is_own:
        st.markdown(f":material/group: {disagreements.OWN_DISAGREEMENT}")
    if name is None or refusal is not None:
        label_without_name(mark, _settle, place=_WRITE_PLACE)
        return
    with st.container(key=_AREA):
        _controls(name, claim, mark, is_own=is_own)
    _take_keys(mark, refusal)


def _controls(name: str, claim: LabelledClaim, mark: str, *, is_own: bool) -> None:
    """Draw the buttons that settle the claim, its note, and the ways to the other claims."""
    place = _key(claim.place)
    label_buttons(
        key=f"disputes.label.{place}",
        chosen=None,
        on_label=partial(_press, name, mark),
        disabled=is_own,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container(key="disputes_note", width=380):
            st.text_input(
                "Note",
                key=_note_key(claim.place),
                placeholder="Reason (N), stored with your verdict",
                label_visibility="collapsed",
            )
        for words, icon, action in (
            ("Previous (K)", "arrow_back", _BACK),
            ("Next (J)", "arrow_forward", _FORWARD),
        ):
            st.button(
                words,
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"disputes.{place}.{action}",
                on_click=partial(_press, name, mark, action),
            )


def _take_keys(mark: str | None, refusal: str | None) -> None:
    """Take the label keys for the claim on screen; also drawn without one, because it shows earlier keys' results."""
    label_keys(_KEYBOARD, key=_LABEL_KEYS, log=press_log(_LABEL_KEYS), mark=mark, waits=True, refusal=refusal)


def _voices(claim: LabelledClaim) -> None:
    """Draw each reviewer's label with its note, which is shown verbatim."""
    for label in claim.standing:
        if label.role is LabelRole.REVIEWER:
            said = voice_words(label, claim.second_thought_of(label.reviewer))
            manner = "blind" if label.is_blind else "judge seen"
            note = f" &nbsp; {fmt.literal(label.note)}" if label.note else ""
            st.markdown(
                f"**{fmt.literal(label.reviewer)}** &nbsp; {said} &nbsp; "
                f":small[:gray[{fmt.day(label.at)}, {manner}]]{note}"
            )
    st.markdown(f"Judge &nbsp; {coloured_judged(claim.judged.verdict, claim.certainty)}")


def _press(name: str, mark: str, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press."""
    press = KeyPress(sequence=0, mark=mark, action=action)
    if service_calls.write(
        partial(_do_press, name, press), place=_WRITE_PLACE, refusal=identity.why_cannot_label(name)
    ):
        _clear_note(press)


def _do_press(name: str, press: KeyPress) -> None:
    """Settle the claim of the press's mark, or go to the next or previous one; raises FaithViewError."""
    if press.action in (_FORWARD, _BACK):
        step = 1 if press.action == _FORWARD else -1
        session.DISAGREEMENT_INDEX.set(session.DISAGREEMENT_INDEX.get() + step)
        return
    _settle(name, press.mark, press.action)


def _settle(name: str, mark: str | None, verdict: str) -> None:
    place = check_mark(opened_store.store(), mark)
    disagreements.adjudicate(
        opened_store.store(),
        place.run_id,
        place.row,
        place.claim_number,
        verdict,
        reviewer=name,
        note=session.widget_text(_note_key(place)),
        is_blind=_key(place) not in session.REVEALED_CLAIMS.get(),
    )


def _clear_note(press: KeyPress) -> None:
    """Empty the note of a claim that is settled: the claim comes back if the verdict is taken back."""
    if press.action in CHOICES:
        session.set_widget(_note_key(find_place(press.mark)), "")


def _key(place: ClaimRef | None) -> str:
    return "" if place is None else f"{place.run_id}.{place.row}.{place.claim_number}"


def _note_key(place: ClaimRef | None) -> str:
    return f"disputes.note.{_key(place)}"


_BLIND_HELP = "You settle the claim from the chunks alone. Your verdict is then stored as blind."
