"""Rows of labels as labels: the one query that reads them, and what it gives."""

from typing import Any

from sqlalchemy import Row, select

from faithview.domain.claim import Verdict
from faithview.domain.label import Label, LabelKind, LabelRole
from faithview.domain.spans import Span
from faithview.store.schema.review import LabelRow
from faithview.store.schema.runs import ClaimRow, SampleRow

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
    """Return the columns of a label that is to be stored; its `label_id` is ignored."""
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
