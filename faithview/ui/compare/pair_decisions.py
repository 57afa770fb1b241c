"""People's word on what belongs together: who gives it, and how it is stored."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.services.comparison.compare import Comparison, PairChoice, decide_pair
from faithview.ui.shell import app, identity

_SAID = "compare.said"


def signed_as() -> str | None:
    """Return under whose name a choice would be stored; None where nobody may store one yet."""
    name = identity.who()
    return name if identity.may_write(name) else None


def sign_button(label: str, *, key: str) -> None:
    """Draw the way to become somebody who may choose; to whom may not, say so."""
    if identity.who() is not None:
        st.caption(identity.REFUSED)
    elif st.button(label, icon=":material/person:", key=key):
        _sign()


def choose(found: Comparison, choices: Sequence[PairChoice], name: str) -> None:
    """Store choices, if the person still may; what went wrong is said by `say_outcome` in the run that follows."""
    if not identity.may_write(name):
        st.session_state[_SAID] = identity.REFUSED
        return
    try:
        decide_pair(app.services(), found.baseline.run_id, found.candidate.run_id, choices, by=name)
    except FaithViewError as error:
        st.session_state[_SAID] = str(error)


def say_outcome() -> None:
    """Say, once, why the last choice was not stored."""
    said = st.session_state.pop(_SAID, None)
    if said:
        st.error("Not stored.", icon=":material/error:")
        st.text(said)


@st.dialog("Who are you?")
def _sign() -> None:
    st.caption("Your name stands beside what you decide, as it does beside labels.")
    if identity.ask_who() is not None:
        st.rerun()
