"""The choice of the reviewers who are asked to label."""

import streamlit as st

from faithview.store.spot_checks import list_reviewers
from faithview.ui import identity, opened_store


def choose_reviewers(label: str, *, key: str, default: tuple[str, ...] = ()) -> list[str]:
    """Draw a choice of reviewers and return those chosen.

    With log-in, only reviewers who may label can be chosen; without, any name can be written.
    """
    allowed = identity.known_reviewers()
    own = identity.current_reviewer()
    names = allowed if allowed is not None else list_reviewers(opened_store.store().db)
    known = sorted({*names, *default, *([own] if own and allowed is None else [])}, key=str.casefold)
    chosen: list[str] = st.multiselect(
        label,
        known,
        default=list(default),
        accept_new_options=allowed is None,
        placeholder="Choose reviewers" if allowed is not None else "Choose or write names",
        key=key,
    )
    return chosen


def refuse_unknown(names: list[str]) -> str | None:
    """Return, as a sentence, why these reviewers cannot be asked; None if they can. Call it right before the write."""
    allowed = identity.known_reviewers()
    if allowed is None:
        return None
    strangers = [name for name in names if name.casefold() not in {known.casefold() for known in allowed}]
    return f"{strangers[0]} may not label: an admin has to give them the role reviewer first." if strangers else None
