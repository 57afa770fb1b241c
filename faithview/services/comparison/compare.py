"""Compare two runs: pair their answers, test the difference, find its causes; and one pair of answers in full."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from faithview.domain.answer import AnswerDetail, View
from faithview.domain.certainty import Certainty
from faithview.domain.comparison import Change, ChunkPair, ClaimPair
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.pairing import ChunkFacts
from faithview.domain.run import Run
from faithview.services.comparison.changes import find_changes, is_preflight, pair_runs
from faithview.services.comparison.compared_runs import Comparison, find_cautions
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.services.review.corrected_score import correct_runs
from faithview.services.review.labels import standing_certainties
from faithview.stats.corrected_difference import CorrectedDifference, compare_corrected
from faithview.stats.decomposition import share_causes
from faithview.stats.paired import compare_pairs, compare_segments
from faithview.stats.pairing import match_chunks, match_claims
from faithview.store.knowledge import list_knowledge_bases
from faithview.store.revisions import list_drawn_runs, list_revisions


def compare_runs(store: Store, baseline: str, candidate: str) -> Comparison:
    """Compare two runs, by id or unique name, by the judge's verdicts; cached until one of the runs changes.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs are the same, or have no answer in common.
    """
    before, after = get_run(store, baseline), get_run(store, candidate)
    if before.run_id == after.run_id:
        raise InvalidInput(f"{before.name!r} cannot be compared with itself; name two runs.")
    ids = (before.run_id, after.run_id)
    versions = (before.kb_version, after.kb_version)
    state = (
        tuple(list_revisions(store.db, ids).values()),
        (before.status, after.status),
        versions,
        tuple((base.version, base.created_at) for base in list_knowledge_bases(store.db) if base.version in versions),
        tuple(list_drawn_runs(store.db).get(run_id) for run_id in ids),
    )
    comparison = store.comparison_cache.get("comparison", ids, state, lambda: _compute(store, before, after))
    return replace(comparison, baseline=before, candidate=after)


def _compute(store: Store, before: Run, after: Run) -> Comparison:
    pairs, pairing = pair_runs(store.db, before, after)
    if not pairs:
        raise InvalidInput(
            f"{before.name!r} and {after.name!r} have no ids or questions in common. Compare runs over the same "
            "questions, or give the rows an id."
        )
    scored = [pair for pair in pairs if pair.is_scored]
    changes = find_changes(store.db, before, after, pairs)
    scores = np.array([[p.before.score, p.after.score] for p in scored], dtype=np.float64).reshape(-1, 2)
    clusters = np.unique([p.before.cluster for p in scored], return_inverse=True)[1]
    return Comparison(
        baseline=before,
        candidate=after,
        cautions=find_cautions(before, after, pairing),
        pairing=pairing,
        difference=compare_pairs(scores[:, 0], scores[:, 1], clusters),
        no_longer_faithful=sum(bool(p.before.is_faithful) and not p.after.is_faithful for p in scored),
        newly_faithful=sum(bool(p.after.is_faithful) and not p.before.is_faithful for p in scored),
        segments=compare_segments([p.segment for p in scored], scores[:, 0], scores[:, 1], clusters),
        causes=share_causes([change.terms for change in changes], pairs=len(scored)),
        changes=tuple(sorted(changes, key=_worst_first)),
        corrected=_compare_corrected(store, before, after),
    )


def _compare_corrected(store: Store, before: Run, after: Run) -> CorrectedDifference | None:
    """Return the difference of the corrected scores; None unless both runs have a spot-check with enough labels."""
    scores = correct_runs(store, [before.run_id, after.run_id])
    baseline, candidate = scores[before.run_id], scores[after.run_id]
    return None if baseline is None or candidate is None else compare_corrected(baseline, candidate)


def _worst_first(change: Change) -> tuple[float, int]:
    # Answers judged in one run only come after those that fell and before those that did not change.
    return (-1e-9 if change.difference is None else change.difference, change.candidate_row)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDetail:
    """Two paired answers in detail.

    `claims` and `chunks` contain indexes from 0 into the claims and the chunks of either answer. The certainties are of
    the claims.
    """

    change: Change
    before: AnswerDetail
    after: AnswerDetail
    claims: tuple[ClaimPair, ...]
    chunks: tuple[ChunkPair, ...]
    certainties_before: tuple[Certainty, ...]
    certainties_after: tuple[Certainty, ...]


def get_pair(store: Store, comparison: Comparison, *, baseline_row: int, candidate_row: int) -> PairDetail:
    """Return two paired answers with everything that changed between them.

    Raises:
        NotFound: nothing changed between the rows, they are not paired, or a run was deleted.
    """
    rows = (baseline_row, candidate_row)
    change = next((one for one in comparison.changes if (one.baseline_row, one.candidate_row) == rows), None)
    if change is None:
        raise NotFound(
            f"Nothing changed between row {baseline_row} of {comparison.baseline.name!r} and row {candidate_row} of "
            f"{comparison.candidate.name!r}, or the rows are not a pair."
        )
    before = get_answer_at(store, comparison.baseline.run_id, baseline_row)
    after = get_answer_at(store, comparison.candidate.run_id, candidate_row)
    return PairDetail(
        change=change,
        before=before,
        after=after,
        claims=match_claims([c.text for c in before.result.claims], [c.text for c in after.result.claims]),
        chunks=match_chunks(
            _chunk_facts(before),
            _chunk_facts(after),
            texts=([chunk.text for chunk in before.sample.chunks], [chunk.text for chunk in after.sample.chunks]),
            has_kept_ids=is_preflight(comparison.baseline, comparison.candidate),
        ),
        certainties_before=standing_certainties(store, before, View.JUDGE),
        certainties_after=standing_certainties(store, after, View.JUDGE),
    )


def _chunk_facts(answer: AnswerDetail) -> Sequence[ChunkFacts]:
    return [
        ChunkFacts(chunk_id=chunk.chunk_id, chunk_hash=chunk.chunk_hash, rank=chunk.rank)
        for chunk in answer.sample.chunks
    ]
