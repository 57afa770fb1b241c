"""Label keys on a page: what was pressed since the last run of the script is answered before anything is drawn."""

from collections.abc import Callable, Mapping
from functools import partial

from faithview.services.review.label_keys import KeyPress, PressLog, read_presses
from faithview.ui.shell import session


def press_log(key: str) -> PressLog:
    """Return which presses of the keys with that key (see `label_keys`) are answered in this session."""
    value = session.press_log(key)
    log = value.get()
    if not isinstance(log, PressLog):
        log = PressLog()
        value.set(log)
    return log


def answer_presses(
    key: str, action: Callable[[KeyPress], object], *, refusal: str | None, then: Callable[[KeyPress], object]
) -> None:
    """Answer every press that the browser reported and that has no answer yet, in their order.

    Args:
        key: the key of the page's label keys.
        action: does what a press asks for; after it has stored anything it may not touch the session, where a run of
            the script may end.
        refusal: why this session may do nothing, None if it may.
        then: is called after each press that was done.
    """
    log = press_log(key)
    for press in log.unanswered(read_presses(_reported(key))):
        if log.answer(press, partial(action, press), refusal=refusal):
            then(press)


def _reported(key: str) -> object:
    state = session.widget_value(key)
    return state.get("presses") if isinstance(state, Mapping) else None
