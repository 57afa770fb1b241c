"""The claims of two runs that rest on changed passages, and how each claim changed.

A claim rests on the passages that it cites; a claim without citations rests on the passage of its answer with most of
its words, if any has a quarter of them (`domain.causes`). A claim broke if it is not supported now and was supported,
or not made, before; it was fixed if it was not supported before and is supported, or no longer made, now.
`services.comparison` counts the same claims.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from faithview.domain.answer import View
from faithview.domain.causes import closest_chunk, subject_words
from faithview.domain.claim import Verdict
from faithview.services.comparison.changes import AnswerPair, ClaimDecisions, PairMatch, match_pairs
from faithview.store import compared_answers
from faithview.store.compared_answers import StoredChunk, StoredClaim
from faithview.store.database import Database
from faithview.store.samples import load_chunk_texts

# The changed documents that a retrieved text belongs to: their indexes by the text's id.
Touched = Mapping[int, frozenset[int]]

# How many pairs' claims and chunks are in memory at a time.
_BLOCK = 250


class Outcome(StrEnum):
    """How a claim changed, the worst outcome first."""

    BROKE = "broke"
    NEW_UNSUPPORTED = "new_unsupported"
    FIXED = "fixed"
    DROPPED = "dropped"
    UNSUPPORTED = "unsupported"
    GONE = "gone"
    NEW = "new"
    SUPPORTED = "supported"

    @property
    def is_broken(self) -> bool:
        """Whether the claim is not supported now, and was supported or not made before."""
        return self in (Outcome.BROKE, Outcome.NEW_UNSUPPORTED)

    @property
    def is_fixed(self) -> bool:
        """Whether the claim was not supported before, and is supported or not made now."""
        return self in (Outcome.FIXED, Outcome.DROPPED)


# Outcomes by whether the claim was supported before and is now; None if that answer does not make it.
_OUTCOMES: Mapping[tuple[bool | None, bool | None], Outcome] = {
    (True, False): Outcome.BROKE,
    (None, False): Outcome.NEW_UNSUPPORTED,
    (False, True): Outcome.FIXED,
    (False, None): Outcome.DROPPED,
    (False, False): Outcome.UNSUPPORTED,
    (True, None): Outcome.GONE,
    (None, True): Outcome.NEW,
    (True, True): Outcome.SUPPORTED,
}
_WORST_FIRST = {outcome: rank for rank, outcome in enumerate(Outcome)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSide:
    """A claim in one of two answers; a claim that reviewers added has `number` None and a `text`."""

    claim_id: int
    number: int | None
    verdict: Verdict
    text: str | None
    cites: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingClaim:
    """A claim that rests, before or now, on a changed passage. Rows are positions from 1 in each run."""

    outcome: Outcome
    key: str
    baseline_row: int
    candidate_row: int
    before: ClaimSide | None
    after: ClaimSide | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentClaims:
    """The claims that rest on the changes of one document, the worst first.

    `before` and `after` count those of the older and of the newer answers. `beside` are claims that broke in answers
    that retrieved the document, but do not rest on a changed document.
    """

    claims: tuple[RestingClaim, ...] = ()
    beside: tuple[RestingClaim, ...] = ()
    before: int = 0
    after: int = 0

    @property
    def broken(self) -> int:
        """How many broke."""
        return sum(claim.outcome.is_broken for claim in self.claims)

    @property
    def fixed(self) -> int:
        """How many were fixed."""
        return sum(claim.outcome.is_fixed for claim in self.claims)

    def count(self, outcome: Outcome) -> int:
        """Return how many had this outcome."""
        return sum(claim.outcome is outcome for claim in self.claims)


def find_resting_claims(
    db: Database,
    pairs: Sequence[AnswerPair],
    *,
    view: View,
    decisions: ClaimDecisions,
    before: Touched,
    after: Touched,
    documents: int,
) -> tuple[DocumentClaims, ...]:
    """Return for each changed document the claims that rest on its changes.

    Args:
        db: the store.
        pairs: the pairs of answers that have a score on both sides and retrieved a changed passage on either.
        view: whose verdicts count.
        decisions: which claims users matched or separated.
        before: the changed documents of the texts that the older run retrieved.
        after: the same of the newer run.
        documents: how many changed documents there are.
    """
    found: dict[int, _Found] = defaultdict(_Found)
    for first in range(0, len(pairs), _BLOCK):
        block = pairs[first : first + _BLOCK]
        matches = match_pairs(db, block, view=view, decisions=decisions)
        about = _UncitedClaims(db, matches)
        for pair, match in zip(block, matches, strict=True):
            _collect(pair, match, about, before, after, found)
    return tuple(
        DocumentClaims(
            claims=_worst_first(found[at].claims),
            beside=_worst_first(found[at].beside),
            before=found[at].before,
            after=found[at].after,
        )
        for at in range(documents)
    )


@dataclass(slots=True)
class _Found:
    claims: list[RestingClaim] = field(default_factory=list)
    beside: list[RestingClaim] = field(default_factory=list)
    before: int = 0
    after: int = 0


def _worst_first(claims: Sequence[RestingClaim]) -> tuple[RestingClaim, ...]:
    return tuple(sorted(claims, key=lambda claim: (_WORST_FIRST[claim.outcome], claim.candidate_row)))


def _collect(
    pair: AnswerPair,
    match: PairMatch,
    about: "_UncitedClaims",
    touched_before: Touched,
    touched_after: Touched,
    found: dict[int, _Found],
) -> None:
    retrieved = frozenset(
        at
        for chunks, touched in ((match.before_chunks, touched_before), (match.after_chunks, touched_after))
        for chunk in chunks
        for at in touched.get(chunk.text_id, ())
    )
    for matched in match.claims:
        old = None if matched.baseline is None else match.before_claims[matched.baseline]
        new = None if matched.candidate is None else match.after_claims[matched.candidate]
        cited_before, documents_before = _documents(old, match.before_chunks, match, about, touched_before)
        cited_after, documents_after = _documents(new, match.after_chunks, match, about, touched_after)
        for at in documents_before:
            found[at].before += 1
        for at in documents_after:
            found[at].after += 1
        first, second = _claim_side(old, cites=cited_before), _claim_side(new, cites=cited_after)
        outcome = _OUTCOMES.get((_is_supported(first), _is_supported(second)))
        if outcome is None:
            continue
        resting = RestingClaim(
            outcome=outcome,
            key=pair.after.key,
            baseline_row=pair.before.row,
            candidate_row=pair.after.row,
            before=first,
            after=second,
        )
        documents = documents_before | documents_after
        for at in documents:
            found[at].claims.append(resting)
        if outcome.is_broken and not documents:
            for at in retrieved:
                found[at].beside.append(resting)


def _documents(
    claim: StoredClaim | None,
    chunks: Sequence[StoredChunk],
    match: PairMatch,
    about: "_UncitedClaims",
    touched: Touched,
) -> tuple[bool, frozenset[int]]:
    """Return whether a claim cites any chunk, and the changed documents that it rests on."""
    if claim is None or claim.verdict is None:
        return False, frozenset()
    cited = match.cited.get(claim.claim_id, ())
    closest = about.find(claim, chunks) if not cited else None
    positions: Collection[int] = cited or (() if closest is None else (closest,))
    return bool(cited), frozenset(at for p in positions for at in touched.get(chunks[p].text_id, ()))


def _claim_side(claim: StoredClaim | None, *, cites: bool) -> ClaimSide | None:
    if claim is None or claim.verdict is None:
        return None
    return ClaimSide(claim_id=claim.claim_id, number=claim.number, verdict=claim.verdict, text=claim.text, cites=cites)


def _is_supported(side: ClaimSide | None) -> bool | None:
    return None if side is None else side.verdict is Verdict.SUPPORTED


class _UncitedClaims:
    """Finds the chunk for a claim without citations."""

    def __init__(self, db: Database, matches: Sequence[PairMatch]) -> None:
        uncited: list[StoredClaim] = []
        texts: set[int] = set()
        for match in matches:
            for claims, chunks in (
                (match.before_claims, match.before_chunks),
                (match.after_claims, match.after_chunks),
            ):
                without = [c for c in claims if c.verdict is not None and not match.cited.get(c.claim_id)]
                if without:
                    uncited += without
                    texts.update(chunk.text_id for chunk in chunks)
        self._claims = compared_answers.load_claim_texts(db, [c.claim_id for c in uncited if c.text is None])
        self._words = {text_id: subject_words(text) for text_id, text in load_chunk_texts(db, texts).items()}

    def find(self, claim: StoredClaim, chunks: Sequence[StoredChunk]) -> int | None:
        """Return the position of the chunk; None if no chunk is close to the claim."""
        text = claim.text if claim.text is not None else self._claims[claim.claim_id]
        return closest_chunk(text, [self._words[chunk.text_id] for chunk in chunks])
