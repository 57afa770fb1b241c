"""The open spot-check, one claim at a time, keyboard first.

A key press goes through `navigator` to `services.review.queue`, which stores the label and returns the next claim. A
button does the same as its key: in the browser, `label_keys` turns a click into a press.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.review import queue
from faithview.services.review.key_presses import UNDO, KeyPress
from faithview.services.review.queue import QueuedClaim, QueueStep, ReviewerQueue, get_reviewer_queue
from faithview.services.review.spot_check_result import get_check_result
from faithview.services.review.spot_checks import half_width_for
from faithview.store import spot_checks
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.review.navigator import NOT_ON_SCREEN, QueueNavigator
from faithview.ui.review.spot_check_results import finished_result, show_results
from faithview.ui.review.spot_checks import assign_dialog
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.label_bar import (
    CHOICES,
    KEY_CHOICES,
    Keyboard,
    answer_presses,
    choice_of,
    coloured_judged,
    label_buttons,
    label_keys,
    press_log,
    shared_words,
    voice_words,
)
from faithview.ui.widgets.notes import claim_notes
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import verdict_word

WRITE_PLACE = "queue"
_NOTE = ".st-key-queue_note input"
_FIELDS = _NOTE_FIELD, _CORRECTED_FIELD = "queue.note", "queue.corrected"
PAGE_KEYS = {
    "n": _NOTE,
    "Escape": _NOTE,
}

AREA = "queue_area"  # the container of the buttons and fields, which belong to one claim
_LABEL_KEYS = "queue.label_keys"
_FORWARD, _BACK, _SKIP = "forward", "back", "skip"
_MOVES = MappingProxyType({"j": _FORWARD, "k": _BACK, "s": _SKIP, "u": UNDO})
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **{choice: verdict_word(choice) for choice in CHOICES},
        _FORWARD: "next claim",
        _BACK: "previous claim",
        _SKIP: "skip",
        UNDO: "undo",
    }
)
_BUTTONS = MappingProxyType({**{action: action for action in _WORDS}, "go": _FORWARD})


def answer_keys(navigator: QueueNavigator) -> None:
    """Do what was pressed since the last run of the script; before the claim is drawn."""
    answer_presses(_LABEL_KEYS, partial(_do_press, navigator), refusal=_why_not(), then=_clear_words)


def take_keys(navigator: QueueNavigator, *, is_labelled: bool) -> None:
    """Take the keys for the claim on screen, or for the end of the queue.

    Enter goes on from a claim that is labelled; it does not leave one that is not.
    """
    keys = {**KEY_CHOICES, **_MOVES}
    if is_labelled:
        keys["Enter"] = _FORWARD
    keyboard = Keyboard(keys=keys, buttons=_BUTTONS, words=_WORDS, area=AREA)
    label_keys(
        keyboard,
        key=_LABEL_KEYS,
        log=press_log(_LABEL_KEYS),
        mark=navigator.mark,
        waits=True,
        claimless=(_BACK, UNDO) if navigator.mark is None else (),
        refusal=_why_not(),
        sticks=navigator.mark is not None,
    )


def press(navigator: QueueNavigator, mark: str | None, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press; for a callback."""
    one = KeyPress(sequence=0, mark=mark, action=action)
    if service_calls.write(partial(_do_press, navigator, one), place=WRITE_PLACE, refusal=_why_not()):
        _clear_words(one)


def controls(navigator: QueueNavigator, place: str, claim: ClaimRef, *, is_blind: bool) -> None:
    """Draw the fields and buttons below a claim.

    Args:
        navigator: the reviewer's way.
        place: names the claim in the keys of widgets.
        claim: the claim.
        is_blind: whether the judge is hidden; then the notes of others are too.
    """
    mark = navigator.mark
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container(key="queue_note", width=330):
            st.text_input(
                "Note",
                key=f"{_NOTE_FIELD}.{mark}",
                placeholder="Note (N), stored with your next label",
                label_visibility="collapsed",
            )
        st.text_input(
            "Corrected text",
            key=f"{_CORRECTED_FIELD}.{mark}",
            placeholder="What the claim should say, if you know",
            label_visibility="collapsed",
            width=290,
        )
        key = f"queue.{place}"
        _button("Previous (K)", "arrow_back", navigator, _BACK, key)
        _button("Next (J)", "arrow_forward", navigator, _FORWARD, key)
        _button("Skip (S)", "redo", navigator, _SKIP, key)
        _button("Undo (U)", "undo", navigator, UNDO, key)
        claim_notes(claim, key=key, is_blind=is_blind)
    service_calls.show_message(WRITE_PLACE)


def go_on_button(navigator: QueueNavigator, place: str) -> None:
    """Draw the button that leads from a labelled claim to the next."""
    with st.container(key="queue_go", width="content"):
        forward = partial(press, navigator, navigator.mark, _FORWARD)
        st.button("Next claim (Enter)", type="tertiary", key=f"queue.{place}.go", on_click=forward)


def end_controls(navigator: QueueNavigator, check: SpotCheck) -> None:
    """Draw the end of the queue: the result, or what waits for others, the reviewer's labels, and the ways back."""
    store = opened_store.store()
    standing = get_reviewer_queue(store, check.spot_check_id, navigator.reviewer)
    results = queue.list_results(store, check.spot_check_id, reviewer=navigator.reviewer)
    if standing.is_done:
        finished_result(check, navigator.reviewer, results)
    else:
        _unfinished(navigator, standing)
    with st.container(horizontal=True, key=AREA):
        if results:
            _button("Previous (K)", "arrow_back", navigator, _BACK, "queue.end")
            _button("Undo (U)", "undo", navigator, UNDO, "queue.end")
    service_calls.show_message(WRITE_PLACE)
    if not standing.is_done:
        show_results(results, key=f"queue.results.{check.spot_check_id}")


def _unfinished(navigator: QueueNavigator, standing: ReviewerQueue) -> None:
    if navigator.skipped:
        number = len(navigator.skipped)
        st.markdown(f"{fmt.plural(number, 'claim')} left: {fmt.verb(number, 'the one', 'those')} that you skipped.")
        st.button("Label what I skipped", type="primary", key="queue.take_up", on_click=navigator.skipped.clear)
        return
    waiting = standing.open.waiting
    st.markdown(
        f"## You are done.\n\n{fmt.plural(waiting, 'claim')} {fmt.verb(waiting, 'waits', 'wait')} for a second "
        "reviewer. The result appears after that."
    )
    if st.button("Ask a second reviewer", icon=":material/person_add:", key="queue.ask_second"):
        assign_dialog(standing.check, standing.assigned, navigator.reviewer)


def _button(words: str, icon: str, navigator: QueueNavigator, action: str, key: str) -> None:
    st.button(
        words,
        icon=f":material/{icon}:",
        key=f"{key}.{action}",
        type="tertiary",
        on_click=partial(press, navigator, navigator.mark, action),
    )


def _do_press(navigator: QueueNavigator, press: KeyPress) -> None:
    """Do what a press asks for; raises FaithViewError if it cannot be done."""
    store = opened_store.store()
    navigator.check_mark(press.mark)
    match press.action:
        case "forward":
            navigator.forward(store)
        case "back":
            navigator.back(store)
        case "skip":
            navigator.skip(store)
        case "undo":
            if not navigator.undo(store):
                raise NotFound("You have no label in this spot-check to undo.")
        case verdict:
            note, corrected_text = (session.widget_text(f"{field}.{press.mark}") for field in _FIELDS)
            if press.mark is None:
                raise InvalidInput(NOT_ON_SCREEN)
            navigator.label(store, press.mark, verdict, note, corrected_text)


def _clear_words(press: KeyPress) -> None:
    if press.action in CHOICES:
        for field in _FIELDS:
            session.set_widget(f"{field}.{press.mark}", "")


def _why_not() -> str | None:
    """Return why this session may not label now: the role may be gone since the page was drawn."""
    navigator = session.QUEUE_NAVIGATOR.get()
    return identity.why_cannot_label(navigator.reviewer if isinstance(navigator, QueueNavigator) else None)


def expected_words(spot_check_id: int, claims: int) -> str | None:
    """Return the precision of a spot-check of this size: "Labelling all 16 claims gives the score to about ±0.15"."""
    return _expected_words(opened_store.store_key(), spot_check_id, claims)


@st.cache_data(max_entries=200, ttl=600, show_spinner=False)
def _expected_words(store: str, spot_check_id: int, claims: int) -> str | None:
    opened = opened_store.store()
    try:
        width = half_width_for(opened, spot_checks.get_spot_check(opened.db, spot_check_id).run_ids, claims)
    except FaithViewError:  # a run was deleted, or is judged again
        return None
    if width == 0:
        return f"Labelling {_all_claims_words(claims)} gives the exact score"
    return f"Labelling {_all_claims_words(claims)} gives the score to about {fmt.plus_minus(width)}" if width else None


def labels_needed_words(spot_check_id: int, step: int) -> str | None:
    """Return about how many more labels the next precision needs: "about 24 more labels for ±0.05".

    Args:
        spot_check_id: the spot-check that is being labelled.
        step: grows with the number of labels; a new step, or a minute later, means a new estimate.

    Returns:
        None if there is no estimate yet, or nothing more is needed.
    """
    return _labels_needed_words(opened_store.store_key(), spot_check_id, step)


# The estimate takes longer than a key press may take, so it is not repeated for every label.
@st.cache_data(max_entries=200, ttl=60, show_spinner=False)
def _labels_needed_words(store: str, spot_check_id: int, step: int) -> str | None:
    try:
        result = get_check_result(opened_store.store(), spot_check_id)
    except NotFound:
        return None
    if not result.needed:
        return None
    return f"about {fmt.plural(result.needed, 'more label')} for {fmt.plus_minus(result.half_width)}"


def _all_claims_words(claims: int) -> str:
    return "the only claim" if claims == 1 else f"all {fmt.count(claims)} claims"


HEIGHT = 560
_ESTIMATE_EVERY = 5  # labels between two estimates of how many more are needed
QUESTION = "What do the chunks say about the claim?"


@st.fragment
@opened_store.explaining()
def label_claims(check: SpotCheck, name: str) -> None:
    """Draw the reviewer's claim; a key press reruns this part of the page alone."""
    navigator = _navigator(check, name)
    answer_keys(navigator)
    step = navigator.current(opened_store.store())
    claim = step.claim
    show_progress(check, step, navigator)
    if claim is None:
        end_controls(navigator, check)
        take_keys(navigator, is_labelled=False)
        return
    place = f"{check.spot_check_id}.{claim.item.position}"
    claim_view(
        claim.sample,
        claim.text,
        claim.spans,
        subject=place,
        judged=None if claim.judged is None else (claim.judged, claim.certainty),
        key="queue.claim",
        height=HEIGHT,
        page_keys=PAGE_KEYS,
        mark=claim.mark,
    )
    with st.container(key=AREA):
        _verdict_line(claim, navigator, place)
        label_buttons(
            key=f"queue.label.{place}",
            chosen=choice_of(claim.second_thought or claim.own[-1]) if claim.is_labelled and claim.own else None,
            on_label=partial(press, navigator, claim.mark),
        )
        controls(navigator, place, claim.item.place, is_blind=claim.judged is None)
    take_keys(navigator, is_labelled=claim.is_labelled)


def _verdict_line(claim: QueuedClaim, navigator: QueueNavigator, place: str) -> None:
    """Draw the reviewer's verdict, and the judge's if it is shown; always one line, so nothing moves."""
    with st.container(horizontal=True, vertical_alignment="center", height=40, border=False, gap="medium"):
        words = QUESTION
        if claim.own:
            said = voice_words(claim.own[-1], claim.second_thought)
            words = (
                f"You{'' if claim.is_labelled else ', outside this spot-check'}: {said}{shared_words(claim.given_in)}"
            )
        if claim.judged is not None:
            agrees = claim.is_labelled and claim.own[-1].verdict is claim.judged.verdict
            words += f" &nbsp;&nbsp; Judge: {coloured_judged(claim.judged.verdict, claim.certainty)}"
            words += " :gray[(you agree)]" if agrees else ""
        st.markdown(words, width="content")
        if claim.is_labelled:
            go_on_button(navigator, place)


def show_progress(check: SpotCheck, step: QueueStep, navigator: QueueNavigator | None = None) -> None:
    """Draw how far the spot-check has come: "Claim 1 of 16. Labelling all 16 claims gives the score to about ±0.15.".

    Args:
        check: the spot-check.
        step: what is on screen.
        navigator: the reviewer's way; None before their name is known.
    """
    progress, claim = step.progress, step.claim
    done, items = progress.done, progress.items
    if claim is None:
        words = [f"{fmt.count(done)} of {fmt.plural(items, 'claim')} labelled"]
    elif claim.is_labelled:
        words = [f"A claim that you have labelled, {fmt.count(done)} of {fmt.count(items)} done"]
    else:
        words = [f"Claim {fmt.count(min(done + 1, items))} of {fmt.count(items)}"]
    if navigator is not None and (own := progress.by_reviewer.get(navigator.reviewer, 0)):
        words[0] += f", {fmt.count(own)} by you" if len(progress.by_reviewer) > 1 else ""
    if claim is not None:
        needed = labels_needed_words(check.spot_check_id, done // _ESTIMATE_EVERY) if done >= _ESTIMATE_EVERY else None
        words.append(f"The score so far needs {needed}" if needed else expected_words(check.spot_check_id, items) or "")
        seconds = None if navigator is None else navigator.seconds_left(items - done)
        words.append(f"About {fmt.duration(seconds)} left at your pace" if seconds and done < items else "")
        words.append("Blind: the judge is shown after your label" if check.is_blind and claim.judged is None else "")
    st.progress(done / items if items else 0.0, text=". ".join(word for word in words if word) + ".")


def _navigator(check: SpotCheck, name: str) -> QueueNavigator:
    last = session.QUEUE_NAVIGATOR.get()
    if isinstance(last, QueueNavigator) and (last.spot_check_id, last.reviewer) == (check.spot_check_id, name):
        return last
    navigator = QueueNavigator(spot_check_id=check.spot_check_id, reviewer=name)
    session.QUEUE_NAVIGATOR.set(navigator)
    return navigator
