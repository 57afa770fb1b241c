"""Claims as a list, with the sentences that their verdicts rest on; each opens the answer that makes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypedDict

import streamlit as st

from faithview.domain.answer import ClaimHit
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Verdict
from faithview.store.sources import ListedClaim
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.wording.knowledge import chunk_name
from faithview.wording.verdict_styles import claim_verdict_words, style_name

_mount = st.components.v2.component(
    "faithview.claim_list",
    css=read_styles("reading", "claim_list"),
    js=read_script("claim_list"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimState:
    """A claim as one of two answers makes it, with the quotes that its verdict rests on: (chunk's name, words)."""

    verdict: Verdict
    certainty: Certainty
    text: str
    explanation: str = ""
    quotes: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDetail:
    """The contents of a row next to the claim itself.

    `quotes` are those that its verdict is based on. A row with an `outcome` ("broke") shows the claim `before` and
    `now` instead; a side is None if that answer does not make the claim.
    """

    quotes: Sequence[tuple[str, str]] = ()
    outcome: str = ""
    before: ClaimState | None = None
    now: ClaimState | None = None


def claim_state(claim: ListedClaim) -> ClaimState:
    """Return a claim with at most two quotes, as a row shows it before or now."""
    return ClaimState(
        verdict=claim.verdict or Verdict.NOT_MENTIONED,  # a claim with an outcome has a verdict on both sides
        certainty=claim.certainty,
        text=claim.text,
        explanation=claim.explanation,
        quotes=[(chunk_name(chunk_id, None), words) for chunk_id, words in claim.quotes[:2]],
    )


_NO_DETAILS: Mapping[str, ClaimDetail] = MappingProxyType({})


class QuotePayload(TypedDict):
    """Words of a chunk that a verdict rests on."""

    chunk: str
    text: str


class SidePayload(TypedDict):
    """A claim in one of two answers; where that answer does not make it, `verdict` and `text` are empty."""

    when: str
    verdict: str
    words: str
    text: str
    explanation: str
    quotes: list[QuotePayload]


class HitPayload(TypedDict):
    """One claim as the list draws it; `id` is its public id, `words` is its verdict in words.

    `sides` are the claim before and now, and `outcome` what became of it; both empty for a claim of one answer.
    """

    id: str
    verdict: str
    words: str
    text: str
    explanation: str
    question: str | None
    run: str
    quotes: list[QuotePayload]
    outcome: str
    sides: list[SidePayload]


def claim_list(
    hits: Sequence[ClaimHit],
    *,
    key: str,
    height: int | None = 600,
    details: Mapping[str, ClaimDetail] = _NO_DETAILS,
) -> int | None:
    """Draw the claims in the order given; return the index of the one that was just opened.

    Args:
        hits: the claims.
        key: the component's key, unique on the page.
        height: in pixels; None to fit the claims.
        details: what rows show beside their claims, by the claims' ids.

    Returns:
        The index into `hits` in the one run of the script that follows a click or Enter on it, else None.
    """
    result = _mount(
        key=key,
        height="content" if height is None else height,
        data={"hits": build_hits(hits, details), "height": height, "styles": browser_styles()},
        on_opened_change=_note_opening,
    )
    opened = result.get("opened")
    return next((at for at, hit in enumerate(hits) if hit.claim_id == opened), None)


def build_hits(hits: Sequence[ClaimHit], details: Mapping[str, ClaimDetail] = _NO_DETAILS) -> list[HitPayload]:
    """Return what the list draws of each claim."""
    return [
        {
            "id": hit.claim_id,
            "verdict": style_name(hit.verdict, hit.certainty),
            "words": claim_verdict_words(hit.verdict, hit.certainty),
            "text": hit.text,
            "explanation": hit.explanation,
            "question": hit.question,
            "run": hit.run_name,
            "quotes": _quotes(detail.quotes),
            "outcome": detail.outcome,
            "sides": [_state_payload(when, state) for when, state in (("Before", detail.before), ("Now", detail.now))]
            if detail.outcome
            else [],
        }
        for hit in hits
        for detail in (details.get(hit.claim_id, _NO_DETAIL),)
    ]


_NO_DETAIL = ClaimDetail()


def _state_payload(when: str, state: ClaimState | None) -> SidePayload:
    if state is None:
        return {"when": when, "verdict": "", "words": "not claimed", "text": "", "explanation": "", "quotes": []}
    return {
        "when": when,
        "verdict": style_name(state.verdict, state.certainty),
        "words": claim_verdict_words(state.verdict, state.certainty),
        "text": state.text,
        "explanation": state.explanation,
        "quotes": _quotes(state.quotes),
    }


def _quotes(quotes: Sequence[tuple[str, str]]) -> list[QuotePayload]:
    return [{"chunk": chunk, "text": text} for chunk, text in quotes]


def _note_opening() -> None:
    """Do nothing: Streamlit reports only what has a callback; the opening is read from the component's result."""
