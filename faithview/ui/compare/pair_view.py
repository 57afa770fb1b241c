"""Two answers to one question side by side: the claims, the chunks and the words that changed between them."""

import hashlib
import json
from pathlib import Path

import streamlit as st

from faithview.domain.label import NOT_A_CLAIM
from faithview.services.comparison.pair_detail import PairDetail
from faithview.ui.compare.pair_payload import build_pair
from faithview.ui.components.component_files import read_component_files
from faithview.ui.components.selection import component_selection, keep_choice
from faithview.ui.components.verdict_styles import browser_styles
from faithview.wording.verdicts import NO_CLAIM_STYLE

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "faithview.pair_view",
    css=read_component_files("answer_view.css", "pair_view.css", folder=_FOLDER),
    js=read_component_files("drawing.js", "folding.js", "pair_view.js", folder=_FOLDER),
)


def pair_view(
    detail: PairDetail, *, names: tuple[str, str], key: str, height: int = 640, scroll_into_view_token: int = 0
) -> int | None:
    """Draw two answers, their claims and their chunks; return the number of the claim row that is selected, from 1.

    Args:
        detail: the two answers.
        names: the runs' names, before and now.
        key: the component's key, unique on the page. It may stay the same from one pair to the next.
        height: in pixels.
        scroll_into_view_token: the view scrolls into sight each time that this number has grown.

    Returns:
        A position from 1 in `order_claims`, None where no row is selected.
    """
    payload = build_pair(detail, names=names)
    subject = hashlib.blake2b(json.dumps(payload).encode(), digest_size=12).hexdigest()
    numbers = range(1, len(payload["claims"]) + 1)
    selection = component_selection(key, subject=subject, requested=None)
    chosen = selection.choice if isinstance(selection.choice, int) and selection.choice in numbers else None
    _mount(
        key=key,
        height=height,
        data={
            "subject": subject,
            "turn": selection.turn,
            "selected": chosen,
            "height": height,
            "scroll_into_view_token": scroll_into_view_token,
            "styles": {**browser_styles(), NOT_A_CLAIM: dict(NO_CLAIM_STYLE)},
            "payload": payload,
        },
        on_choice_change=keep_choice,
    )
    return chosen
