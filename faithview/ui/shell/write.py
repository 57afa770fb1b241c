"""Writes that a click starts: done if this session may, and explained on the page that follows if they fail.

A page shows a button by the role of its last run; the role may be gone when the click arrives, so it is checked here.
"""

from collections.abc import Callable

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.ui.shell import identity, session
from faithview.wording import numbers as fmt


def write(action: Callable[[], object], *, place: str, refusal: str | None) -> bool:
    """Do `action` in a callback; return whether it was done.

    Args:
        action: what writes; a FaithViewError that it raises becomes the message.
        place: names the part of the page that shows the message with `show_message`.
        refusal: why this session may not do it (`identity.why_cannot_label`, `identity.why_cannot_run`), None if it
            may.
    """
    if refusal is not None:
        identity.note_refusal(place, refusal)
        set_message(place, refusal)
        return False
    try:
        action()
    except FaithViewError as error:
        set_message(place, fmt.literal(str(error)))
        return False
    return True


def set_message(place: str, message: str) -> None:
    """Set the message, in Markdown, that `show_message` draws in the next run."""
    session.write_message(place).set(message)


def show_message(place: str) -> None:
    """Draw, once, why the last write at this place was not done."""
    if message := session.write_message(place).take():
        st.warning(message, icon=":material/info:")


def allow(refusal: str | None) -> bool:
    """Return whether a write may follow in this run of the script; draw the refusal where it may not."""
    if refusal is not None:
        identity.note_refusal(f"page {session.PAGES.get()[1] or 'overview'}", refusal)
        st.error(refusal, icon=":material/lock:")
    return refusal is None
