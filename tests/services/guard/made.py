"""Judged answers for tests, written as text: what a claim says in the answer, and its verdict."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Mismatch, Verdict
from faithview.domain.sample import Chunk
from faithview.domain.spans import find_quote
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction import Draft, correct_locally
from faithview.services.guard.edits import apply_edits
from faithview.services.guard.removal import places_of
from tests.factories import make_claim, make_result

GOOD, BAD, PART, WRONG = (
    Verdict.SUPPORTED,
    Verdict.NOT_MENTIONED,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.CONTRADICTED,
)


def claim(answer: str, quote: str, verdict: Verdict, *, words: Sequence[str] = (), occurrence: int = 0) -> Claim:
    """A claim that the answer makes with these words; `words` are those that no chunk has."""
    span = find_quote(answer, quote, occurrence=occurrence)
    assert span is not None, f"{quote!r} is not in the answer"
    starts = [answer.index(word, span.start, span.end) for word in words]
    faults = tuple(Mismatch(start, start + len(word)) for start, word in zip(starts, words, strict=True))
    return make_claim(quote, verdict, spans=(span,), mismatches=faults)


def against(answer: str, quote: str, mine: str, chunk: str, theirs: str) -> Claim:
    """A claim of which a chunk, the one with id 1, says otherwise."""
    made = claim(answer, quote, WRONG)
    (span,) = made.spans
    start, there = answer.index(mine, span.start, span.end), chunk.index(theirs)
    mismatch = Mismatch(start, start + len(mine), "1", there, there + len(theirs))
    return make_claim(quote, WRONG, spans=made.spans, mismatches=(mismatch,))


def judged(answer: str, claims: Sequence[Claim]) -> GuardCheck:
    return GuardCheck.of(answer, make_result(*claims))


def draft(answer: str, claims: Sequence[Claim], chunk: str = "A chunk.") -> Draft:
    check = judged(answer, claims)
    return correct_locally(answer, check.issues, places_of(claims), [Chunk(text=chunk, chunk_id="1")])


def corrected(answer: str, claims: Sequence[Claim], chunk: str = "A chunk.") -> str:
    return apply_edits(answer, draft(answer, claims, chunk).edits)


def without(answer: str, good: Sequence[str] = (), bad: Sequence[str] = ()) -> str:
    """The answer corrected where these words are claims, supported and not mentioned."""
    claims = [claim(answer, quote, GOOD) for quote in good] + [claim(answer, quote, BAD) for quote in bad]
    return corrected(answer, claims)
