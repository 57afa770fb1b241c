"""One claim alone, marked in its answer beside the chunks: with the judge's verdict, or with nothing of the judge."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import streamlit as st

from faithview.domain.claim import Claim
from faithview.domain.sample import Sample
from faithview.ui.components.answer_payload import UNJUDGED, build_blind_payload, build_claim_payload
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.components.verdict_styles import browser_styles

_mount = st.components.v2.component(
    "faithview.claim_view",
    css=read_styles("answer_view"),
    js=read_script("answer_view"),
)

# No verdict's colour, and no word: the mark only shows where the claim is.
_NEUTRAL = {
    "word": "",
    "stroke": "",
    "fill": "",
    "light": "#45505f",
    "dark": "#c3c9d2",
    "light_area": "#45505f",
    "dark_area": "#c3c9d2",
    "underline": "solid 2px",
}
_NO_KEYS: Mapping[str, str] = MappingProxyType({})


def claim_view(
    sample: Sample,
    text: str,
    spans: Iterable[tuple[int, int]],
    *,
    subject: str,
    judged: Claim | None,
    key: str,
    height: int,
    page_keys: Mapping[str, str] = _NO_KEYS,
    mark: str | None = None,
) -> None:
    """Draw the claim in its answer, and the chunks whole.

    Args:
        sample: the answer with its question and chunks.
        text: the claim's words.
        spans: its places `[start, end)` in the answer; none where it has none.
        subject: names the claim, so that the view starts anew with another one.
        judged: the claim with the judge's verdict, reason and evidence; None to hide the judge: then nothing of it
            reaches the browser.
        key: the component's key, unique on the page.
        height: in pixels.
        page_keys: by key ("?", "n", "Enter"), a CSS selector of the button that it presses or the field that it goes
            to; "Escape" names the fields that it leaves.
        mark: what label keys send for the claim (see `services.review.label_keys`); None where the page takes none.
    """
    payload = build_claim_payload(sample, judged) if judged else build_blind_payload(sample, text, spans)
    _mount(
        key=key,
        height=height,
        data={
            "subject": f"{subject} {'blind' if judged is None else 'judged'}",
            "marks": [] if mark is None else [mark],
            "turn": 0,
            "selected": {"number": 1},
            "is_single": True,
            "height": height,
            "page_keys": dict(page_keys),
            "styles": {**browser_styles(), UNJUDGED: _NEUTRAL},
            "payload": payload,
        },
    )
