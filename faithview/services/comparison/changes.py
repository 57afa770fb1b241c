"""Paired answers of two runs: what changed between them, and the terms that add up to their differences."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain

from faithview.domain.causes import AnswerFacts, Knowledge, find_terms
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause, Change, ChunkChange, Pairing, PairRule, Term, Unpaired
from faithview.domain.content_hashes import fold
from faithview.domain.pairing import identify
from faithview.domain.run import Run
from faithview.domain.scoring import faithfulness
from faithview.stats.pairing import match_chunks, match_claims, pair_answers
from faithview.store import compared_answers
from faithview.store import knowledge as stored_knowledge
from faithview.store.compared_answers import StoredAnswer
from faithview.store.database import Database
from faithview.store.samples import load_chunk_texts

# How many pairs' claims and chunks are in memory at a time.
_BLOCK = 250
_QUESTION_CHARACTERS = 160


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


def is_preflight(before: Run, after: Run) -> bool:
    """Return whether the later run judges the answers of the earlier one on a new version's chunks."""
    return before.preflight_of is not None and after.preflight_of == before.run_id


def pair_runs(db: Database, before: Run, after: Run) -> tuple[list[AnswerPair], Pairing]:
    """Return all pairs of answers in the order of the baseline, and how they were found."""
    baseline, candidate = (compared_answers.load_answers(db, run.run_id) for run in (before, after))
    # The rows of a preflight have the same keys, which are never mere numbers of rows.
    identities = [
        [
            identify(
                row=0 if is_preflight(before, after) else a.row,
                key=a.key,
                cluster=a.cluster,
                question=a.question,
                context_hash=a.context_hash,
            )
            for a in side
        ]
        for side in (baseline, candidate)
    ]
    found, conflicts = pair_answers(*identities)
    pairs = [AnswerPair(before=baseline[i], after=candidate[j], rule=rule) for i, j, rule in found]
    rules = Counter(pair.rule for pair in pairs)
    unscored = Counter(f"{pair.before.state}, {pair.after.state}" for pair in pairs if not pair.is_scored)
    paired = ({pair.before.row for pair in pairs}, {pair.after.row for pair in pairs})
    alone = [
        tuple(
            Unpaired(row=a.row, key=a.key, question=a.question, state=a.state) for a in side if a.row not in paired[at]
        )
        for at, side in enumerate((baseline, candidate))
    ]
    return pairs, Pairing(
        rules={rule: rules[rule] for rule in PairRule if rules[rule]},
        scored=sum(pair.is_scored for pair in pairs),
        unscored=dict(sorted(unscored.items())),
        key_conflicts=conflicts,
        only_in_baseline=alone[0],
        only_in_candidate=alone[1],
    )


def find_changes(db: Database, before: Run, after: Run, pairs: Sequence[AnswerPair]) -> list[Change]:
    """Return the pairs with any change, with the terms of their differences, in the given order."""
    known = [_load_knowledge(db, run.kb_version) for run in (before, after)]
    if is_preflight(before, after):  # a chunk that an answer no longer has is not in the new version
        known[1] = Knowledge(hashes=frozenset(), ids=frozenset())
    # Equal answers with every claim supported on both sides cannot differ; in others claims may have flipped.
    wanted = [pair for pair in pairs if _differs(pair) or (pair.is_scored and pair.before.score != 1)]
    changes = []
    for first in range(0, len(wanted), _BLOCK):
        block = wanted[first : first + _BLOCK]
        facts = _load_facts(db, [(pair.before.sample_id, known[0]) for pair in block])
        facts |= _load_facts(db, [(pair.after.sample_id, known[1]) for pair in block])
        for pair in block:
            change = _change(
                pair,
                facts[pair.before.sample_id],
                facts[pair.after.sample_id],
                has_kept_ids=is_preflight(before, after),
            )
            if change.terms or _differs(pair):
                changes.append(change)
    return changes


def _differs(pair: AnswerPair) -> bool:
    """Return whether the pair's states, scores, texts or chunks differ."""
    before, after = pair.before, pair.after
    return (
        (before.state, before.score) != (after.state, after.score)
        or pair.has_changed_answer
        or pair.has_changed_context
    )


def _change(pair: AnswerPair, before: AnswerFacts, after: AnswerFacts, *, has_kept_ids: bool) -> Change:
    chunks = match_chunks(before.chunks, after.chunks, texts=(before.texts, after.texts), has_kept_ids=has_kept_ids)
    names: dict[ChunkChange, list[str]] = {change: [] for change in ChunkChange}
    for one in chunks:
        chunk = after.chunks[one.candidate] if one.candidate is not None else before.chunks[one.baseline or 0]
        names[one.change].append(chunk.chunk_id)
    terms: tuple[Term, ...] = ()
    if pair.before.score is not None and pair.after.score is not None:
        if _explains(before, pair.before.score) and _explains(after, pair.after.score):
            terms = find_terms(before, after, claims=match_claims(before.claims, after.claims), chunks=chunks)
        elif pair.before.score != pair.after.score:
            value = pair.after.score - pair.before.score
            terms = (Term(baseline=None, candidate=None, value=value, cause=Cause.OTHER),)
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
        chunks_added=tuple(names[ChunkChange.ADDED]),
        chunks_removed=tuple(names[ChunkChange.REMOVED]),
        chunks_edited=tuple(names[ChunkChange.EDITED]),
        terms=terms,
    )


def _explains(facts: AnswerFacts, score: float) -> bool:
    """Return whether the score follows from the claims; it does not if the answer was scored as a whole."""
    counted = faithfulness([Verdict.SUPPORTED if one else Verdict.NOT_MENTIONED for one in facts.supported])
    return counted is not None and math.isclose(counted, score, abs_tol=1e-9)


def _load_facts(db: Database, samples: Sequence[tuple[int, Knowledge | None]]) -> dict[int, AnswerFacts]:
    ids = sorted(sample_id for sample_id, _ in samples)
    claims: Mapping[int, Sequence[compared_answers.StoredClaim]] = compared_answers.load_claims(db, ids)
    contexts = compared_answers.load_contexts(db, ids)
    cited = compared_answers.load_citations(db, chain.from_iterable(claims.values()))
    texts = load_chunk_texts(db, {chunk.text_id for chunk in chain.from_iterable(contexts.values())})
    return {
        sample_id: AnswerFacts(
            claims=[claim.text for claim in claims.get(sample_id, ())],
            supported=[claim.verdict is Verdict.SUPPORTED for claim in claims.get(sample_id, ())],
            cited=[cited.get(claim.claim_id, ()) for claim in claims.get(sample_id, ())],
            chunks=contexts.get(sample_id, []),
            texts=[texts[chunk.text_id] for chunk in contexts.get(sample_id, ())],
            knowledge=known,
        )
        for sample_id, known in samples
    }


def _load_knowledge(db: Database, version: str | None) -> Knowledge | None:
    known = stored_knowledge.load_knowledge(db, version)
    if known is None or version is None:
        return None
    return Knowledge(hashes=known.hashes, ids=known.ids, load_text=cache(partial(_load_text, db, version)))


def _load_text(db: Database, version: str) -> str:
    # Retrieved chunks are often parts of the documents that were uploaded.
    return "\x1e".join(fold(text) for text in stored_knowledge.load_knowledge_texts(db, version))
