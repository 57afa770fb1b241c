"""What changed between paired answers, and the terms that add up to their differences.

Users may decide that two answers, or two claims, belong together or do not.

"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from faithview.domain import pairing
from faithview.domain.answer import View
from faithview.domain.causes import AnswerFacts, AnswerTexts, Knowledge, find_terms
from faithview.domain.claim import Verdict
from faithview.domain.comparison import (
    Cause,
    Change,
    ChunkChange,
    ChunkPair,
    ClaimPair,
    Pairing,
    PairRule,
    Term,
    Unpaired,
)
from faithview.domain.content_hashes import fold
from faithview.domain.errors import NotFound
from faithview.domain.pairing import match_chunks, match_claims
from faithview.domain.run import Run
from faithview.domain.scoring import faithfulness
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.stats.text_matching import TokenSortSimilarity, pair_chunk_texts, pair_claim_texts
from faithview.store import compared_answers, comparisons
from faithview.store import knowledge as stored_knowledge
from faithview.store.compared_answers import StoredAnswer, StoredChunk, StoredClaim, load_answers
from faithview.store.comparisons import PairDecision
from faithview.store.database import Database
from faithview.store.samples import load_chunk_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPair:
    """Two answers that were paired."""

    before: StoredAnswer
    after: StoredAnswer
    rule: PairRule

    @property
    def is_scored(self) -> bool:
        """Whether both sides have a score."""
        return self.before.score is not None and self.after.score is not None

    @property
    def segment(self) -> str | None:
        """The segment in the later run, else that in the earlier one."""
        return self.after.segment if self.after.segment is not None else self.before.segment

    @property
    def has_changed_answer(self) -> bool:
        """Whether the texts of the answers differ apart from whitespace."""
        return self.before.answer != self.after.answer and fold(self.before.answer) != fold(self.after.answer)

    @property
    def has_changed_context(self) -> bool:
        """Whether the retrieved chunks differ, apart from their order."""
        return self.before.context_hash != self.after.context_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRuns:
    """All pairs in the order of the baseline, with counts of the pairs and of unpaired answers."""

    pairs: tuple[AnswerPair, ...]
    pairing: Pairing


def pair_runs(db: Database, before: Run, after: Run, *, view: View, decisions: Sequence[PairDecision]) -> PairedRuns:
    """Pair the answers of two runs."""
    baseline = {answer.row: answer for answer in load_answers(db, before.run_id, view)}
    candidate = {answer.row: answer for answer in load_answers(db, after.run_id, view)}
    result = pairing.pair_answers(
        [_pairing_answer(answer) for answer in baseline.values()],
        [_pairing_answer(answer) for answer in candidate.values()],
        similarity=TokenSortSimilarity(),
        choices={
            (decision.baseline_row, decision.candidate_row): decision.belong_together
            for decision in decisions
            if decision.baseline_claim is None and decision.candidate_claim is None
        },
    )
    pairs = tuple(AnswerPair(before=baseline[b], after=candidate[c], rule=rule) for b, c, rule in result.pairs)
    rules = Counter(pair.rule for pair in pairs)
    unscored = Counter(f"{pair.before.state}, {pair.after.state}" for pair in pairs if not pair.is_scored)
    return PairedRuns(
        pairs=pairs,
        pairing=Pairing(
            rules={rule: rules[rule] for rule in PairRule if rules[rule]},
            scored=sum(pair.is_scored for pair in pairs),
            unscored=dict(sorted(unscored.items())),
            key_conflicts=result.key_conflicts,
            only_in_baseline=tuple(_unpaired(baseline[row]) for row in result.only_in_baseline),
            only_in_candidate=tuple(_unpaired(candidate[row]) for row in result.only_in_candidate),
            suggestions=result.suggestions,
        ),
    )


def _pairing_answer(answer: StoredAnswer) -> pairing.Answer:
    return pairing.Answer(
        row=answer.row,
        key=answer.key,
        question=answer.question,
        context_hash=answer.context_hash,
        external_ids=answer.external_ids,
    )


def _unpaired(answer: StoredAnswer) -> Unpaired:
    return Unpaired(row=answer.row, key=answer.key, question=answer.question, state=answer.state)


# Users' decisions on pairs of claims: by the rows of their answers, then by the claims' indexes from 0.
ClaimDecisions: TypeAlias = Mapping[tuple[int, int], Mapping[tuple[int, int], bool]]


def decide_pair(store: Store, baseline: str, candidate: str, decisions: Sequence[PairDecision], *, by: str) -> None:
    """Store a user's decisions about pairs of answers or claims; the next comparison follows them.

    Raises:
        NotFound: the run, row or claim does not exist.
    """
    before, after = get_run(store, baseline), get_run(store, candidate)
    for decision in decisions:
        for run, row, claim in (
            (before, decision.baseline_row, decision.baseline_claim),
            (after, decision.candidate_row, decision.candidate_claim),
        ):
            answer = get_answer_at(store, run.run_id, row)
            if claim is not None and not 1 <= claim <= len(answer.result.claims):
                raise NotFound(f"Row {row} of run {run.run_id} has no claim {claim}.")
    comparisons.add_decisions(store.db, before.run_id, after.run_id, decisions, by=by, now=datetime.now(UTC))


def claim_decisions(decisions: Sequence[PairDecision]) -> ClaimDecisions:
    """Return the decisions about pairs of claims."""
    by_rows: dict[tuple[int, int], dict[tuple[int, int], bool]] = {}
    for decision in decisions:
        if decision.baseline_claim is not None and decision.candidate_claim is not None:
            claims = by_rows.setdefault((decision.baseline_row, decision.candidate_row), {})
            claims[decision.baseline_claim - 1, decision.candidate_claim - 1] = decision.belong_together
    return by_rows


# How many pairs' claims and chunks are in memory at a time: few enough that they are freed before the garbage collector
# often visits them, many enough that the queries cost little.
_BLOCK = 250
_QUESTION_CHARACTERS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMatch:
    """The matched claims and chunks of two answers; `claims` and `chunks` hold indexes into those of either side.

    `cited` are the positions of the chunks that a claim cites, by claim id. The texts are loaded if both the claims and
    the chunks differ.
    """

    before_claims: Sequence[StoredClaim]
    after_claims: Sequence[StoredClaim]
    before_chunks: Sequence[StoredChunk]
    after_chunks: Sequence[StoredChunk]
    claims: tuple[ClaimPair, ...]
    chunks: tuple[ChunkPair, ...]
    cited: Mapping[int, tuple[int, ...]]
    before_texts: AnswerTexts
    after_texts: AnswerTexts


def find_changes(
    db: Database, before: Run, after: Run, pairs: Sequence[AnswerPair], *, view: View, decisions: Sequence[PairDecision]
) -> list[Change]:
    """Return the pairs with any change, with the terms of their differences, in the given order."""
    by_rows = claim_decisions(decisions)
    knowledge = _KnowledgeBases(db, before, after)
    changes = []
    candidates = [pair for pair in pairs if _may_have_changed(pair)]
    for block in _blocks(candidates):
        claims = compared_answers.load_claims(db, _sample_ids(block), view)
        changed = [pair for pair in block if by_rows or not _is_unchanged(pair, claims)]
        matches = _match_pairs(db, changed, claims, by_rows)
        known = knowledge.find(matches)
        for pair, match in zip(changed, matches, strict=True):
            change = _change(pair, match, known)
            if change.terms or change.answer_changed or change.context_changed or change.difference != 0:
                changes.append(change)
    return changes


def match_pairs(db: Database, pairs: Sequence[AnswerPair], *, view: View, decisions: ClaimDecisions) -> list[PairMatch]:
    """Match claims and chunks of pairs of answers; the number of queries does not grow with the number of pairs."""
    return _match_pairs(db, pairs, compared_answers.load_claims(db, _sample_ids(pairs), view), decisions)


def _match_pairs(
    db: Database, pairs: Sequence[AnswerPair], claims: Mapping[int, list[StoredClaim]], decisions: ClaimDecisions
) -> list[PairMatch]:
    ids = _sample_ids(pairs)
    cited = compared_answers.load_citations(db, (claim for sample_id in ids for claim in claims.get(sample_id, ())))
    contexts = compared_answers.load_contexts(db, ids)
    claim_texts = _texts_of_changed_claims(db, pairs, claims, decisions)
    chunk_texts = _texts_of_changed_chunks(db, pairs, claims, contexts)
    return [
        _match_claims_and_chunks(
            claims.get(pair.before.sample_id, []),
            claims.get(pair.after.sample_id, []),
            contexts.get(pair.before.sample_id, []),
            contexts.get(pair.after.sample_id, []),
            cited=cited,
            claim_texts=claim_texts,
            chunk_texts=chunk_texts,
            decisions=decisions.get((pair.before.row, pair.after.row), {}),
        )
        for pair in pairs
    ]


def _may_have_changed(pair: AnswerPair) -> bool:
    if pair.before.state != pair.after.state or pair.before.answer != pair.after.answer or pair.has_changed_context:
        return True
    # Equal answers with every claim supported on both sides cannot differ; in others claims may have flipped.
    return pair.is_scored and not pair.before.score == pair.after.score == 1


def _is_unchanged(pair: AnswerPair, claims: Mapping[int, list[StoredClaim]]) -> bool:
    """Return whether nothing that makes a change differs, so there is nothing to match."""
    before, after = pair.before, pair.after
    if before.state != after.state or before.score != after.score or before.score is None:
        return False
    if pair.has_changed_answer or pair.has_changed_context:
        return False
    return [(claim.claim_hash, claim.verdict) for claim in claims.get(before.sample_id, [])] == [
        (claim.claim_hash, claim.verdict) for claim in claims.get(after.sample_id, [])
    ]


def _sample_ids(pairs: Iterable[AnswerPair]) -> list[int]:
    return sorted({side.sample_id for pair in pairs for side in (pair.before, pair.after)})


def _match_claims_and_chunks(
    before_claims: Sequence[StoredClaim],
    after_claims: Sequence[StoredClaim],
    before_chunks: Sequence[StoredChunk],
    after_chunks: Sequence[StoredChunk],
    *,
    cited: Mapping[int, tuple[int, ...]],
    claim_texts: Mapping[int, str],
    chunk_texts: Mapping[int, str],
    decisions: Mapping[tuple[int, int], bool],
) -> PairMatch:
    before_texts = _answer_texts(before_claims, before_chunks, claim_texts, chunk_texts)
    after_texts = _answer_texts(after_claims, after_chunks, claim_texts, chunk_texts)
    return PairMatch(
        before_claims=before_claims,
        after_claims=after_claims,
        before_chunks=before_chunks,
        after_chunks=after_chunks,
        cited=cited,
        claims=match_claims(
            [claim.claim_hash for claim in before_claims],
            [claim.claim_hash for claim in after_claims],
            text_of=lambda: (before_texts.claims, after_texts.claims),
            pair_texts=pair_claim_texts,
            choices=decisions,
        ),
        chunks=match_chunks(
            before_chunks,
            after_chunks,
            text_of=lambda chunks: [chunk_texts[chunk.text_id] for chunk in chunks],
            pair_texts=pair_chunk_texts,
        ),
        before_texts=before_texts,
        after_texts=after_texts,
    )


def _answer_texts(
    claims: Sequence[StoredClaim],
    chunks: Sequence[StoredChunk],
    claim_texts: Mapping[int, str],
    chunk_texts: Mapping[int, str],
) -> AnswerTexts:
    return AnswerTexts(
        claims=[_claim_text(claim, claim_texts) for claim in claims],
        chunks=[chunk_texts.get(chunk.text_id, "") for chunk in chunks],
    )


def _claim_text(claim: StoredClaim, texts: Mapping[int, str]) -> str:
    return claim.text if claim.text is not None else texts.get(claim.claim_id, "")


def _change(pair: AnswerPair, match: PairMatch, known: "_Known") -> Change:
    terms: tuple[Term, ...] = ()
    if pair.is_scored and not (
        _is_explained(pair.before.score, match.before_claims) and _is_explained(pair.after.score, match.after_claims)
    ):
        value = (pair.after.score or 0.0) - (pair.before.score or 0.0)
        terms = (Term(baseline=None, candidate=None, value=value, cause=Cause.SCORED_WHOLE),) if value else ()
    elif pair.is_scored:
        terms = find_terms(
            _pair_facts(
                match.before_claims,
                match.before_chunks,
                match.before_texts,
                cited=match.cited,
                retrieved=pair.before.retrieved,
                knowledge=known.before,
            ),
            _pair_facts(
                match.after_claims,
                match.after_chunks,
                match.after_texts,
                cited=match.cited,
                retrieved=pair.after.retrieved,
                knowledge=known.after,
            ),
            claims=match.claims,
            chunks=match.chunks,
        )
    return Change(
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
        chunks_added=_chunk_names(match.after_chunks, match.chunks, ChunkChange.ADDED),
        chunks_removed=_chunk_names(match.before_chunks, match.chunks, ChunkChange.REMOVED),
        chunks_edited=_chunk_names(match.after_chunks, match.chunks, ChunkChange.EDITED),
        terms=terms,
    )


def _is_explained(score: float | None, claims: Sequence[StoredClaim]) -> bool:
    """Return whether the score follows from the claims; it does not if the answer was scored as a whole."""
    counted = faithfulness([claim.verdict for claim in claims if claim.verdict is not None])
    return counted is not None and score is not None and math.isclose(counted, score, abs_tol=1e-9)


def _chunk_names(chunks: Sequence[StoredChunk], pairs: Iterable[ChunkPair], change: ChunkChange) -> tuple[str, ...]:
    indexes = [
        pair.candidate if change is not ChunkChange.REMOVED else pair.baseline
        for pair in pairs
        if pair.change is change
    ]
    return tuple(chunks[index].chunk_id for index in indexes if index is not None)


def _pair_facts(
    claims: Sequence[StoredClaim],
    chunks: Sequence[StoredChunk],
    texts: AnswerTexts,
    *,
    cited: Mapping[int, tuple[int, ...]],
    retrieved: frozenset[str],
    knowledge: Knowledge | None,
) -> AnswerFacts:
    return AnswerFacts(
        supported=[None if claim.verdict is None else claim.verdict is Verdict.SUPPORTED for claim in claims],
        cited=[cited.get(claim.claim_id, ()) for claim in claims],
        chunks=chunks,
        retrieved=retrieved,
        knowledge=knowledge,
        texts=texts,
    )


def _texts_of_changed_claims(
    db: Database, pairs: Sequence[AnswerPair], claims: Mapping[int, list[StoredClaim]], decisions: ClaimDecisions
) -> dict[int, str]:
    """Load the texts of claims in pairs where some claim has no equal on the other side."""
    wanted: set[int] = set()
    for pair in pairs:
        before, after = claims.get(pair.before.sample_id, []), claims.get(pair.after.sample_id, [])
        if decisions or _have_other_claims(before, after):
            wanted.update(claim.claim_id for claim in (*before, *after) if claim.text is None)
    return compared_answers.load_claim_texts(db, wanted)


def _texts_of_changed_chunks(
    db: Database,
    pairs: Sequence[AnswerPair],
    claims: Mapping[int, list[StoredClaim]],
    contexts: Mapping[int, list[StoredChunk]],
) -> dict[int, str]:
    """Load the texts of chunks without an equal on the other side; of all chunks if the claims differ too."""
    wanted: set[int] = set()
    for pair in pairs:
        before, after = contexts.get(pair.before.sample_id, []), contexts.get(pair.after.sample_id, [])
        counts = Counter(chunk.chunk_hash for chunk in before)
        counts.subtract(chunk.chunk_hash for chunk in after)
        changed = [chunk.text_id for chunk in (*before, *after) if counts[chunk.chunk_hash] != 0]
        if changed and _have_other_claims(claims.get(pair.before.sample_id, []), claims.get(pair.after.sample_id, [])):
            changed = [chunk.text_id for chunk in (*before, *after)]
        wanted.update(changed)
    return load_chunk_texts(db, wanted)


def _have_other_claims(before: Sequence[StoredClaim], after: Sequence[StoredClaim]) -> bool:
    return Counter(claim.claim_hash for claim in before) != Counter(claim.claim_hash for claim in after)


def _blocks(pairs: Sequence[AnswerPair]) -> Iterator[Sequence[AnswerPair]]:
    for first in range(0, len(pairs), _BLOCK):
        yield pairs[first : first + _BLOCK]


@dataclass(frozen=True, slots=True)
class _Known:
    before: Knowledge | None
    after: Knowledge | None


class _KnowledgeBases:
    """Both runs' versions of the knowledge base, with the retrieved chunks that are parts of longer stored texts."""

    def __init__(self, db: Database, before: Run, after: Run) -> None:
        self._db = db
        self._versions = (before.kb_version, after.kb_version)
        self._known = [stored_knowledge.load_knowledge(db, version) for version in self._versions]
        self._texts: list[str | None] = [None, None]

    def find(self, matches: Sequence[PairMatch]) -> _Known:
        """Return which of the chunks that the other run retrieved are in either version."""
        return _Known(
            self._with_contained(0, [chunk for match in matches for chunk in match.after_chunks]),
            self._with_contained(1, [chunk for match in matches for chunk in match.before_chunks]),
        )

    def _with_contained(self, side: int, chunks: Sequence[StoredChunk]) -> Knowledge | None:
        known, version = self._known[side], self._versions[side]
        if known is None or version is None:
            return None
        missing = {chunk.text_id: chunk for chunk in chunks if not known.holds(chunk)}
        if not missing:
            return known
        whole = self._texts[side]
        if whole is None:
            # Retrieved chunks are often parts of the documents that were uploaded.
            whole = "\x1e".join(fold(text) for text in stored_knowledge.load_knowledge_texts(self._db, version))
            self._texts[side] = whole
        texts = load_chunk_texts(self._db, missing)
        contained = {missing[text_id].chunk_hash for text_id, text in texts.items() if fold(text) in whole}
        return replace(known, contained=frozenset(known.contained | contained))
