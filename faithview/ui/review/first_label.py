"""A label before its reviewer is known: the claim is on screen at once, and its first label asks for the name.

Until then nothing is stored or leased. The label waits in the session, and is stored as soon as the name is given.
"""

import math
from collections.abc import Callable
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.errors import InvalidInput
from faithview.domain.spot_check import SpotCheck
from faithview.services.review import queue
from faithview.services.review.key_presses import KeyPress
from faithview.services.review.queue import QueuedClaim, QueueStep
from faithview.store.spot_checks import get_queue_progress
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.frontend.component_files import read_script
from faithview.ui.membership import MAX_NAME
from faithview.ui.review.claim_screen import HEIGHT, QUESTION, WRITE_PLACE, show_progress
from faithview.ui.review.navigator import QueueNavigator
from faithview.ui.review.spot_check_results import finished_result
from faithview.ui.widgets import new_spot_check
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.label_bar import (
    CHOICES,
    KEY_CHOICES,
    Keyboard,
    answer_presses,
    coloured_choice,
    label_buttons,
    label_keys,
    press_log,
)
from faithview.wording.verdict_styles import verdict_word

_FIELD = "first_label.name"
_AREA = "first_label_area"
_LABEL_KEYS = "first_label.keys"
# Stores a label under a name that was given just now: its arguments are the name, the mark and the verdict.
StoreLabel = Callable[[str, str, str], object]

KEYBOARD = Keyboard(
    keys=KEY_CHOICES,
    buttons=MappingProxyType({choice: choice for choice in CHOICES}),
    words=MappingProxyType({choice: f"{verdict_word(choice)}, waits for your name" for choice in CHOICES}),
    area=_AREA,
)

_focus = st.components.v2.component("faithview.focus_field", js=read_script("focus_field"))


def draw_first_claim(check: SpotCheck) -> None:
    """Draw the first free claim of a spot-check for a user without a name, or why there is nothing to label."""
    progress = get_queue_progress(opened_store.store().db, check.spot_check_id)
    if progress.done >= progress.items:
        finished_result(check, None)
        return
    answer_keys()
    claim = queue.first_claim(opened_store.store(), check.spot_check_id)
    show_progress(check, QueueStep(claim=claim, progress=progress))
    if claim is None:
        st.markdown("Other reviewers are labelling the claims that are left.")
        return
    claim_view(
        claim.sample,
        claim.text,
        claim.spans,
        subject=f"{check.spot_check_id}.{claim.item.position}",
        judged=claim.judged,
        key="queue.claim",
        height=HEIGHT,
        mark=claim.mark,
    )
    st.markdown(QUESTION)
    label_without_name(claim.mark, partial(_label, claim), place=WRITE_PLACE)


def answer_keys() -> None:
    """Hold what was pressed since the last run of the script; before the claim is drawn."""
    answer_presses(_LABEL_KEYS, _hold_press, refusal=None, then=_nothing_more)


def label_without_name(mark: str, store: StoreLabel, *, place: str) -> None:
    """Draw the label buttons for a user without a name, and the field for the name once a label waits for it.

    A user who may not label sees the reason in place of the buttons.

    Args:
        mark: the mark of the claim on screen.
        store: stores the label.
        place: where the page shows why it was not stored.
    """
    if not identity.may_give_name():
        if identity.current_reviewer() is None and not identity.is_login_on():
            st.info(identity.cannot_label(), icon=":material/lock:")
        else:
            identity.ask_reviewer()
        return
    held = session.FIRST_LABEL.get()
    verdict = held[1] if held is not None and held[0] == mark else None
    with st.container(key=_AREA):
        label_buttons(key=f"{_LABEL_KEYS}.{mark}", chosen=verdict, on_label=partial(_hold, mark), has_shortcuts=False)
    if verdict is not None:
        _ask_name(mark, verdict, store, place)
    service_calls.show_message(place)
    label_keys(KEYBOARD, key=_LABEL_KEYS, log=press_log(_LABEL_KEYS), mark=mark, waits=True)


def _ask_name(mark: str, verdict: str, store: StoreLabel, place: str) -> None:
    with (
        st.form("first_label", border=False),
        st.container(key="first_label_name", horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.markdown(f"{coloured_choice(verdict)}, labelled by", width="content")
        st.text_input(
            "Your name",
            key=_FIELD,
            max_chars=MAX_NAME,
            placeholder="Your name",
            label_visibility="collapsed",
            width=320,
        )
        st.form_submit_button("Save the label", type="primary", on_click=_save, args=(mark, verdict, store, place))
    _focus(key="first_label.focus", height=1, data={"selector": ".st-key-first_label_name input", "turn": mark})


def _save(mark: str, verdict: str, store: StoreLabel, place: str) -> None:
    name = identity.keep_name(_FIELD)
    if name is None:
        return
    session.FIRST_LABEL.clear()
    new_spot_check.store_opened()  # first, because a claim whose verdict was shown here gets no blind label
    service_calls.write(partial(store, name, mark, verdict), place=place, refusal=identity.why_cannot_label(name))


def _hold(mark: str, verdict: str) -> None:
    session.FIRST_LABEL.set((mark, verdict))


def _hold_press(press: KeyPress) -> None:
    if press.mark is not None and press.action in CHOICES:
        _hold(press.mark, press.action)


def _nothing_more(_: KeyPress) -> None:
    """Do nothing: there are no fields to empty here."""


def _label(claim: QueuedClaim, name: str, mark: str, verdict: str) -> None:
    """Begin the reviewer's way through the spot-check at the claim that they have labelled."""
    navigator = QueueNavigator(spot_check_id=claim.check.spot_check_id, reviewer=name)
    if not navigator.begin_at(opened_store.store(), claim.item):
        raise InvalidInput("Another reviewer labelled this claim first. Here is the next one.")
    session.QUEUE_NAVIGATOR.set(navigator)
    navigator.shown_at = -math.inf  # how long they took is unknown
    navigator.label(opened_store.store(), mark, verdict, None)
