"""Texts cut into pieces at the ends of spans, so that a template can mark each piece and escape every text."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import WORST_FIRST, Claim, Verdict
from faithview.domain.sample import Sample
from faithview.wording.word_diff import Change, diff_words


class Piece(NamedTuple):
    """A piece of a text; `mark` names a verdict or a change, "" for none; `numbers` are the claims that end there."""

    text: str
    mark: str
    numbers: tuple[int, ...] = ()


class Quoted(NamedTuple):
    """A chunk that a verdict rests on, with its quotes marked; `missing` are quotes that do not stand in it.

    `text` is empty if no quote stands in it: the beginning of a chunk is no evidence.
    """

    chunk_id: str
    text: list[Piece]
    missing: tuple[str, ...] = ()


def mark_claims(answer: str, claims: Sequence[Claim], verdicts: Sequence[Verdict | None]) -> list[Piece]:
    """Return the answer in pieces, each with the worst verdict of its claims and their numbers from 1."""
    spans = [
        (span.start, span.end, number, verdict)
        for number, (claim, verdict) in enumerate(zip(claims, verdicts, strict=False), start=1)
        if verdict is not None
        for span in claim.spans
    ]
    cuts = sorted({0, len(answer), *(at for start, end, _, _ in spans for at in (start, end))})
    pieces = []
    for start, end in pairwise(cuts):
        on = [(number, verdict) for first, last, number, verdict in spans if first <= start and end <= last]
        worst = next((v for v in WORST_FIRST if any(verdict is v for _, verdict in on)), None)
        ending = tuple(number for number, _ in on if any(n == number and last == end for _, last, n, _ in spans))
        pieces.append(Piece(answer[start:end], "" if worst is None else worst.value, ending))
    return pieces


def mark_quotes(text: str, spans: Sequence[tuple[int, int]], *, around: int = 160) -> list[Piece]:
    """Return a chunk with its quotes marked, cut to the text around them; without quotes, the start of the chunk."""
    if not spans:
        return [Piece(text if len(text) <= 2 * around else f"{text[: 2 * around]} …", "")]
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    begin, stop = max(0, first - around), min(len(text), last + around)
    cuts = sorted({begin, stop, *(at for span in spans for at in span)})
    pieces = [Piece("… ", "")] if begin else []
    for start, end in pairwise(cuts):
        quoted = any(low <= start and end <= high for low, high in spans)
        pieces.append(Piece(text[start:end], "quote" if quoted else ""))
    return [*pieces, Piece(" …", "")] if stop < len(text) else pieces


def mark_evidence(claim: Claim, sample: Sample) -> list[Quoted]:
    """Return the chunks that a claim's verdict rests on, best first, cut to the text around their quotes."""
    texts = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    quoted = []
    for chunk_id in dict.fromkeys([*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.evidence)]):
        here = [item for item in claim.evidence if item.chunk_id == chunk_id]
        spans = [(item.span.start, item.span.end) for item in here if item.span is not None]
        missing = tuple(item.quote for item in here if item.span is None)
        quoted.append(Quoted(chunk_id, mark_quotes(texts[chunk_id], spans) if spans else [], missing))
    return quoted


def mark_changes(old: str, new: str) -> list[Piece]:
    """Return both versions of a text as one, with removed and added words marked."""
    return [Piece(piece.text, "" if piece.kind is Change.SAME else piece.kind.value) for piece in diff_words(old, new)]
