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
    NoiseFigures,
)
from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause, Change, Term
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.run import Run
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference
from faithview.store import compared_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """A claim's text and its verdict under the comparison's view; None if reviewers said it is not a claim."""

    claim_id: str
    text: str
    verdict: Verdict | None


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
    view = comparison.view
    before = _load_claim_words(
        store, comparison.baseline, [change.baseline_row for change in changes if change.terms], view
    )
    after = _load_claim_words(
        store, comparison.candidate, [change.candidate_row for change in changes if change.terms], view
    )
    return {
        (change.baseline_row, change.candidate_row): tuple(
            _broken(term, before.get(change.baseline_row, ()), after.get(change.candidate_row, ()))
            for term in sorted(change.terms, key=lambda term: term.value)
            if term.is_of_claims
        )
        for change in changes
    }


def compare_document(store: Store, comparison: Comparison) -> ComparisonDocument:
    """Return the document of `faithview compare --json`."""
    difference, noise = comparison.difference, comparison.noise
    broken = list_broken(store, comparison, comparison.changes)
    return ComparisonDocument.of(
        comparison,
        changes=[_change(change, broken[change.baseline_row, change.candidate_row]) for change in comparison.changes],
        baseline_run=ComparedRun.of(comparison.baseline, faithfulness=difference.baseline),
        candidate_run=ComparedRun.of(comparison.candidate, faithfulness=difference.candidate),
        judge_noise=None if noise is None else NoiseFigures.of(noise, explains_delta=comparison.is_judge_noise),
        corrected=_corrected_change(comparison.corrected),
        only_in_baseline=comparison.pairing.only_in_baseline,
        only_in_candidate=comparison.pairing.only_in_candidate,
    )


def _corrected_change(corrected: CorrectedDifference | NoCorrectedDifference | None) -> CorrectedChange | None:
    if corrected is None:
        return None
    if isinstance(corrected, NoCorrectedDifference):
        return CorrectedChange(reason=corrected.message)
    return CorrectedChange.of(corrected, ci=corrected.interval)


def _change(change: Change, broken: Sequence[BrokenClaim]) -> AnswerChange:
    return AnswerChange.of(
        change,
        claims_broken=[_compared_claim(claim) for claim in broken if claim.value < 0],
        claims_fixed=[_compared_claim(claim) for claim in broken if claim.value > 0],
    )


def _compared_claim(claim: BrokenClaim) -> ChangedClaim:
    words = claim.after or claim.before
    return ChangedClaim.of(
        claim, text=words.text if words else "", before=_compared_side(claim.before), after=_compared_side(claim.after)
    )


def _compared_side(words: ClaimWords | None) -> ClaimOfRun | None:
    if words is None:
        return None
    return ClaimOfRun.of(words, verdict=NOT_A_CLAIM if words.verdict is None else words.verdict)


def _broken(term: Term, before: Sequence[ClaimWords], after: Sequence[ClaimWords]) -> BrokenClaim:
    return BrokenClaim(
        before=None if term.baseline is None else before[term.baseline - 1],
        after=None if term.candidate is None else after[term.candidate - 1],
        value=term.value,
        cause=term.cause,
    )


def _load_claim_words(store: Store, run: Run, rows: Sequence[int], view: View) -> Mapping[int, list[ClaimWords]]:
    samples = compared_answers.find_samples(store.db, run.run_id, rows)
    claims = compared_answers.load_claims(store.db, sorted(samples.values()), view)
    texts = compared_answers.load_claim_texts(
        store.db, [claim.claim_id for texts in claims.values() for claim in texts if claim.text is None]
    )
    return {
        row: [
            ClaimWords(
                claim_id=f"{run.run_id}-{row}-{claim.number}" if claim.number is not None else "",
                text=claim.text if claim.text is not None else texts[claim.claim_id],
                verdict=claim.verdict,
            )
            for claim in claims.get(sample_id, [])
        ]
        for row, sample_id in samples.items()
    }
