"""The `compare` document, and the claims of a comparison with their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.documents.comparison import (
    AnswerChange,
    ChangedClaim,
    ClaimOfRun,
    ComparedRun,
    ComparisonDocument,
    CorrectedChange,
    FaithfulChange,
)
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause, Change
from faithview.domain.run import Run
from faithview.services.comparison.compared_runs import Comparison, main_side
from faithview.services.container import Store
from faithview.store import compared_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """A claim with the judge's verdict."""

    claim_id: str
    text: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenClaim:
    """A claim that broke or was fixed: before, after, and the cause. A side may be missing."""

    before: ClaimWords | None
    after: ClaimWords | None
    value: float
    cause: Cause


def list_broken(
    store: Store, comparison: Comparison, changes: Sequence[Change]
) -> dict[tuple[int, int], tuple[BrokenClaim, ...]]:
    """Return the claims behind the terms of these changes, by the rows of both runs, the largest loss first."""
    moved = [change for change in changes if change.terms]
    before = _load_claim_words(store, comparison.baseline, [change.baseline_row for change in moved])
    after = _load_claim_words(store, comparison.candidate, [change.candidate_row for change in moved])
    return {
        (change.baseline_row, change.candidate_row): tuple(
            BrokenClaim(
                before=None if term.baseline is None else before[change.baseline_row][term.baseline - 1],
                after=None if term.candidate is None else after[change.candidate_row][term.candidate - 1],
                value=term.value,
                cause=term.cause,
            )
            for term in sorted(change.terms, key=lambda term: term.value)
            if term.is_of_claims
        )
        for change in changes
    }


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


def _change(change: Change, broken: Sequence[BrokenClaim]) -> AnswerChange:
    side = main_side(change)
    return AnswerChange.of(
        change,
        cause=None if side is None else side.cause,
        claims_broken=[_compared_claim(claim) for claim in broken if claim.value < 0],
        claims_fixed=[_compared_claim(claim) for claim in broken if claim.value > 0],
    )


def _compared_claim(claim: BrokenClaim) -> ChangedClaim:
    words = claim.after or claim.before
    sides = [None if side is None else ClaimOfRun.of(side) for side in (claim.before, claim.after)]
    return ChangedClaim.of(claim, text=words.text if words else "", before=sides[0], after=sides[1])


def _load_claim_words(store: Store, run: Run, rows: Sequence[int]) -> Mapping[int, list[ClaimWords]]:
    samples = compared_answers.find_samples(store.db, run.run_id, rows)
    claims = compared_answers.load_claims(store.db, sorted(samples.values()))
    return {
        row: [
            ClaimWords(claim_id=f"{run.run_id}-{row}-{number}", text=claim.text, verdict=claim.verdict)
            for number, claim in enumerate(claims.get(sample_id, ()), start=1)
            if claim.verdict is not None
        ]
        for row, sample_id in samples.items()
    }
