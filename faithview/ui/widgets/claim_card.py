"""One claim next to the words of a chunk that the verdict rests on, both short enough to be read at a glance."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

import streamlit as st

from faithview.domain.claim import Claim, Evidence, Mismatch, Verdict
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from faithview.services.nearest_passage import sentences_around
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.widgets.answer_payload import Part, cut, cut_answer
from faithview.wording.verdict_styles import verdict_word

_mount = st.components.v2.component(
    "faithview.claim_card",
    css=read_styles("reading", "answer_view", "claim_card"),
    js=read_script("claim_card"),
)

_LONGEST = 420  # characters of either side
_AROUND = 180  # characters on both sides of the words at fault, where a side is longer
_GAP = "…"


class CardSide(TypedDict):
    """One side of the card: who says it, and the words with their marks."""

    heading: str
    parts: list[Part]


class CardPayload(TypedDict):
    """What the card draws. `note` replaces the chunk's side where the judge quotes no chunk."""

    claims: list[dict[str, object]]
    answer: CardSide
    chunk: CardSide | None
    note: str


def claim_card(sample: Sample, claim: Claim, *, verdict: Verdict, mark: str, key: str) -> None:
    """Draw the claim as the answer says it, and next to it what a chunk says.

    Args:
        sample: the answer with its chunks.
        claim: the claim with the judge's evidence.
        verdict: the verdict that counts.
        mark: what label keys send for the claim (see `services.review.key_presses`).
        key: the component's key, unique on the page.
    """
    payload = build_card(sample, claim, verdict)
    _mount(
        key=key,
        height="content",
        data={
            "subject": mark,
            "revision": hashlib.blake2b(json.dumps(payload).encode(), digest_size=12).hexdigest(),
            "mark": mark,
            "turn": 0,
            "selected": {"number": 1},
            "styles": browser_styles(),
            "payload": payload,
        },
    )


def build_card(sample: Sample, claim: Claim, verdict: Verdict) -> CardPayload:
    """Return what the card draws of a claim."""
    return {
        "claims": [{"number": 1, "verdict": str(verdict), "words": verdict_word(verdict)}],
        "answer": _answer_side(sample.answer, claim),
        "chunk": _chunk_side(sample.chunks, claim),
        "note": claim.explanation or "The judge quotes no chunk.",
    }


def _answer_side(answer: str, claim: Claim) -> CardSide:
    if not claim.spans:
        return {"heading": "The claim in the judge's words", "parts": [{"text": claim.text, "marks": []}]}
    at_fault = next(iter(claim.mismatches), None)
    # Of a claim with several places, that of the words at fault.
    span = next((s for s in claim.spans if at_fault and s.start <= at_fault.start < s.end), claim.spans[0])
    focus = span if at_fault is None or at_fault.end <= at_fault.start else Span(start=at_fault.start, end=at_fault.end)
    window = _Window.around(span, focus, len(answer))
    return {"heading": "The answer says", "parts": list(window.of(cut_answer(answer, [claim])))}


def _chunk_side(chunks: Sequence[Chunk], claim: Claim) -> CardSide | None:
    """Return the words of the chunk that the verdict rests on; None if the judge quotes no chunk."""
    evidence, at_fault = _best_evidence(claim)
    chunk = next((c for c in chunks if evidence is not None and c.chunk_id == evidence.chunk_id), None)
    if chunk is None or evidence is None or evidence.span is None:
        return None
    spans, boxes, focus = [(1, evidence.span)], [], evidence.span
    if at_fault is not None:
        focus = Span(start=at_fault.chunk_start, end=at_fault.chunk_end)
        spans.append((1, focus))
        boxes.append((1, focus.start, focus.end))
    quoted = Span(start=min(evidence.span.start, focus.start), end=max(evidence.span.end, focus.end))
    whole = sentences_around(chunk.text, quoted)
    window = _Window.around(whole, focus, len(chunk.text))
    name = f"Chunk {chunk.chunk_id}" if chunk.chunk_id[:1].isdigit() else chunk.chunk_id
    return {"heading": f"{name} says", "parts": list(window.of(cut(chunk.text, spans, boxes)))}


def _best_evidence(claim: Claim) -> tuple[Evidence | None, Mismatch | None]:
    """Return the quote to show, with the words of its chunk that are boxed, None for no such words."""
    quotes = [item for item in claim.evidence if item.span is not None]
    for at_fault in claim.mismatches:
        for quote in quotes:
            if quote.chunk_id == at_fault.chunk_id and at_fault.chunk_end > at_fault.chunk_start:
                return quote, at_fault
    return next(iter(quotes), None), None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """The stretch `[start, end)` of a text that is shown, and whether it is less than a reader would expect."""

    start: int
    end: int
    is_cut_before: bool
    is_cut_after: bool

    @classmethod
    def around(cls, whole: Span, focus: Span, length: int) -> "_Window":
        """Return the window on `whole`, or, where that is long, on what is around `focus`."""
        start, end = whole.start, min(whole.end, length)
        if end - start > _LONGEST:
            start = max(start, focus.start - _AROUND)
            end = min(end, max(focus.end, focus.start) + _AROUND, start + _LONGEST)
        return cls(start=start, end=end, is_cut_before=start > whole.start, is_cut_after=end < min(whole.end, length))

    def of(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield the parts of a text within the window."""
        if self.is_cut_before:
            yield {"text": _GAP, "marks": []}
        at = 0
        for part in parts:
            text = part["text"]
            inside = text[max(0, self.start - at) : max(0, self.end - at)]
            at += len(text)
            if inside:
                yield {"text": inside, "marks": part["marks"]}
        if self.is_cut_after:
            yield {"text": _GAP, "marks": []}
