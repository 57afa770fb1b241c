"""The choice of reviewers: names where log-in is off, else the people who may label."""

import streamlit as st

from faithview.services.review.teams.assignments import list_reviewers
from faithview.ui.shell import app, identity


def choose_reviewers(label: str, *, key: str, default: tuple[str, ...] = ()) -> list[str]:
    """Draw a choice of reviewers and return those chosen.

    Where log-in is on, only people who may label can be chosen; where it is off, any name can be written.
    """
    allowed = identity.known_reviewers()
    own = identity.current_reviewer()
    names = allowed if allowed is not None else list_reviewers(app.services())
    known = sorted({*names, *default, *([own] if own and allowed is None else [])}, key=str.casefold)
    chosen: list[str] = st.multiselect(
        label,
        known,
        default=list(default),
        accept_new_options=allowed is None,
        placeholder="Choose people" if allowed is not None else "Choose or write names",
        key=key,
    )
    return chosen


def refuse_unknown(names: list[str]) -> str | None:
    """Return why these people cannot be asked, as a sentence; None where they can. For right before the write."""
    allowed = identity.known_reviewers()
    if allowed is None:
        return None
    strangers = [name for name in names if name.casefold() not in {known.casefold() for known in allowed}]
    return f"{strangers[0]} may not label: an admin has to give them the role reviewer first." if strangers else None
