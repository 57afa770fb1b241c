"""What changed between paired answers, and the terms that their differences are made of."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from faithview.domain.causes import AnswerFacts, Knowledge, find_terms
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change, ChunkChange, ChunkPair, ClaimPair
from faithview.domain.identity import fold
from faithview.domain.matching import ChunkFacts, match_chunks, match_claims
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparison.pairing import AnswerPair
from faithview.store.comparison import compared_answers, comparisons
from faithview.store.comparison.compared_answers import StoredChunk, StoredClaim
from faithview.store.comparison.comparisons import PairChoice
from faithview.store.database import Database

# Pairs whose claims and chunks are in memory at a time.
_BLOCK = 2_000
_QUESTION_CHARACTERS = 160

Choices = Mapping[tuple[int, int], Mapping[tuple[int, int], bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMatch:
    """The claims and chunks of two answers, matched; what both sides' indexes in them point into."""

    before_claims: Sequence[StoredClaim]
    after_claims: Sequence[StoredClaim]
    before_chunks: Sequence[StoredChunk]
    after_chunks: Sequence[StoredChunk]
    claims: tuple[ClaimPair, ...]
    chunks: tuple[ChunkPair, ...]


def find_changes(
    db: Database, before: Run, after: Run, pairs: Sequence[AnswerPair], *, view: View, choices: Sequence[PairChoice]
) -> list[Change]:
    """Return the pairs in which anything changed, with the terms of their differences, in the order given."""
    told = claim_choices(choices)
    knowledge = _Knowledge(db, before, after)
    changes = []
    touched = [pair for pair in pairs if _may_have_changed(pair)]
    for block in _blocks(touched):
        matches = match_pairs(db, block, view=view, choices=told)
        facts = knowledge.of(matches)
        for pair, match in zip(block, matches, strict=True):
            change = _change(pair, match, facts)
            if change.terms or change.answer_changed or change.context_changed or change.difference != 0:
                changes.append(change)
    return changes


def match_pairs(db: Database, pairs: Sequence[AnswerPair], *, view: View, choices: Choices) -> list[PairMatch]:
    """Match claims and chunks of pairs of answers; one call for many pairs asks the store few questions."""
    ids = sorted({side.sample_id for pair in pairs for side in (pair.before, pair.after)})
    claims = compared_answers.load_claims(db, ids, view)
    contexts = compared_answers.load_contexts(db, ids)
    claim_texts = _texts_of_changed_claims(db, pairs, claims, told=choices)
    chunk_texts = _texts_of_changed_chunks(db, pairs, contexts)
    return [
        _match(
            claims.get(pair.before.sample_id, []),
            claims.get(pair.after.sample_id, []),
            contexts.get(pair.before.sample_id, []),
            contexts.get(pair.after.sample_id, []),
            claim_texts=claim_texts,
            chunk_texts=chunk_texts,
            choices=choices.get((pair.before.row, pair.after.row), {}),
        )
        for pair in pairs
    ]


def claim_choices(choices: Sequence[PairChoice]) -> dict[tuple[int, int], dict[tuple[int, int], bool]]:
    """Return people's words on pairs of claims, by rows and then by the claims' indexes from 0."""
    told: dict[tuple[int, int], dict[tuple[int, int], bool]] = defaultdict(dict)
    for choice in choices:
        if choice.baseline_claim is not None and choice.candidate_claim is not None:
            about = (choice.baseline_claim - 1, choice.candidate_claim - 1)
            told[choice.baseline_row, choice.candidate_row][about] = choice.belong_together
    return dict(told)


def _may_have_changed(pair: AnswerPair) -> bool:
    if pair.before.state != pair.after.state or pair.before.answer != pair.after.answer or pair.has_changed_context:
        return True
    # Equal texts with all claims supported on both sides have nothing to tell; others may have claims that flipped.
    return pair.is_scored and not pair.before.score == pair.after.score == 1


def _match(
    before_claims: Sequence[StoredClaim],
    after_claims: Sequence[StoredClaim],
    before_chunks: Sequence[StoredChunk],
    after_chunks: Sequence[StoredChunk],
    *,
    claim_texts: Mapping[int, str],
    chunk_texts: Mapping[int, str],
    choices: Mapping[tuple[int, int], bool],
) -> PairMatch:
    ids = {id(chunk.facts): chunk.text_id for chunk in (*before_chunks, *after_chunks)}
    return PairMatch(
        before_claims=before_claims,
        after_claims=after_claims,
        before_chunks=before_chunks,
        after_chunks=after_chunks,
        claims=match_claims(
            [claim.claim_hash for claim in before_claims],
            [claim.claim_hash for claim in after_claims],
            text_of=lambda: (
                [_claim_text(claim, claim_texts) for claim in before_claims],
                [_claim_text(claim, claim_texts) for claim in after_claims],
            ),
            choices=choices,
        ),
        chunks=match_chunks(
            [chunk.facts for chunk in before_chunks],
            [chunk.facts for chunk in after_chunks],
            text_of=lambda facts: [chunk_texts[ids[id(found)]] for found in facts],
        ),
    )


def _claim_text(claim: StoredClaim, texts: Mapping[int, str]) -> str:
    return claim.text if claim.text is not None else texts.get(claim.claim_id, "")


def _change(pair: AnswerPair, match: PairMatch, knowledge: "_Known") -> Change:
    change = Change(
        key=pair.before.key,
        baseline_row=pair.before.row,
        candidate_row=pair.after.row,
        rule=pair.rule,
        question=pair.after.question[:_QUESTION_CHARACTERS] if pair.after.question else None,
        segment=pair.segment,
        baseline=pair.before.score,
        candidate=pair.after.score,
        baseline_state=pair.before.state,
        candidate_state=pair.after.state,
        answer_changed=pair.has_changed_answer,
        context_changed=pair.has_changed_context,
        chunks_added=_names(match.after_chunks, match.chunks, ChunkChange.ADDED),
        chunks_removed=_names(match.before_chunks, match.chunks, ChunkChange.REMOVED),
        chunks_edited=_names(match.after_chunks, match.chunks, ChunkChange.EDITED),
    )
    if not pair.is_scored:
        return change
    baseline = _facts(match.before_claims, match.before_chunks, pair.before.retrieved, knowledge.before)
    candidate = _facts(match.after_claims, match.after_chunks, pair.after.retrieved, knowledge.after)
    return replace(change, terms=find_terms(baseline, candidate, claims=match.claims, chunks=match.chunks))


def _names(chunks: Sequence[StoredChunk], pairs: Iterable[ChunkPair], change: ChunkChange) -> tuple[str, ...]:
    side = [
        pair.candidate if change is not ChunkChange.REMOVED else pair.baseline
        for pair in pairs
        if pair.change is change
    ]
    return tuple(chunks[at].facts.chunk_id for at in side if at is not None)


def _facts(
    claims: Sequence[StoredClaim],
    chunks: Sequence[StoredChunk],
    retrieved: frozenset[str],
    knowledge: Knowledge | None,
) -> AnswerFacts:
    return AnswerFacts(
        supported=[None if claim.verdict is None else claim.verdict is Verdict.SUPPORTED for claim in claims],
        cited=[claim.cited for claim in claims],
        chunks=[chunk.facts for chunk in chunks],
        retrieved=retrieved,
        knowledge=knowledge,
    )


def _texts_of_changed_claims(
    db: Database, pairs: Sequence[AnswerPair], claims: Mapping[int, list[StoredClaim]], *, told: Choices
) -> dict[int, str]:
    """Load the texts of claims in pairs where not every claim has an equal on the other side."""
    wanted: set[int] = set()
    for pair in pairs:
        before, after = claims.get(pair.before.sample_id, []), claims.get(pair.after.sample_id, [])
        if Counter(c.claim_hash for c in before) != Counter(c.claim_hash for c in after) or told:
            wanted.update(claim.claim_id for claim in (*before, *after) if claim.text is None)
    return compared_answers.load_claim_texts(db, wanted)


def _texts_of_changed_chunks(
    db: Database, pairs: Sequence[AnswerPair], contexts: Mapping[int, list[StoredChunk]]
) -> dict[int, str]:
    """Load the texts of chunks that have no equal on the other side."""
    wanted: set[int] = set()
    for pair in pairs:
        before, after = contexts.get(pair.before.sample_id, []), contexts.get(pair.after.sample_id, [])
        counts = Counter(chunk.facts.chunk_hash for chunk in before)
        counts.subtract(chunk.facts.chunk_hash for chunk in after)
        wanted.update(chunk.text_id for chunk in (*before, *after) if counts[chunk.facts.chunk_hash] != 0)
    return compared_answers.load_chunk_texts(db, wanted)


def _blocks(pairs: Sequence[AnswerPair]) -> Iterator[Sequence[AnswerPair]]:
    for first in range(0, len(pairs), _BLOCK):
        yield pairs[first : first + _BLOCK]


@dataclass(frozen=True, slots=True)
class _Known:
    before: Knowledge | None
    after: Knowledge | None


class _Knowledge:
    """Both versions of the knowledge base, and which retrieved chunks stand inside their longer texts."""

    def __init__(self, db: Database, before: Run, after: Run) -> None:
        self._db = db
        self._versions = (before.kb_version, after.kb_version)
        self._known = [comparisons.load_knowledge(db, version) for version in self._versions]
        self._texts: list[str | None] = [None, None]

    def of(self, matches: Sequence[PairMatch]) -> _Known:
        """Return what is known, as far as the chunks of these matches go."""
        return _Known(
            self._with_contained(0, [chunk for match in matches for chunk in match.after_chunks]),
            self._with_contained(1, [chunk for match in matches for chunk in match.before_chunks]),
        )

    def _with_contained(self, side: int, chunks: Sequence[StoredChunk]) -> Knowledge | None:
        known, version = self._known[side], self._versions[side]
        if known is None or version is None:
            return None
        unknown = {chunk.text_id: chunk.facts for chunk in chunks if not known.holds(chunk.facts)}
        if not unknown:
            return known
        whole = self._texts[side]
        if whole is None:
            # Retrieved chunks are often parts of the documents that were uploaded.
            whole = "\x1e".join(fold(text) for text in comparisons.load_knowledge_texts(self._db, version))
            self._texts[side] = whole
        texts = compared_answers.load_chunk_texts(self._db, unknown)
        contained = {unknown[text_id].chunk_hash for text_id, text in texts.items() if fold(text) in whole}
        return replace(known, contained=frozenset(known.contained | contained))


__all__ = ["ChunkFacts", "PairMatch", "claim_choices", "find_changes", "match_pairs"]
