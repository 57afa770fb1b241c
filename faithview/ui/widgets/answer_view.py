"""One answer beside its chunks, with claims and evidence marked in place and linked both ways; or one claim alone."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.domain.scoring import ReviewedAnswer
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.widgets.answer_payload import (
    UNJUDGED,
    GivenMark,
    build_blind_payload,
    build_claim_payload,
    build_payload,
    build_reviewed_payload,
    with_given_marks,
)
from faithview.ui.widgets.selection import component_selection, keep_choice
from faithview.wording.palette import NO_VERDICT
from faithview.wording.verdict_styles import NO_CLAIM_STYLE

_mount = st.components.v2.component(
    "faithview.answer_view",
    css=read_styles("reading", "answer_view"),
    js=read_script("answer_view"),
)


_UNREVIEWED = ReviewedAnswer()


def answer_view(
    sample: Sample,
    result: Result,
    *,
    key: str,
    claim: int | None = None,
    height: int | None = 620,
    reviewed: ReviewedAnswer = _UNREVIEWED,
    view: View = View.JUDGE,
    row: str | None = None,
    marks: Sequence[str] = (),
    given: Sequence[tuple[int, int, GivenMark]] = (),
) -> int | None:
    """Draw an answer, its claims and its chunks; return the number of the claim that is selected, from 1.

    The key may stay the same from one answer to the next: a choice never carries over to another answer.

    Args:
        sample: the answer with its question and chunks.
        result: the verdicts on it; its spans must be verified (`verify_claims`).
        key: the component's key, unique on the page.
        claim: the claim that the page wants selected (from a link, say), None for none. A number that the answer does
            not have counts as None.
        height: in pixels; None for as much as the window has left, so the page itself need not scroll.
        reviewed: the answer with the reviewers' verdicts.
        view: whose verdicts are marked; the others' are shown beside them.
        row: the answer's key in the list of answers on the page; None if there is no list.
        marks: what label keys send for each claim, in the order of their numbers (see `services.review.key_presses`).
        given: the start and end of what people of the data set marked in the answer, with what they said.

    Returns:
        The selected claim, None for none; higher numbers than the judge's claims are claims that reviewers added, in
        order. What the person chose last wins over a `claim` that was asked for before.
    """
    payload = build_reviewed_payload(sample, result, reviewed, view)
    if given:
        payload["answer"] = with_given_marks(payload["answer"], given)
    # Labels do not make it another answer: the person's place in it stays.
    subject = _digest([row, build_payload(sample, result)])
    numbers = range(1, len(payload["claims"]) + 1)
    selection = component_selection(key, subject=subject, requested=claim if claim in numbers else None)
    chosen = selection.choice if isinstance(selection.choice, int) and selection.choice in numbers else None
    _mount(
        key=key,
        height="content" if height is None else height,
        data={
            "subject": subject,
            "revision": _digest(payload),
            "row": row,
            "marks": list(marks),
            "turn": selection.turn,
            "selected": None if chosen is None else {"number": chosen},
            "height": height,
            "styles": {**browser_styles(), NOT_A_CLAIM: dict(NO_CLAIM_STYLE)},
            "payload": payload,
        },
        on_choice_change=keep_choice,
    )
    return chosen


def _digest(payload: object) -> str:
    return hashlib.blake2b(json.dumps(payload).encode(), digest_size=12).hexdigest()


_mount_claim = st.components.v2.component(
    "faithview.claim_view",
    css=read_styles("reading", "answer_view"),
    js=read_script("answer_view"),
)

# No verdict's colour, and no word: the mark only shows where the claim is.
_NEUTRAL = {
    "word": "",
    "stroke": "",
    "fill": "",
    "light": NO_VERDICT.light,
    "dark": NO_VERDICT.dark,
    "underline": "solid 2px",
}
_NO_KEYS: Mapping[str, str] = MappingProxyType({})


def claim_view(
    sample: Sample,
    text: str,
    spans: Iterable[tuple[int, int]],
    *,
    subject: str,
    judged: tuple[Claim, Certainty] | None,
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
        subject: names the claim, so the view starts over with another one.
        judged: the claim with the judge's verdict, reason and evidence, and how sure the judge is; None to hide the
            judge: then nothing of it reaches the browser.
        key: the component's key, unique on the page.
        height: in pixels.
        page_keys: by key ("?", "n", "Enter"), a CSS selector of the button that it presses or the field that it goes
            to; "Escape" names the fields that it leaves.
        mark: what label keys send for the claim (see `services.review.key_presses`); None if the page takes none.
    """
    payload = build_claim_payload(sample, *judged) if judged else build_blind_payload(sample, text, spans)
    _mount_claim(
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
