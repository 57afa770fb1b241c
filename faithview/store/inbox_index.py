"""The rows of the inbox, written in the transaction that adds claims or labels; they go with their claims."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from faithview.domain.certainty import certainty_of
from faithview.domain.claim import Claim, Severity, Verdict
from faithview.domain.inbox import NONE, TO_CHECK, LabelOutcome, label_outcome
from faithview.domain.knowledge import document_name
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, VerdictSource
from faithview.domain.sample import Sample
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm
from faithview.store import dialect
from faithview.store.claims import judge_of_claim
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ClaimRow, RunRow

# Documents with long paths or addresses differ at the end, not at the beginning.
_LONGEST_DOCUMENT = 150


def add_claims(connection: Connection, run_id: str, claims: Iterable[tuple[int, Claim, Sample]]) -> None:
    """Index claims, given as (id, claim, its answer), that were just stored and have no labels yet."""
    run_judge = connection.execute(select(RunRow.judge).where(RunRow.id == run_id)).scalar_one()
    rows = [
        {
            "claim_id": claim_id,
            "text_key": int(claim.claim_hash[:15], 16),
            "run_id": run_id,
            "error_type": claim.hallucination_type or NONE,
            "segment": NONE if sample.segment is None else sample.segment,
            "document": _document(claim, sample),
            "assignee": NONE,
            **_standing(claim.verdict, claim.confidence, claim.severity, claim.decided_by or run_judge, None),
        }
        for claim_id, claim, sample in claims
    ]
    connection.execute(insert(InboxClaimRow), rows)


def update_standing(connection: Connection, sample_ids: Sequence[int]) -> None:
    """Update the claims of these answers after their labels changed."""
    query: Any = (
        select(ClaimRow.id, ClaimRow.verdict, ClaimRow.confidence, ClaimRow.severity, judge_of_claim().label("judge"))
        .add_columns(ClaimReviewRow.source, ClaimReviewRow.verdict.label("reviewed"))
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(dialect.among(ClaimRow.sample_id, sample_ids))
        .order_by(ClaimRow.id)
    )
    changed = []
    for row in connection.execute(query):
        review = None
        if row.source is not None:
            reviewed = Verdict(row.reviewed) if row.reviewed else None
            review = EffectiveVerdict(verdict=reviewed, source=VerdictSource(row.source))
        severity = Severity(row.severity) if row.severity else None
        standing = _standing(Verdict(row.verdict), row.confidence, severity, row.judge, review)
        changed.append({"of": row.id, **standing})
    if changed:
        connection.execute(update(InboxClaimRow).where(InboxClaimRow.claim_id == bindparam("of")), changed)


def _standing(
    judged: Verdict,
    confidence: float | None,
    severity: Severity | None,
    judge: str,
    review: EffectiveVerdict | None,
) -> dict[str, object]:
    """Return the columns that labels change: the verdict that counts, the label state, the expected harm."""
    effective = review or EffectiveVerdict(verdict=judged, source=VerdictSource.JUDGE)
    outcome = label_outcome(judged, effective)
    is_to_check = outcome is LabelOutcome.UNLABELLED and certainty_of(judged, confidence, judge).is_near_cut
    return {
        "verdict": effective.verdict or NOT_A_CLAIM,
        "label_state": TO_CHECK if is_to_check else outcome,
        "harm": expected_harm(effective.verdict, severity, SETTLED_CONFIDENCE if effective.is_settled else confidence),
    }


def _document(claim: Claim, sample: Sample) -> str:
    """Return the name of the document of the first chunk that a claim cites."""
    cited = next(iter(claim.supporting_chunk_ids), None)
    name = next((document_name(chunk.metadata) for chunk in sample.chunks if chunk.chunk_id == cited), None) or NONE
    return name if len(name) <= _LONGEST_DOCUMENT else f"…{name[1 - _LONGEST_DOCUMENT :]}"
