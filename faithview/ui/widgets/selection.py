"""Which choice counts when both the page and the person may have made one since the last run of the script.

A component shows a choice at once and reports it afterwards, and the page may ask for another one at any time (a link,
the back button). The newest wins: the person's choice since the last run, else what the page newly asks for, else the
choice before. A step back or forward counts as a choice of what the page asks for then: without the report, its address
would pass for one from before the last choice, which runs of the script still come with while the browser waits for
the new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

Choice = int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is selected in one run of the script.

    `subject` names what was chosen from, `requested` is what the page asked for, `turn` the browser's time of the
    person's last choice in ms (0 for none), `choice` what is selected.
    """

    subject: str
    requested: Choice
    turn: float
    choice: Choice


def newest_selection(*, subject: str, requested: Choice, reported: object, before: Selection | None) -> Selection:
    """Return the selection that counts now.

    Args:
        subject: names what is chosen from; choices from something else do not count.
        requested: what the page asks for in this run, None for nothing.
        reported: what the browser reported last: a mapping with `subject`, `turn` and `value`, and with `is_step` where
            the person went a step back or forward; anything else where it has reported nothing. It comes from outside:
            the caller checks that the choice exists.
        before: the selection of the last run, None in the first.
    """
    turn = before.turn if before else 0.0
    if isinstance(reported, Mapping) and reported.get("subject") == subject:
        at, value = reported.get("turn"), reported.get("value")
        if reported.get("is_step") is True:
            value = requested
        if isinstance(at, int | float) and at > turn and (value is None or isinstance(value, int | str)):
            return Selection(subject=subject, requested=requested, turn=float(at), choice=value)
    if before is None or before.subject != subject or before.requested != requested:
        return Selection(subject=subject, requested=requested, turn=turn, choice=requested)
    return Selection(subject=subject, requested=requested, turn=turn, choice=before.choice)


def component_selection(key: str, *, subject: str, requested: Choice) -> Selection:
    """Return the selection of the component with this key, before it is drawn, and remember it for the next run.

    This reads session state directly, not through `ui/session.py`: it is the component's own memory, which no
    page reads.
    """
    memory = _memory(key)
    state = st.session_state.get(key)
    reported = state.get("choice") if isinstance(state, Mapping) else None
    selection = newest_selection(
        subject=subject, requested=requested, reported=reported, before=st.session_state.get(memory)
    )
    st.session_state[memory] = selection
    return selection


def forget_choice(key: str) -> None:
    """Forget a choice that led to another page, so coming back does not repeat it."""
    st.session_state.pop(_memory(key), None)


def _memory(key: str) -> str:
    return f"{key}.selection"


def keep_choice() -> None:
    """Do nothing: Streamlit keeps only states with a callback; the choice is read in the run that follows."""
