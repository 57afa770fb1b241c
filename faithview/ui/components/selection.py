"""Which choice counts when both the page and the person may have made one since the last run of the script.

A component shows a choice at once and reports it afterwards, and the page may ask for another one at any time (a link,
the back button). The newest wins: what the person has chosen since the last run, else what the page has newly asked
for, else what was chosen before.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

Choice = int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What was settled in one run of the script.

    `subject` names what was chosen from, `asked` is what the page asked for, `turn` the browser's time of the person's
    last choice in ms (0 for none), `choice` what came out of it.
    """

    subject: str
    asked: Choice
    turn: float
    choice: Choice


def settle(*, subject: str, asked: Choice, reported: object, before: Settled | None) -> Settled:
    """Return which choice counts now.

    Args:
        subject: names what is chosen from; choices from something else do not count.
        asked: what the page asks for in this run, None for nothing.
        reported: what the browser reported last: a mapping with `subject`, `turn` and `value`, or anything else where
            it has reported nothing. It comes from outside: the caller checks that the choice exists.
        before: what was settled in the last run, None in the first.
    """
    turn = before.turn if before else 0.0
    if isinstance(reported, Mapping) and reported.get("subject") == subject:
        at, value = reported.get("turn"), reported.get("value")
        if isinstance(at, int | float) and at > turn and (value is None or isinstance(value, int | str)):
            return Settled(subject=subject, asked=asked, turn=float(at), choice=value)
    if before is None or before.subject != subject or before.asked != asked:
        return Settled(subject=subject, asked=asked, turn=turn, choice=asked)
    return Settled(subject=subject, asked=asked, turn=turn, choice=before.choice)


def settle_component(key: str, *, subject: str, asked: Choice) -> Settled:
    """Settle the choice of the component with this key, before it is drawn, and remember it for the next run.

    This reaches into session state itself, beside `ui/state.py`, because it is the component's own memory: no page
    reads it.
    """
    memory = _memory(key)
    state = st.session_state.get(key)
    reported = state.get("choice") if isinstance(state, Mapping) else None
    settled = settle(subject=subject, asked=asked, reported=reported, before=st.session_state.get(memory))
    st.session_state[memory] = settled
    return settled


def forget_choice(key: str) -> None:
    """Forget a choice that led to another page: coming back must not make it again."""
    st.session_state.pop(_memory(key), None)


def _memory(key: str) -> str:
    return f"{key}.settled"


def keep_choice() -> None:
    """Do nothing: Streamlit keeps only states with a callback; the choice is read in the run that follows."""
