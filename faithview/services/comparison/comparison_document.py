"""The `compare` document, and the claims of a comparison with their texts."""

from collections.abc import Mapping, Sequence

from faithview.documents.comparison import (
    AnswerChange,
    ChangedClaim,
    ClaimOfRun,
    ComparedRun,
    ComparisonDocument,
    CorrectedChange,
    FaithfulChange,
)
from faithview.domain.comparison import Change
from faithview.domain.run import Run
from faithview.services.comparison.compared_runs import Comparison, main_side
from faithview.services.container import Store
from faithview.store import compared_answers
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.verdict_styles import verdict_word


def list_broken(
    store: Store, comparison: Comparison, changes: Sequence[Change]
) -> dict[tuple[int, int], tuple[ChangedClaim, ...]]:
    """Return the claims behind the terms of these changes, by the rows of both runs, the largest loss first."""
    moved = [change for change in changes if change.terms]
    before = _load_claims(store, comparison.baseline, [change.baseline_row for change in moved])
    after = _load_claims(store, comparison.candidate, [change.candidate_row for change in moved])
    found = {}
    for change in changes:
        claims = []
        for term in sorted(change.terms, key=lambda term: term.value):
            old = None if term.baseline is None else before[change.baseline_row][term.baseline - 1]
            new = None if term.candidate is None else after[change.candidate_row][term.candidate - 1]
            if shown := new or old:
                claims.append(
                    ChangedClaim.of(text=shown.text, cause=term.cause, value=term.value, before=old, after=new)
                )
        found[change.baseline_row, change.candidate_row] = tuple(claims)
    return found


def changed_claim_words(claim: ChangedClaim) -> str:
    """Return a claim that broke or was fixed: why, its text, and its verdict now."""
    shown = claim.candidate or claim.baseline
    cause = CAUSE_WORDS[claim.cause].name(is_won=claim.delta > 0)
    return f"{cause}: {claim.text} [{verdict_word(shown.verdict if shown else None)}]"


def compare_document(store: Store, comparison: Comparison) -> ComparisonDocument:
    """Return the document of `faithview compare --json`."""
    broken = list_broken(store, comparison, comparison.changes)
    found = comparison.corrected
    return ComparisonDocument.of(
        comparison,
        changes=[_change(change, broken[change.baseline_row, change.candidate_row]) for change in comparison.changes],
        baseline_run=ComparedRun.of(comparison.baseline, faithfulness=comparison.difference.baseline),
        candidate_run=ComparedRun.of(comparison.candidate, faithfulness=comparison.difference.candidate),
        faithful=FaithfulChange(lost=comparison.no_longer_faithful, gained=comparison.newly_faithful),
        corrected_delta=None if found is None else CorrectedChange.of(found, ci=found.interval),
        only_in_baseline=comparison.pairing.only_in_baseline,
        only_in_candidate=comparison.pairing.only_in_candidate,
    )


def _change(change: Change, broken: Sequence[ChangedClaim]) -> AnswerChange:
    side = main_side(change)
    return AnswerChange.of(
        change,
        cause=None if side is None else side.cause,
        claims_broken=[claim for claim in broken if claim.delta < 0],
        claims_fixed=[claim for claim in broken if claim.delta > 0],
    )


def _load_claims(store: Store, run: Run, rows: Sequence[int]) -> Mapping[int, list[ClaimOfRun]]:
    samples = compared_answers.find_samples(store.db, run.run_id, rows)
    claims = compared_answers.load_claims(store.db, sorted(samples.values()))
    return {
        row: [
            ClaimOfRun(claim_id=f"{run.run_id}-{row}-{number}", text=claim.text, verdict=claim.verdict)
            for number, claim in enumerate(claims.get(sample_id, ()), start=1)
            if claim.verdict is not None
        ]
        for row, sample_id in samples.items()
    }
