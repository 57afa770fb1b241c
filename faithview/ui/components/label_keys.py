"""The keys and buttons that label claims: every press goes to the server with the claim that was marked at that moment.

The component draws only what becomes of the presses. It asks the view on the page (`answer_view`, `claim_view`) which
claim is marked, keeps each press until the server has answered it, and disables the page's buttons while they belong to
another claim than the marked one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.services.review.label_keys import PressLog
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.components.selection import keep_choice

_mount = st.components.v2.component(
    "faithview.label_keys",
    css=read_styles("label_keys"),
    js=read_script("label_keys"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """What a page's keys and buttons do.

    `keys` names the action of each key, `buttons` that of each button, by the end of the button's key, and `words` says
    what each action is called. `area` is the key of the container that holds the buttons and fields.
    """

    keys: Mapping[str, str]
    buttons: Mapping[str, str]
    words: Mapping[str, str]
    area: str


def label_keys(
    keyboard: Keyboard,
    *,
    key: str,
    log: PressLog,
    mark: str | None,
    waits: bool,
    claimless: Sequence[str] = (),
    refusal: str | None = None,
    unmarked: str = "no claim is on screen",
    sticks: bool = False,
) -> None:
    """Take the page's label keys; `session.widget_value(key)` holds the presses, for `read_presses`.

    Args:
        keyboard: what the keys and buttons do.
        key: the component's key, unique in the dashboard.
        log: the presses that are answered; the page shows what was refused.
        mark: the mark of the claim that the buttons in `keyboard.area` belong to, None for no claim.
        waits: whether each press changes what is on screen, so that the next one is refused until it is answered.
        claimless: the actions that need no marked claim.
        refusal: why no key may label now, as a sentence; None if keys may.
        unmarked: why a key does nothing while no claim is marked, without the full stop.
        sticks: whether the buttons and fields stay at the lower edge of the window where the page is longer.
    """
    _mount(
        key=key,
        height=1,
        data={
            "page": key,
            "keys": dict(keyboard.keys),
            "buttons": dict(keyboard.buttons),
            "words": dict(keyboard.words),
            "area": f".st-key-{keyboard.area}",
            "mark": mark,
            "waits": waits,
            "claimless": list(claimless),
            "refusal": refusal,
            "unmarked": unmarked,
            "sticks": sticks,
            "acknowledged": log.acknowledged,
            "answers": [{"sequence": answer.sequence, "refusal": answer.refusal} for answer in log.answers],
        },
        on_presses_change=keep_choice,
    )
