"""Labels: added, never changed; what follows from them is worked out in the same transaction."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, insert, select

from faithview.domain import scoring
from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, LabelRole, VerdictSource, effective_verdict
from faithview.domain.spans import Span
from faithview.store.database import Database
from faithview.store.review_schema import ClaimReviewRow, LabelRow, SampleReviewRow
from faithview.store.schema import ClaimRow, ResultRow, RunRow, SampleRow


def add_label(db: Database, label: Label, *, run_id: str, position: int) -> Label:
    """Store a label on a row of a run and return it with its id; scores that rest on it follow at once.

    Args:
        db: the store.
        label: the label; its `label_id` is ignored.
        run_id: the run.
        position: the row's position, from 1.

    Raises:
        NotFound: there is no such row or claim, or no such label to retract.
        InvalidInput: a retraction of somebody else's label.
    """
    with db.write() as connection:
        sample_id = _lock_sample(connection, run_id, position)
        label_id = insert_label(connection, label, run_id=run_id, sample_id=sample_id)
        settle_sample(connection, run_id, sample_id)
        row = connection.execute(_LABELS.where(LabelRow.id == label_id)).one()
    return _to_label(row)


def list_labels(db: Database, run_id: str, *, position: int | None = None) -> list[tuple[int, Label]]:
    """Return (position, label) of a run's labels, or of one row's, in the order in which they were given."""
    query = _LABELS.where(LabelRow.run_id == run_id).order_by(LabelRow.id)
    if position is not None:
        query = query.where(SampleRow.position == position)
    with db.read() as connection:
        return [(row.position, _to_label(row)) for row in connection.execute(query)]


def find_last_label(db: Database, spot_check_id: int, *, reviewer: str) -> tuple[str, int, Label] | None:
    """Return (run, position, label) of the person's newest label of a spot-check that counts; None if there is none."""
    retraction = LabelRow.__table__.alias()
    query = (
        _LABELS.where(
            LabelRow.spot_check_id == spot_check_id,
            LabelRow.reviewer == reviewer,
            LabelRow.kind != LabelKind.RETRACTION,
            ~exists().where(retraction.c.retracts == LabelRow.id),
        )
        .order_by(LabelRow.id.desc())
        .limit(1)
    )
    with db.read() as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else (row.run_id, row.position, _to_label(row))


def list_disagreements(db: Database, run_id: str | None = None) -> list[tuple[str, int, int]]:
    """Return (run, position, claim number) of the claims on which reviewers are tied, of one run or of all."""
    query = (
        select(ClaimReviewRow.run_id, SampleRow.position, ClaimRow.number)
        .join(ClaimRow, ClaimRow.id == ClaimReviewRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimReviewRow.sample_id)
        .where(ClaimReviewRow.source == VerdictSource.DISAGREEMENT)
        .order_by(ClaimReviewRow.run_id, SampleRow.position, ClaimRow.number)
    )
    if run_id is not None:
        query = query.where(ClaimReviewRow.run_id == run_id)
    with db.read() as connection:
        return [(row.run_id, row.position, row.number) for row in connection.execute(query)]


def insert_label(connection: Connection, label: Label, *, run_id: str, sample_id: int) -> int:
    """Add the row and return its id; the caller settles the sample afterwards."""
    claim_id = None
    if label.claim_number is not None:
        found = select(ClaimRow.id).where(ClaimRow.sample_id == sample_id, ClaimRow.number == label.claim_number)
        claim_id = connection.execute(found).scalar_one_or_none()
        if claim_id is None:
            raise NotFound(f"The row has no claim {label.claim_number}.")
    if label.kind is LabelKind.RETRACTION:
        _check_retraction(connection, label, sample_id)
    values = {
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
    return connection.execute(insert(LabelRow).returning(LabelRow.id), values).scalar_one()


def settle_sample(connection: Connection, run_id: str, sample_id: int) -> None:
    """Work out the effective verdicts and scores of one answer from its labels, and store them in place of the old."""
    claims = connection.execute(
        select(ClaimRow.id, ClaimRow.number, ClaimRow.verdict)
        .where(ClaimRow.sample_id == sample_id)
        .order_by(ClaimRow.number)
    ).all()
    labels = [_to_label(row) for row in connection.execute(_LABELS.where(LabelRow.sample_id == sample_id))]
    by_claim: dict[int | None, list[Label]] = {}
    for label in labels:
        by_claim.setdefault(label.claim_number, []).append(label)
    connection.execute(delete(ClaimReviewRow).where(ClaimReviewRow.sample_id == sample_id))
    connection.execute(delete(SampleReviewRow).where(SampleReviewRow.sample_id == sample_id))
    reviews, verdicts, labelled = [], [], 0
    for claim in claims:
        own = by_claim.get(claim.number, [])
        found = effective_verdict(Verdict(claim.verdict), own)
        has_stale = any(label.is_stale for label in own)
        if found.source is not VerdictSource.JUDGE or has_stale:
            labelled += found.source is not VerdictSource.JUDGE
            reviews.append(
                {
                    "claim_id": claim.id,
                    "sample_id": sample_id,
                    "run_id": run_id,
                    "verdict": found.verdict,
                    "source": found.source,
                    "reviewers": found.reviewers,
                    "is_inherited": found.is_inherited,
                    "has_stale": has_stale and found.source is VerdictSource.JUDGE,
                }
            )
        if found.verdict is not None:
            verdicts.append(found.verdict)
    missed = [label.verdict for label in _missed(by_claim.get(None, [])) if label.verdict is not None]
    if reviews:
        connection.execute(insert(ClaimReviewRow), reviews)
    if labelled or missed:
        values = _review_values(run_id, sample_id, verdicts + missed, labelled + len(missed), connection)
        connection.execute(insert(SampleReviewRow), values)


def _missed(labels: Sequence[Label]) -> list[Label]:
    """Return the missed claims that count: each is a claim of its own, so the newest does not replace the others."""
    retracted = {label.retracts for label in labels if label.kind is LabelKind.RETRACTION}
    return [label for label in labels if label.kind is LabelKind.MISSED_CLAIM and label.label_id not in retracted]


def _review_values(
    run_id: str, sample_id: int, verdicts: list[Verdict], labelled: int, connection: Connection
) -> dict[str, object]:
    threshold = connection.execute(select(RunRow.threshold).where(RunRow.id == run_id)).scalar_one()
    return {
        "sample_id": sample_id,
        "run_id": run_id,
        "faithfulness": scoring.faithfulness(verdicts),
        "faithfulness_weighted": scoring.faithfulness_weighted(verdicts),
        "is_faithful": scoring.is_faithful(verdicts, threshold=threshold),
        "claims": len(verdicts),
        **{verdict.value: verdicts.count(verdict) for verdict in Verdict},
        "labelled": labelled,
    }


def _lock_sample(connection: Connection, run_id: str, position: int) -> int:
    """Return the row's id and hold other writers of its labels off, so that what follows from them stays true."""
    query = (
        select(ResultRow.sample_id).where(ResultRow.run_id == run_id, ResultRow.position == position).with_for_update()
    )
    sample_id = connection.execute(query).scalar_one_or_none()
    if sample_id is None:
        raise NotFound(f"Run {run_id} has no row {position}.")
    return sample_id


def _check_retraction(connection: Connection, label: Label, sample_id: int) -> None:
    query = _LABELS.where(LabelRow.id == label.retracts, LabelRow.sample_id == sample_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"There is no label {label.retracts} on this answer to take back.")
    if row.reviewer != label.reviewer:
        raise InvalidInput(f"Label {label.retracts} is {row.reviewer!r}'s; only who gave a label can take it back.")


_LABELS = (
    select(LabelRow.__table__, ClaimRow.number.label("claim_number"), SampleRow.position)
    .join(SampleRow, SampleRow.id == LabelRow.sample_id)
    .outerjoin(ClaimRow, ClaimRow.id == LabelRow.claim_id)
)


def _to_label(row: Row[Any]) -> Label:
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
