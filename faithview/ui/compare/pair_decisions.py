"""Which answers and claims belong together, as people decide it: who may decide, and how a decision is stored."""

from collections.abc import Sequence

import streamlit as st

from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.pair_decisions import PairDecision, decide_pair
from faithview.ui.shell import app, identity, write

_WRITE_PLACE = "compare"


def deciding_reviewer() -> str | None:
    """Return under whose name a decision would be stored; None where this session may not decide yet."""
    name = identity.current_reviewer()
    return name if identity.can_label(name) else None


def sign_in_button(label: str, *, key: str) -> None:
    """Draw the button that asks for a name; explain instead where the person's role does not let them decide."""
    if identity.current_reviewer() is not None:
        st.caption(identity.cannot_label())
    elif st.button(label, icon=":material/person:", key=key):
        _ask_for_name()


def store_decisions(comparison: Comparison, choices: Sequence[PairDecision], name: str) -> None:
    """Store what a person decided, if they still may; `show_message` explains a failure in the next run."""
    write.write(
        lambda: decide_pair(app.services(), comparison.baseline.run_id, comparison.candidate.run_id, choices, by=name),
        place=_WRITE_PLACE,
        refusal=identity.why_cannot_label(name),
    )


def show_message() -> None:
    """Draw, once, why the last decision was not stored."""
    write.show_message(_WRITE_PLACE)


@st.dialog("Who are you?")
def _ask_for_name() -> None:
    st.caption("Your name is stored with your decision, as it is with labels.")
    if identity.ask_reviewer(place=".dialog") is not None:
        st.rerun()
