"""Parts of the queue page: the keys, buttons and fields around the claim, and what they do.

A button does the same as its key: in the browser, `label_keys` turns a click into a press.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.review import reveals
from faithview.services.review.label_keys import UNDO, KeyPress
from faithview.services.review.teams.assignments import ReviewerQueue, get_reviewer_queue
from faithview.ui.components.label_buttons import CHOICES
from faithview.ui.components.label_keys import Keyboard, label_keys
from faithview.ui.parts.label_presses import answer_presses, press_log
from faithview.ui.parts.teams.claim_notes import claim_notes
from faithview.ui.queue.check_list import assign_dialog
from faithview.ui.queue.navigator import NOT_ON_SCREEN, QueueNavigator
from faithview.ui.queue.result_list import show_results
from faithview.ui.queue.result_page import finished_result
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICTS, verdict_word

_WRITE_PLACE = "queue"
_NOTE = ".st-key-queue_note input"
_FIELDS = _NOTE_FIELD, _CORRECTED_FIELD = "queue.note", "queue.corrected"
PAGE_KEYS = {
    "?": ".st-key-queue_keys button",
    "n": _NOTE,
    "Escape": _NOTE,
}
_KEYS = (
    ("1, 2, 3, 4", ", ".join(VERDICTS[verdict].word.lower() for verdict in Verdict)),
    ("5", "not a claim: the judge mistook something else for a claim"),
    ("R", "in a blind spot-check: reveal the judge's verdict on a claim that you have labelled"),
    ("Enter", "next claim, from one that you have labelled"),
    ("J, K", "next and previous claim"),
    ("S", "skip: put the claim aside for now"),
    ("U", "undo: take your newest label back"),
    ("N", "write a note; Esc leaves the field"),
    ("?", "this list"),
)


AREA = "queue_area"  # the container of the buttons and fields, which belong to one claim
_LABEL_KEYS = "queue.label_keys"
_FORWARD, _BACK, _SKIP, _REVEAL = "forward", "back", "skip", "reveal"
_MOVES = MappingProxyType({"j": _FORWARD, "k": _BACK, "s": _SKIP, "u": UNDO})
_LABELS = MappingProxyType({str(number): choice for number, choice in enumerate(CHOICES, start=1)})
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **{choice: verdict_word(choice) for choice in CHOICES},
        _FORWARD: "next claim",
        _BACK: "previous claim",
        _SKIP: "skip",
        _REVEAL: "reveal the judge",
        UNDO: "undo",
    }
)
_BUTTONS = MappingProxyType({**{action: action for action in _WORDS}, "go": _FORWARD})


def answer_keys(navigator: QueueNavigator) -> None:
    """Do what was pressed since the last run of the script; before the claim is drawn."""
    answer_presses(_LABEL_KEYS, partial(_do_press, navigator), refusal=_why_not(), then=_clear_words)


def take_keys(navigator: QueueNavigator, check: SpotCheck, *, is_labelled: bool) -> None:
    """Take the keys for the claim on screen, or for the end of the queue.

    Enter goes on from a claim that is labelled; it does not leave one that is not. R reveals the judge where it is
    hidden.
    """
    keys = {**_LABELS, **_MOVES}
    if is_labelled:
        keys["Enter"] = _FORWARD
    if check.is_blind:
        keys["r"] = _REVEAL
    keyboard = Keyboard(keys=keys, buttons=_BUTTONS, words=_WORDS, area=AREA)
    label_keys(
        keyboard,
        key=_LABEL_KEYS,
        log=press_log(_LABEL_KEYS),
        mark=navigator.mark,
        waits=True,
        claimless=(_BACK, UNDO, _REVEAL) if navigator.mark is None else (),
        refusal=_why_not(),
        sticks=navigator.mark is not None,
    )


def press(navigator: QueueNavigator, mark: str | None, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press; for a callback."""
    one = KeyPress(sequence=0, mark=mark, action=action)
    if write.write(partial(_do_press, navigator, one), place=_WRITE_PLACE, refusal=_why_not()):
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
        with st.container(key="queue_keys", width="content"):
            if st.button("Keys", type="tertiary", icon=":material/keyboard:", key="queue.keys"):
                _key_sheet()
    write.show_message(_WRITE_PLACE)


def reveal_button(navigator: QueueNavigator, place: str, *, is_labelled: bool) -> None:
    """Draw the button that reveals the judge's verdict on the claim, once the reviewer has labelled it."""
    st.button(
        "Reveal the judge (R)",
        icon=":material/visibility:",
        type="tertiary",
        key=f"queue.{place}.{_REVEAL}",
        disabled=not is_labelled,
        help=None if is_labelled else reveals.LABEL_FIRST,
        on_click=partial(press, navigator, navigator.mark, _REVEAL),
    )


def go_on_button(navigator: QueueNavigator, place: str) -> None:
    """Draw the button that leads from a labelled claim to the next."""
    with st.container(key="queue_go", width="content"):
        forward = partial(press, navigator, navigator.mark, _FORWARD)
        st.button("Next claim (Enter)", type="tertiary", key=f"queue.{place}.go", on_click=forward)


def end_controls(navigator: QueueNavigator, check: SpotCheck) -> None:
    """Draw the end of the queue: the result, or what waits for others, the reviewer's labels, and the ways back."""
    services = app.services()
    standing = get_reviewer_queue(services, check.spot_check_id, navigator.reviewer)
    if standing.is_done and check.is_blind:  # nothing is left that the judge's verdicts could influence
        navigator.reveal(services, None)
    results = reveals.list_results(services, check.spot_check_id, reviewer=navigator.reviewer)
    if standing.is_done:
        finished_result(check, navigator.reviewer, results)
    else:
        _unfinished(navigator, standing)
    with st.container(horizontal=True, key=AREA):
        if any(result.judged is None for result in results):
            _button("Reveal the judge (R)", "visibility", navigator, _REVEAL, "queue.end")
        if results:
            _button("Previous (K)", "arrow_back", navigator, _BACK, "queue.end")
            _button("Undo (U)", "undo", navigator, UNDO, "queue.end")
    write.show_message(_WRITE_PLACE)
    if not standing.is_done:
        show_results(results, key=f"queue.results.{check.spot_check_id}")


def _unfinished(navigator: QueueNavigator, standing: ReviewerQueue) -> None:
    if navigator.skipped:
        number = len(navigator.skipped)
        st.markdown(f"{fmt.plural(number, 'claim')} left: {fmt.verb(number, 'the one', 'those')} that you skipped.")
        st.button("Label what I skipped", type="primary", key="queue.take_up", on_click=navigator.skipped.clear)
        return
    waiting, left = standing.open.waiting, standing.open.left
    words = ["## You are done."]
    if waiting:
        words.append(
            f"{fmt.plural(waiting, 'claim')} {fmt.verb(waiting, 'waits', 'wait')} for a second reviewer. "
            "The result appears after that."
        )
    if left:
        words.append(f"Other reviewers are labelling {fmt.plural(left, 'more claim')} now.")
    st.markdown("\n\n".join(words))
    with st.container(horizontal=True):
        if waiting and st.button("Ask a second reviewer", icon=":material/person_add:", key="queue.ask_second"):
            assign_dialog(standing.check, standing.assigned, navigator.reviewer)
        if left:
            st.button("Check again", icon=":material/refresh:", key="queue.again")


def _button(words: str, icon: str, navigator: QueueNavigator, action: str, key: str) -> None:
    st.button(
        words,
        icon=f":material/{icon}:",
        key=f"{key}.{action}",
        type="tertiary",
        on_click=partial(press, navigator, navigator.mark, action),
    )


@st.dialog("Keys")
def _key_sheet() -> None:
    st.markdown("\n".join(["| Key | Does |", "| --- | --- |", *(f"| {key} | {action} |" for key, action in _KEYS)]))
    st.caption("Keys do nothing while you type in a field.")


def _do_press(navigator: QueueNavigator, press: KeyPress) -> None:
    """Do what a press asks for; raises FaithViewError where it cannot be done."""
    services = app.services()
    navigator.check_mark(press.mark)
    match press.action:
        case "forward":
            navigator.forward(services)
        case "back":
            _back(navigator)
        case "skip":
            navigator.skip(services)
        case "reveal":
            navigator.reveal(services, press.mark)
        case "undo":
            if not navigator.undo(services):
                raise NotFound("You have no label in this spot-check to undo.")
        case verdict:
            note, corrected_text = (session.widget_text(f"{field}.{press.mark}") for field in _FIELDS)
            if press.mark is None:
                raise InvalidInput(NOT_ON_SCREEN)
            navigator.label(services, press.mark, verdict, note, corrected_text)


def _clear_words(press: KeyPress) -> None:
    if press.action in CHOICES:
        for field in _FIELDS:
            session.set_widget(f"{field}.{press.mark}", "")


def _back(navigator: QueueNavigator) -> None:
    has_earlier = bool(navigator.history) and navigator.index != 0
    if not navigator.back(app.services()) and has_earlier:
        raise NotFound("Other reviewers have taken the claims that you left before this one.")


def _why_not() -> str | None:
    """Return why this session may not label now: the role may be gone since the page was drawn."""
    navigator = session.QUEUE_NAVIGATOR.get()
    return identity.why_cannot_label(navigator.reviewer if isinstance(navigator, QueueNavigator) else None)
