"""Two answers to one question side by side: the claims, the chunks and the words that changed between them."""

import hashlib
import json

import streamlit as st

from faithview.services.comparison_detail import PairDetail
from faithview.services.labelling import NOT_A_CLAIM
from faithview.ui.components.assets import read_assets
from faithview.ui.components.pair_payload import build_pair
from faithview.ui.components.selection import keep_choice, settle_component
from faithview.ui.components.verdicts import NO_CLAIM_STYLE, browser_styles

_mount = st.components.v2.component(
    "faithview.pair_view",
    css=read_assets("answer_view.css", "pair_view.css"),
    js=read_assets("drawing.js", "folding.js", "pair_view.js"),
)


def pair_view(
    found: PairDetail, *, names: tuple[str, str], key: str, height: int = 640, brought: int = 0
) -> int | None:
    """Draw two answers, their claims and their chunks; return the number of the claim row that is selected, from 1.

    Args:
        found: the two answers.
        names: the runs' names, before and now.
        key: the component's key, unique on the page. It may stay the same from one pair to the next.
        height: in pixels.
        brought: grows each time that the view is to be scrolled to.

    Returns:
        A position from 1 in `order_claims`, None where no row is selected.
    """
    payload = build_pair(found, names=names)
    subject = hashlib.blake2b(json.dumps(payload).encode(), digest_size=12).hexdigest()
    numbers = range(1, len(payload["claims"]) + 1)
    settled = settle_component(key, subject=subject, asked=None)
    chosen = settled.choice if isinstance(settled.choice, int) and settled.choice in numbers else None
    _mount(
        key=key,
        height=height,
        data={
            "subject": subject,
            "turn": settled.turn,
            "selected": chosen,
            "height": height,
            "brought": brought,
            "styles": {**browser_styles(), NOT_A_CLAIM: dict(NO_CLAIM_STYLE)},
            "payload": payload,
        },
        on_choice_change=keep_choice,
    )
    return chosen
