"""Parts of the queue page: the keys, buttons and fields around the claim, and what they do."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.ui.queue.navigator import QueueNavigator
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICTS

_WRITE_PLACE = "queue"
_NOTE = ".st-key-queue_note input"
PAGE_KEYS = {
    "?": ".st-key-queue_keys button",
    "n": _NOTE,
    "Enter": ".st-key-queue_go button",
    "Escape": _NOTE,
}
_KEYS = (
    ("1, 2, 3, 4", ", ".join(VERDICTS[verdict].word.lower() for verdict in Verdict)),
    ("5", "not a claim: the judge mistook something else for a claim"),
    ("Enter", "next claim, once the judge's verdict is shown"),
    ("J, K", "next and previous claim"),
    ("S", "skip: put the claim aside for now"),
    ("U", "undo: take your newest label back"),
    ("N", "write a note; Esc leaves the field"),
    ("?", "this list"),
)


def store_label(navigator: QueueNavigator, position: int, place: str, verdict: str) -> None:
    """Store a verdict, with the texts in the fields, on the claim at that position; for a callback."""
    _guarded(partial(_store_label, navigator, position, place, verdict))


def controls(navigator: QueueNavigator, place: str) -> None:
    """Draw the fields and buttons below a claim; `place` names the claim in the keys of widgets."""
    services = app.services()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container(key="queue_note", width=330):
            st.text_input(
                "Note",
                key=_note_key(place),
                placeholder="Note (N), stored with your next label",
                label_visibility="collapsed",
            )
        st.text_input(
            "Corrected text",
            key=_corrected_key(place),
            placeholder="What the claim should say, if you know",
            label_visibility="collapsed",
            width=290,
        )
        key = f"queue.{place}"
        _button("Previous", "arrow_back", "K", f"{key}.back", partial(_back, navigator))
        _button("Next", "arrow_forward", "J", f"{key}.forward", partial(navigator.forward, services))
        _button("Skip", "redo", "S", f"{key}.skip", partial(navigator.skip, services))
        _button("Undo", "undo", "U", f"{key}.undo", partial(_undo, navigator))
        with st.container(key="queue_keys", width="content"):
            if st.button("Keys", type="tertiary", icon=":material/keyboard:", key="queue.keys"):
                _key_sheet()
    write.show_message(_WRITE_PLACE)


def go_on_button(navigator: QueueNavigator, place: str) -> None:
    """Draw the button that leads from a revealed claim to the next."""
    with st.container(key="queue_go", width="content"):
        forward = partial(navigator.forward, app.services())
        st.button("Next claim (Enter)", type="tertiary", key=f"queue.{place}.go", on_click=partial(_guarded, forward))


def end_controls(navigator: QueueNavigator, *, waiting: int) -> None:
    """Draw why no claim is left for this reviewer, and the ways back; `waiting` claims still lack a label."""
    if navigator.skipped:
        number = len(navigator.skipped)
        st.markdown(f"Only the {fmt.plural(number, 'claim')} that you put aside {fmt.verb(number, 'is', 'are')} left.")
        st.button("Label them now", type="primary", key="queue.take_up", on_click=navigator.skipped.clear)
    elif not waiting:
        st.markdown("Every claim of this spot-check is labelled.")
    else:
        waits = fmt.verb(waiting, "waits", "wait")
        st.markdown(f"You are done for now. {fmt.plural(waiting, 'claim')} {waits} for other reviewers.")
        st.button("Check again", icon=":material/refresh:", key="queue.again")
    with st.container(horizontal=True):
        _button("Previous", "arrow_back", "K", "queue.end.back", partial(_back, navigator))
        _button("Undo", "undo", "U", "queue.end.undo", partial(_undo, navigator))


def _button(words: str, icon: str, shortcut: str, key: str, action: Callable[[], object]) -> None:
    st.button(
        words,
        icon=f":material/{icon}:",
        shortcut=shortcut,
        key=key,
        type="tertiary",
        on_click=partial(_guarded, action),
    )


@st.dialog("Keys")
def _key_sheet() -> None:
    st.markdown("\n".join(["| Key | Does |", "| --- | --- |", *(f"| {key} | {action} |" for key, action in _KEYS)]))
    st.caption("Keys do nothing while you type in a field.")


def _store_label(navigator: QueueNavigator, position: int, place: str, verdict: str) -> None:
    fields = (_note_key(place), _corrected_key(place))
    note, corrected_text = (session.widget_text(field) for field in fields)
    if navigator.label(app.services(), position, verdict, note, corrected_text):
        for field in fields:
            session.set_widget(field, "")


def _undo(navigator: QueueNavigator) -> None:
    if not navigator.undo(app.services()):
        write.set_message(_WRITE_PLACE, "You have no label in this spot-check to undo.")


def _back(navigator: QueueNavigator) -> None:
    has_earlier = bool(navigator.history) and navigator.index != 0
    if not navigator.back(app.services()) and has_earlier:
        write.set_message(_WRITE_PLACE, "Other reviewers have taken the claims that you left before this one.")


def _guarded(action: Callable[[], object]) -> None:
    """Do what a key asks for if this session may label now; the page that follows explains what went wrong."""
    navigator = session.QUEUE_NAVIGATOR.get()
    reviewer = navigator.reviewer if isinstance(navigator, QueueNavigator) else None
    write.write(action, place=_WRITE_PLACE, refusal=identity.why_cannot_label(reviewer))


def _note_key(place: str) -> str:
    return f"queue.note.{place}"


def _corrected_key(place: str) -> str:
    return f"queue.corrected.{place}"
