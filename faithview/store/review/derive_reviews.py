"""What follows from labels, worked out in the transaction that adds them: effective verdicts, scores, open items."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from faithview.domain import scoring
from faithview.domain.claim import Verdict
from faithview.domain.label import (
    Label,
    LabelKind,
    VerdictSource,
    effective_verdict,
    missed_claims,
    retracted_ids,
)
from faithview.store.review.label_rows import LABELS, to_label
from faithview.store.schema.review import ClaimReviewRow, LabelRow, SampleReviewRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, RunRow

_BATCH = 500
_LABELLING = (LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)


def settle_samples(connection: Connection, run_id: str, sample_ids: Sequence[int]) -> None:
    """Work out what follows from the labels of these answers and store it in place of what was there."""
    threshold = connection.execute(select(RunRow.threshold).where(RunRow.id == run_id)).scalar_one()
    for first in range(0, len(sample_ids), _BATCH):
        _settle(connection, run_id, sample_ids[first : first + _BATCH], threshold)


def _settle(connection: Connection, run_id: str, sample_ids: Sequence[int], threshold: float) -> None:
    claims: dict[int, list[Row[Any]]] = {sample_id: [] for sample_id in sample_ids}
    judged: Any = (
        select(ClaimRow.id, ClaimRow.sample_id, ClaimRow.number, ClaimRow.verdict)
        .where(ClaimRow.sample_id.in_(sample_ids))
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    )
    for row in connection.execute(judged):
        claims[row.sample_id].append(row)
    labels: dict[int, dict[int | None, list[Label]]] = {sample_id: {} for sample_id in sample_ids}
    for row in connection.execute(LABELS.where(LabelRow.sample_id.in_(sample_ids)).order_by(LabelRow.id)):
        labels[row.sample_id].setdefault(row.claim_number, []).append(to_label(row))
    claim_reviews: list[dict[str, object]] = []
    sample_reviews: list[dict[str, object]] = []
    for sample_id in sample_ids:
        found, values = _review(claims[sample_id], labels[sample_id], threshold)
        place = {"sample_id": sample_id, "run_id": run_id}
        claim_reviews += [{**review, **place} for review in found]
        if values is not None:
            sample_reviews.append({**values, **place})
    connection.execute(delete(ClaimReviewRow).where(ClaimReviewRow.sample_id.in_(sample_ids)))
    connection.execute(delete(SampleReviewRow).where(SampleReviewRow.sample_id.in_(sample_ids)))
    if claim_reviews:
        connection.execute(insert(ClaimReviewRow), claim_reviews)
    if sample_reviews:
        connection.execute(insert(SampleReviewRow), sample_reviews)
    _settle_items(
        connection,
        {claim.id: labels[sample_id].get(claim.number, []) for sample_id in sample_ids for claim in claims[sample_id]},
    )


def _review(
    claims: Sequence[Row[Any]], labels: Mapping[int | None, Sequence[Label]], threshold: float
) -> tuple[list[dict[str, object]], dict[str, object] | None]:
    reviews: list[dict[str, object]] = []
    verdicts: list[Verdict] = []
    labelled = 0
    for claim in claims:
        own = labels.get(claim.number, ())
        found = effective_verdict(Verdict(claim.verdict), own)
        has_stale = any(label.is_stale for label in own) and found.source is VerdictSource.JUDGE
        if found.source is not VerdictSource.JUDGE or has_stale:
            labelled += found.source is not VerdictSource.JUDGE
            reviews.append(
                {
                    "claim_id": claim.id,
                    "verdict": found.verdict,
                    "source": found.source,
                    "reviewers": found.reviewers,
                    "is_inherited": found.is_inherited,
                    "has_stale": has_stale,
                }
            )
        if found.verdict is not None:
            verdicts.append(found.verdict)
    missed = [label.verdict for label in missed_claims(labels.get(None, ())) if label.verdict is not None]
    if not labelled and not missed:
        return reviews, None
    return reviews, _scores([*verdicts, *missed], labelled + len(missed), threshold)


def _scores(verdicts: Sequence[Verdict], labelled: int, threshold: float) -> dict[str, object]:
    return {
        "faithfulness": scoring.faithfulness(verdicts),
        "faithfulness_weighted": scoring.faithfulness_weighted(verdicts),
        "is_faithful": scoring.is_faithful(verdicts, threshold=threshold),
        "claims": len(verdicts),
        **{verdict.value: verdicts.count(verdict) for verdict in Verdict},
        "labelled": labelled,
    }


def _settle_items(connection: Connection, labels: Mapping[int, Sequence[Label]]) -> None:
    """Open or close the claims' places in queues: closed once as many people as wanted have labelled the claim."""
    claim_ids = list(labels)
    for first in range(0, len(claim_ids), _BATCH):
        query = (
            select(SpotCheckItemRow.id, SpotCheckItemRow.claim_id, SpotCheckItemRow.spot_check_id)
            .add_columns(SpotCheckItemRow.is_open, SpotCheckRow.reviewers_per_item)
            .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
            .where(SpotCheckItemRow.claim_id.in_(claim_ids[first : first + _BATCH]))
        )
        for item in connection.execute(query).all():
            people = _people(labels[item.claim_id], item.spot_check_id)
            is_open = len(people) < item.reviewers_per_item
            if is_open != item.is_open:
                connection.execute(
                    update(SpotCheckItemRow).where(SpotCheckItemRow.id == item.id).values(is_open=is_open)
                )


def _people(labels: Sequence[Label], spot_check_id: int) -> set[str]:
    """Return who has labelled a claim in that spot-check, or before, where the label still holds."""
    retracted = retracted_ids(labels)
    return {
        label.reviewer
        for label in labels
        if label.kind in _LABELLING
        and label.label_id not in retracted
        and (label.spot_check_id == spot_check_id or (label.origin is not None and not label.is_stale))
    }
