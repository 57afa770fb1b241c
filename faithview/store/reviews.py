"""The data derived from labels: effective verdicts, scores and open queue items, and the query that reads labels.

The rules are in `domain.label.effective_verdict` and `domain.scoring.ReviewedAnswer`; this module stores the results in
the transaction that adds the labels.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from faithview.domain import scoring
from faithview.domain.claim import Severity, Verdict
from faithview.domain.label import Label, LabelKind, LabelRole, VerdictSource, retracted_ids
from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.domain.spans import Span
from faithview.store.inbox_index import update_standing
from faithview.store.schema.review import ClaimReviewRow, LabelRow, SampleReviewRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, SampleRow

# Labels with their claim's number (null for a missed claim) and their row's position.
LABELS = (
    select(LabelRow.__table__, ClaimRow.number.label("claim_number"), SampleRow.position)
    .join(SampleRow, SampleRow.id == LabelRow.sample_id)
    .outerjoin(ClaimRow, ClaimRow.id == LabelRow.claim_id)
)


def to_label(row: Row[Any]) -> Label:
    """Return the label of a row of `LABELS`."""
    return Label(
        label_id=row.id,
        kind=LabelKind(row.kind),
        reviewer=row.reviewer,
        at=row.at,
        claim_number=row.claim_number,
        verdict=Verdict(row.verdict) if row.verdict else None,
        role=LabelRole(row.role),
        note=row.note,
        corrected_text=row.corrected_text,
        span=None if row.start is None else Span(start=row.start, end=row.end, occurrence=row.occurrence or 0),
        seconds=row.seconds,
        is_blind=row.is_blind,
        judge_seen=row.judge_seen,
        spot_check_id=row.spot_check_id,
        inclusion_probability=row.inclusion_probability,
        retracts=row.retracts,
        origin=row.origin,
        is_stale=row.is_stale,
    )


def label_values(label: Label, *, run_id: str, sample_id: int, claim_id: int | None) -> dict[str, object]:
    """Return the columns of a label to store; its `label_id` is ignored."""
    return {
        "run_id": run_id,
        "sample_id": sample_id,
        "claim_id": claim_id,
        "kind": label.kind,
        "verdict": label.verdict,
        "role": label.role,
        "reviewer": label.reviewer,
        "at": label.at,
        "note": label.note,
        "corrected_text": label.corrected_text,
        "start": label.span.start if label.span else None,
        "end": label.span.end if label.span else None,
        "occurrence": label.span.occurrence if label.span else None,
        "seconds": label.seconds,
        "is_blind": label.is_blind,
        "judge_seen": label.judge_seen,
        "spot_check_id": label.spot_check_id,
        "inclusion_probability": label.inclusion_probability,
        "retracts": label.retracts,
        "origin": label.origin,
        "is_stale": label.is_stale,
    }


_BATCH = 500
_LABELLING = (LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)


def derive_all_reviews(connection: Connection) -> None:
    """Derive the reviews of every labelled answer again, after a change of the rules."""
    labelled: dict[str, list[int]] = {}
    for row in connection.execute(select(LabelRow.run_id, LabelRow.sample_id).distinct()):
        labelled.setdefault(row.run_id, []).append(row.sample_id)
    for run_id, sample_ids in labelled.items():
        derive_reviews(connection, run_id, sample_ids)


def derive_reviews(connection: Connection, run_id: str, sample_ids: Sequence[int]) -> None:
    """Derive the reviews of these answers from their labels and replace the stored ones."""
    threshold = connection.execute(select(RunRow.threshold).where(RunRow.id == run_id)).scalar_one()
    for first in range(0, len(sample_ids), _BATCH):
        _derive(connection, run_id, sample_ids[first : first + _BATCH], threshold)


def _derive(connection: Connection, run_id: str, sample_ids: Sequence[int], threshold: float) -> None:
    claims = _load_claims(connection, sample_ids)
    labels = _load_labels(connection, sample_ids)
    wholes = _scored_without_claims(connection, [i for i in sample_ids if labels[i] and not claims[i]])
    claim_reviews: list[dict[str, object]] = []
    sample_reviews: list[dict[str, object]] = []
    for sample_id in sample_ids:
        counting = labels[sample_id]
        if sample_id in wholes:
            counting = scoring.labels_on_whole(counting, length=wholes[sample_id])
        rows, scores = _review_rows(claims[sample_id], counting, threshold)
        keys = {"sample_id": sample_id, "run_id": run_id}
        claim_reviews += [{**row, **keys} for row in rows]
        if scores is not None:
            sample_reviews.append({**scores, **keys})
    connection.execute(delete(ClaimReviewRow).where(ClaimReviewRow.sample_id.in_(sample_ids)))
    connection.execute(delete(SampleReviewRow).where(SampleReviewRow.sample_id.in_(sample_ids)))
    if claim_reviews:
        connection.execute(insert(ClaimReviewRow), claim_reviews)
    if sample_reviews:
        connection.execute(insert(SampleReviewRow), sample_reviews)
    update_standing(connection, sample_ids)
    _update_queue_items(connection, _labels_by_claim(claims, labels))


def _load_claims(connection: Connection, sample_ids: Sequence[int]) -> dict[int, list[Row[Any]]]:
    claims: dict[int, list[Row[Any]]] = {sample_id: [] for sample_id in sample_ids}
    query: Any = (
        select(ClaimRow.id, ClaimRow.sample_id, ClaimRow.number, ClaimRow.verdict)
        .add_columns(ClaimRow.severity, ClaimRow.confidence)
        .where(ClaimRow.sample_id.in_(sample_ids))
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    )
    for row in connection.execute(query):
        claims[row.sample_id].append(row)
    return claims


def _load_labels(connection: Connection, sample_ids: Sequence[int]) -> dict[int, list[Label]]:
    labels: dict[int, list[Label]] = {sample_id: [] for sample_id in sample_ids}
    for row in connection.execute(LABELS.where(LabelRow.sample_id.in_(sample_ids)).order_by(LabelRow.id)):
        labels[row.sample_id].append(to_label(row))
    return labels


def _labels_by_claim(
    claims: Mapping[int, Sequence[Row[Any]]], labels: Mapping[int, Sequence[Label]]
) -> dict[int, list[Label]]:
    """Return the labels of each claim by its id, including claims without labels."""
    by_claim: dict[int, list[Label]] = {}
    for sample_id, rows in claims.items():
        ids = {claim.number: claim.id for claim in rows}
        by_claim.update((claim_id, []) for claim_id in ids.values())
        for label in labels[sample_id]:
            if label.claim_number is not None:
                by_claim[ids[label.claim_number]].append(label)
    return by_claim


def _scored_without_claims(connection: Connection, sample_ids: Sequence[int]) -> dict[int, int]:
    """Return the length of each of these answers that another tool scored as a whole."""
    if not sample_ids:
        return {}
    query = (
        select(ResultRow.sample_id, func.length(SampleRow.answer))
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .where(ResultRow.sample_id.in_(sample_ids), ResultRow.faithfulness.is_not(None), ResultRow.claims == 0)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def _review_rows(
    claims: Sequence[Row[Any]], labels: Sequence[Label], threshold: float
) -> tuple[list[dict[str, object]], dict[str, object] | None]:
    """Return the rows of `claim_review` of one answer, and its row of `sample_review` if it has labels."""
    answer = apply_labels([Verdict(claim.verdict) for claim in claims], labels)
    stale = {label.claim_number for label in labels if label.is_stale}
    rows: list[dict[str, object]] = []
    for claim, effective in zip(claims, answer.effective, strict=True):
        is_judges = effective.source is VerdictSource.JUDGE
        has_stale = is_judges and claim.number in stale
        if not is_judges or has_stale:
            rows.append(
                {
                    "claim_id": claim.id,
                    "verdict": effective.verdict,
                    "source": effective.source,
                    "reviewers": effective.reviewers,
                    "is_inherited": effective.is_inherited,
                    "has_stale": has_stale,
                }
            )
    if not answer.labelled:
        return rows, None
    return rows, {**_score_columns(answer, threshold), "worst_harm": _worst_harm(claims, answer)}


def _worst_harm(claims: Sequence[Row[Any]], answer: ReviewedAnswer) -> float | None:
    harms = [
        scoring.expected_harm(
            effective.verdict,
            Severity(claim.severity) if claim.severity else None,
            scoring.SETTLED_CONFIDENCE if effective.is_settled else claim.confidence,
        )
        for claim, effective in zip(claims, answer.effective, strict=True)
        if effective.verdict is not None
    ]
    harms += [scoring.expected_harm(label.verdict, None, scoring.SETTLED_CONFIDENCE) for label in answer.missed]
    return max(harms, default=None)


def _score_columns(answer: ReviewedAnswer, threshold: float) -> dict[str, object]:
    verdicts = answer.verdicts
    return {
        "faithfulness": scoring.faithfulness(verdicts),
        "faithfulness_weighted": scoring.faithfulness_weighted(verdicts),
        "is_faithful": scoring.is_faithful(verdicts, threshold=threshold),
        "claims": len(verdicts),
        **{verdict.value: verdicts.count(verdict) for verdict in Verdict},
        "labelled": answer.labelled,
    }


def _update_queue_items(connection: Connection, labels: Mapping[int, Sequence[Label]]) -> None:
    """Close the queue items of claims that enough reviewers have labelled, and open the others."""
    claim_ids = list(labels)
    for first in range(0, len(claim_ids), _BATCH):
        query = (
            select(SpotCheckItemRow.id, SpotCheckItemRow.claim_id, SpotCheckItemRow.spot_check_id)
            .add_columns(SpotCheckItemRow.is_open, SpotCheckRow.reviewers_per_item)
            .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
            .where(SpotCheckItemRow.claim_id.in_(claim_ids[first : first + _BATCH]))
        )
        for item in connection.execute(query).all():
            people = _labellers(labels[item.claim_id], item.spot_check_id)
            is_open = len(people) < item.reviewers_per_item
            if is_open != item.is_open:
                connection.execute(
                    update(SpotCheckItemRow).where(SpotCheckItemRow.id == item.id).values(is_open=is_open)
                )


def _labellers(labels: Sequence[Label], spot_check_id: int) -> set[str]:
    """Return the reviewers who labelled a claim in that spot-check, or earlier with a label that is still valid."""
    retracted = retracted_ids(labels)
    return {
        label.reviewer
        for label in labels
        if label.kind in _LABELLING
        and label.label_id not in retracted
        and (label.spot_check_id == spot_check_id or (label.origin is not None and not label.is_stale))
    }
