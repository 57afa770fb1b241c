"""The `compare` document, and the claims of a comparison with their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause, Change, Term
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.run import Run
from faithview.domain.scoring import Interval
from faithview.domain.views import View
from faithview.services.comparison.comparison import Comparison
from faithview.services.container import Services
from faithview.stats.corrected_difference import NoCorrectedDifference
from faithview.store.comparison import compared_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """A claim's text and its verdict under the comparison's view; None if people said it is not a claim."""

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
    services: Services, comparison: Comparison, changes: Sequence[Change]
) -> dict[tuple[int, int], tuple[BrokenClaim, ...]]:
    """Return the claims behind the terms of these changes, by the rows of both runs, the largest loss first."""
    view = comparison.view
    before = _words(services, comparison.baseline, [change.baseline_row for change in changes if change.terms], view)
    after = _words(services, comparison.candidate, [change.candidate_row for change in changes if change.terms], view)
    return {
        (change.baseline_row, change.candidate_row): tuple(
            _broken(term, before.get(change.baseline_row, ()), after.get(change.candidate_row, ()))
            for term in sorted(change.terms, key=lambda term: term.value)
            if term.is_of_claims
        )
        for change in changes
    }


def compare_document(services: Services, comparison: Comparison) -> dict[str, Any]:
    """Return what `faithview compare --json` prints."""
    difference, pairing = comparison.difference, comparison.pairing
    broken = list_broken(services, comparison, comparison.changes)
    return {
        "baseline": comparison.baseline.run_id,
        "candidate": comparison.candidate.run_id,
        "paired_rows": pairing.scored,
        "delta": difference.mean,
        "delta_ci": _pair(difference.interval),
        "p_value": difference.p_value,
        "regressed": difference.regressed,
        "improved": difference.improved,
        "unchanged": difference.unchanged,
        "only_in_baseline": len(pairing.only_in_baseline),
        "only_in_candidate": len(pairing.only_in_candidate),
        "segments": [
            {
                "segment": segment.segment,
                "rows": segment.rows,
                "baseline": segment.baseline,
                "candidate": segment.candidate,
                "delta": segment.difference,
                "p_value_adjusted": segment.p_value_adjusted,
                "share_of_delta": segment.share_of_delta,
                "share_of_pairs": segment.share_of_pairs,
                "p_value_share": segment.p_value_share,
                "delta_ci": _pair(segment.interval),
                "p_value": segment.p_value,
                "contribution": segment.contribution,
            }
            for segment in comparison.segments
        ],
        "changes": [
            _change(change, broken[change.baseline_row, change.candidate_row]) for change in comparison.changes
        ],
        # Whose verdicts all figures of this level go by. Those of the corrected view are under "corrected" alone.
        "view": comparison.view.value,
        "requested_view": comparison.asked.value,
        "baseline_run": _run(comparison.baseline, difference.baseline),
        "candidate_run": _run(comparison.candidate, difference.candidate),
        "is_significant": comparison.is_significant,
        "smallest_detectable": difference.detectable,
        "judge_noise": _noise(comparison),
        "faithful": {
            "lost": comparison.faithful.lost,
            "gained": comparison.faithful.gained,
            "p_value": comparison.faithful.p_value,
        },
        "corrected": _corrected(comparison),
        "labels": _labels(comparison),
        "cautions": [{"code": caution.code, "text": caution.text} for caution in comparison.cautions],
        "pairing": {
            "paired_by": {rule.value: count for rule, count in pairing.rules.items()},
            "unscored": dict(pairing.unscored),
            "only_in_baseline": [row.key for row in pairing.only_in_baseline],
            "only_in_candidate": [row.key for row in pairing.only_in_candidate],
            "key_conflicts": pairing.key_conflicts,
            "suggested": len(pairing.suggestions),
        },
        "causes": [
            {
                "cause": share.cause.value,
                "delta": share.total,
                "lost": share.lost,
                "won": share.won,
                "claims_broken": share.broken,
                "claims_fixed": share.fixed,
                "answers": share.answers,
            }
            for share in comparison.causes
        ],
    }


def _noise(comparison: Comparison) -> dict[str, Any] | None:
    noise = comparison.noise
    if noise is None:
        return None
    return {
        "repeats": noise.repeats,
        "claims_flipped": noise.claims_flipped,
        "answers_moved": noise.answers_moved,
        "half_width": noise.half_width,
        "explains_delta": comparison.is_judge_noise,
    }


def _corrected(comparison: Comparison) -> dict[str, Any] | None:
    corrected = comparison.corrected
    if corrected is None:
        return None
    if isinstance(corrected, NoCorrectedDifference):
        figures = ("estimate", "ci", "interval", "baseline", "candidate", "judge", "is_significant")
        return {**dict.fromkeys(figures), "reason": corrected.message}
    return {
        "estimate": corrected.difference,
        "ci": _pair(corrected.interval),
        "interval": "fixed" if corrected.is_final else "anytime",
        "baseline": corrected.baseline,
        "candidate": corrected.candidate,
        "judge": corrected.judge,
        "is_significant": corrected.is_clear,
        "reason": None,
    }


def _labels(comparison: Comparison) -> dict[str, Any] | None:
    labels = comparison.labels
    if labels is None:
        return None
    return {"baseline": labels.baseline, "candidate": labels.candidate, "balanced": labels.is_balanced}


def _change(change: Change, broken: Sequence[BrokenClaim]) -> dict[str, Any]:
    return {
        "key": change.key,
        "baseline": change.baseline,
        "candidate": change.candidate,
        "answer_changed": change.answer_changed,
        "context_changed": change.context_changed,
        "chunks_added": list(change.chunks_added),
        "chunks_removed": list(change.chunks_removed),
        "claims_broken": [_claim(claim) for claim in broken if claim.value < 0],
        "claims_fixed": [_claim(claim) for claim in broken if claim.value > 0],
        "chunks_edited": list(change.chunks_edited),
        "question": change.question,
        "segment": change.segment,
        "baseline_row": change.baseline_row,
        "candidate_row": change.candidate_row,
        "baseline_state": change.baseline_state.value,
        "candidate_state": change.candidate_state.value,
        "paired_by": change.rule.value,
    }


def _claim(claim: BrokenClaim) -> dict[str, Any]:
    words = claim.after or claim.before
    return {
        "text": words.text if words else "",
        "cause": claim.cause.value,
        "delta": claim.value,
        "baseline": _side(claim.before),
        "candidate": _side(claim.after),
    }


def _side(words: ClaimWords | None) -> dict[str, Any] | None:
    if words is None:
        return None
    verdict = words.verdict.value if words.verdict is not None else NOT_A_CLAIM
    return {"claim_id": words.claim_id, "text": words.text, "verdict": verdict}


def _run(run: Run, mean: float | None) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "name": run.name,
        "judge": run.judge.name,
        "method": run.judge.method,
        "fingerprint": run.fingerprint,
        "kb_version": run.kb_version,
        "as_of": run.as_of.isoformat(),
        "threshold": run.threshold,
        "faithfulness": mean,
    }


def _broken(term: Term, before: Sequence[ClaimWords], after: Sequence[ClaimWords]) -> BrokenClaim:
    return BrokenClaim(
        before=None if term.baseline is None else before[term.baseline - 1],
        after=None if term.candidate is None else after[term.candidate - 1],
        value=term.value,
        cause=term.cause,
    )


def _words(services: Services, run: Run, rows: Sequence[int], view: View) -> Mapping[int, list[ClaimWords]]:
    samples = compared_answers.find_samples(services.db, run.run_id, rows)
    claims = compared_answers.load_claims(services.db, sorted(samples.values()), view)
    texts = compared_answers.load_claim_texts(
        services.db, [claim.claim_id for texts in claims.values() for claim in texts if claim.text is None]
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


def _pair(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
