"""The open spot-check, one claim at a time: the reader takes the labels, and four buttons lead through the queue.

The address says which claim is on screen; without it, the first one that the reviewer has not labelled. While the judge
is hidden, `services.review.queue` leaves its verdict out, so nothing of it reaches the browser.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.domain.spot_check import QueueProgress, SpotCheck
from faithview.services.review import queue
from faithview.services.review.queue import QueuedClaim
from faithview.services.review.spot_checks import half_width_for
from faithview.store.spot_checks import get_queue_progress
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.address import Param, go, whole_number
from faithview.ui.labels import choice_of, label_words
from faithview.ui.reader import payload
from faithview.ui.reader.payload import Payload
from faithview.ui.reader.reader import Choice, reader
from faithview.ui.review.result import show_result
from faithview.ui.widgets.notes import claim_notes
from faithview.wording import numbers as fmt

# The place in the queue of the claim on screen, from 1; on Disagreements its place in that list.
ITEM = Param("item", whole_number)
NOT_ON_SCREEN = "The next claim was not on screen yet. Label it again."
HEIGHT = "max(24rem, calc(100dvh - 23rem))"
_MESSAGES = "queue"


@st.fragment
@opened_store.explaining()
def label_claims(check: SpotCheck, name: str | None) -> None:
    """Draw the claim on screen, or the end of the queue; a label or a button runs this part of the page alone.

    Args:
        check: the spot-check.
        name: who labels; None for a user who may not, or has no name yet: they see the first free claim.
    """
    progress = get_queue_progress(opened_store.store().db, check.spot_check_id)
    reviewer = name or queue.UNNAMED
    claim = _claim_on_screen(check, progress, reviewer)
    st.progress(progress.done / max(1, progress.items), text=_progress_words(check, progress, claim))
    service_calls.show_message(_MESSAGES)
    if claim is None:
        _end(check, progress, name)
    else:
        reader(
            _drawn(claim, can_label=name is not None),
            key="queue.reader",
            on_choice=partial(_label, claim, reviewer),
            claim=1,
            row=str(claim.item.item_id),
            height=HEIGHT,
        )
        if claim.own:
            st.markdown(f"You: {label_words(claim.own[-1])}")
    if name is not None:
        _controls(check, progress, claim, name)


def _claim_on_screen(check: SpotCheck, progress: QueueProgress, reviewer: str) -> QueuedClaim | None:
    place = ITEM.get()
    if place is None:
        return queue.next_claim(opened_store.store(), check.spot_check_id, reviewer=reviewer)
    place = min(max(1, place), progress.items)
    return queue.get_claim(opened_store.store(), check.spot_check_id, place, reviewer=reviewer)


def _drawn(claim: QueuedClaim, *, can_label: bool) -> Payload:
    can_label = can_label and claim.can_label
    label = choice_of(claim.own[-1]) if claim.own else None
    if claim.judged is None:
        return payload.blind_claim(claim.sample, claim.text, claim.spans, label=label, can_label=can_label)
    return payload.claim_alone(claim.sample, claim.judged, claim.certainty, label=label, can_label=can_label)


def _label(claim: QueuedClaim, name: str, choice: Choice) -> None:
    """Store the label that was chosen in the reader, if it is on the claim on screen, and go on to the next claim."""
    note = f"queue.note.{claim.item.item_id}"

    def store_label() -> None:
        if choice.row != str(claim.item.item_id):
            raise InvalidInput(NOT_ON_SCREEN)
        following = queue.label_and_advance(
            opened_store.store(),
            claim.check.spot_check_id,
            claim.item.position,
            choice.verdict or "",
            reviewer=name,
            note=session.widget_text(note),
        )
        show_item(following)

    if choice.verdict is not None and _write(store_label, name):
        session.set_widget(note, "")


def show_item(place: int | None) -> None:
    """Show the claim at that place; None for the next without a label of the reviewer, or the end."""
    go(item=None if place is None else str(place))


def _write(action: Callable[[], object], name: str) -> bool:
    return service_calls.write(action, place=_MESSAGES, refusal=identity.why_cannot_label(name))


def _controls(check: SpotCheck, progress: QueueProgress, claim: QueuedClaim | None, name: str) -> None:
    """Draw the field of the note that goes with the next label, and the buttons that lead through the queue."""
    store, check_id = opened_store.store(), check.spot_check_id
    place = progress.items + 1 if claim is None else claim.item.position

    def undo() -> None:
        _write(lambda: show_item(queue.undo_last(store, check_id, reviewer=name).item.position), name)

    def skip() -> None:
        show_item(queue.find_next(store, check_id, reviewer=name, after=place))

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if claim is not None and claim.can_label:
            st.text_input(
                "Note",
                key=f"queue.note.{claim.item.item_id}",
                placeholder="Note, stored with your label",
                label_visibility="collapsed",
                width=330,
            )
        if place > 1:
            _button("Previous", "arrow_back", "k", partial(show_item, place - 1))
        if claim is not None:
            _button("Next", "arrow_forward", "j", partial(show_item, place + 1 if place < progress.items else None))
            _button("Skip", "redo", "s", skip)
        if progress.by_reviewer.get(name):
            _button("Undo", "undo", "u", undo)
        if claim is not None:
            claim_notes(claim.item.place, key=f"queue.{claim.item.item_id}", is_blind=claim.judged is None)


def _button(words: str, icon: str, key: str, action: Callable[[], None]) -> None:
    st.button(
        words,
        icon=f":material/{icon}:",
        type="tertiary",
        key=f"queue.{words.lower()}",
        shortcut=key,
        on_click=action,
    )


def _end(check: SpotCheck, progress: QueueProgress, name: str | None) -> None:
    """Draw the result of a spot-check that is done, or what waits for other reviewers."""
    waiting = progress.items - progress.done
    if not waiting:
        show_result(check, name)
        return
    st.markdown(
        f"## You are done.\n\n{fmt.plural(waiting, 'claim')} {fmt.verb(waiting, 'waits', 'wait')} for another "
        "reviewer. The result appears after that."
    )


def _progress_words(check: SpotCheck, progress: QueueProgress, claim: QueuedClaim | None) -> str:
    """Say how far the spot-check has come, and what it will give: "Claim 3 of 16 · 2 labelled · …"."""
    done = f"{fmt.count(progress.done)} of {fmt.plural(progress.items, 'claim')} labelled"
    if claim is None:
        return done
    words = [f"Claim {fmt.count(claim.item.position)}", done]
    if progress.done < progress.items:
        words.append(_expected_words(opened_store.store_key(), check.spot_check_id, progress.items, check))
    if claim.judged is None:
        words.append("Blind: the judge is shown after your label")
    return " · ".join(word for word in words if word)


@st.cache_data(max_entries=200, ttl=600, show_spinner=False)
def _expected_words(store: str, spot_check_id: int, claims: int, _check: SpotCheck) -> str:
    try:
        width = half_width_for(opened_store.store(), _check.run_ids, claims)
    except FaithViewError:  # a run was deleted, or is judged again
        return ""
    every = "the only claim" if claims == 1 else f"all {fmt.count(claims)}"
    return f"Labelling {every} gives the score {'exactly' if width == 0 else f'to about {fmt.plus_minus(width)}'}"
