"""Labels, which are added and never changed.

Verdicts and scores that follow from a label are derived in the transaction that adds it (`reviews.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, exists, insert, select

from faithview.domain.audit import Action
from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, VerdictSource
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.reviews import LABELS, derive_reviews, find_twins, list_labels_of, to_label
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow, public_claim_id


def add_label(db: Database, label: Label, *, run_id: str, position: int) -> Label:
    """Store a label on a row of a run, as `add_labels` does, and return it with its id."""
    return add_labels(db, [(run_id, position, label)])[0]


def add_labels(db: Database, labels: Sequence[tuple[str, int, Label]]) -> list[Label]:
    """Store labels, given as (run, row position from 1, label), in one transaction: all of them or none.

    Scores that depend on them are updated.

    Returns:
        The labels with their ids, in the given order.

    Raises:
        NotFound: a row, a claim or a label to retract does not exist.
        InvalidInput: a retraction of another reviewer's label.
    """
    with db.write() as connection:
        return insert_labels(connection, labels)


def insert_labels(connection: Connection, labels: Sequence[tuple[str, int, Label]]) -> list[Label]:
    """Do what `add_labels` does in the caller's transaction."""
    samples = _find_samples(connection, {(run_id, row) for run_id, row, _ in labels})
    sample_ids = sorted({*samples.values()})
    numbered = select(ClaimRow.sample_id, ClaimRow.number, ClaimRow.id)
    rows = connection.execute(numbered.where(dialect.among(ClaimRow.sample_id, sample_ids)))
    claims = {(sample_id, number): claim_id for sample_id, number, claim_id in rows}
    values = []
    for run_id, row, label in labels:
        sample_id = samples[run_id, row]
        if label.claim_number is not None and (sample_id, label.claim_number) not in claims:
            raise NotFound(f"Row {row} of run {run_id} has no claim {label.claim_number}.")
        if label.kind is LabelKind.RETRACTION:
            _check_retraction(connection, label, sample_id)
        claim_id = None if label.claim_number is None else claims[sample_id, label.claim_number]
        values.append(_columns(label, run_id=run_id, sample_id=sample_id, claim_id=claim_id))
    if not values:
        return []
    inserted = insert(LabelRow).returning(LabelRow.id, sort_by_parameter_order=True)
    ids = connection.execute(inserted, values).scalars().all()
    affected = sorted({*sample_ids, *find_twins(connection, sample_ids)})
    _lock(connection, affected)
    derive_reviews(connection, affected)
    _record(connection, labels)
    return [replace(label, label_id=label_id) for (_, _, label), label_id in zip(labels, ids, strict=True)]


def list_labels(db: Database, run_id: str) -> list[tuple[int, Label]]:
    """Return (position, label) of the labels given in a run, in the order in which they were given."""
    with db.read() as connection:
        rows = connection.execute(LABELS.where(LabelRow.run_id == run_id).order_by(LabelRow.id))
        return [(row.position, to_label(row)) for row in rows]


def list_labels_between(db: Database, run_id: str, first: int, last: int) -> dict[int, list[Label]]:
    """Return the labels of the rows from one position to another, both included, by position, oldest first.

    Labels that were given on equal claims of other answers are included.
    """
    rows = select(SampleRow.id, SampleRow.position).where(
        SampleRow.run_id == run_id, SampleRow.position.between(first, last)
    )
    with db.read() as connection:
        positions = {row.id: row.position for row in connection.execute(rows)}
        by_sample = list_labels_of(connection, list(positions))
    return {positions[sample_id]: labels for sample_id, labels in by_sample.items() if labels}


def has_labels(db: Database, run_id: str) -> bool:
    """Return whether a label applies to any answer of the run."""
    review = select(ClaimReviewRow.claim_id).where(ClaimReviewRow.run_id == run_id).limit(1)
    given = select(LabelRow.id).where(LabelRow.run_id == run_id).limit(1)
    with db.read() as connection:
        return any(connection.execute(query).first() is not None for query in (given, review))


def iterate_claims(db: Database, run_id: str) -> Iterator[tuple[int, int]]:
    """Yield (row position, claim number) of every claim of a run, in no particular order."""
    query = (
        select(ResultRow.position, ClaimRow.number)
        .join(ClaimRow, ClaimRow.sample_id == ResultRow.sample_id)
        .where(ResultRow.run_id == run_id)
    )
    with db.read() as connection:
        for row in connection.execute(query):
            yield row.position, row.number


def find_last_label(db: Database, spot_check_id: int, *, reviewer: str) -> tuple[str, int, Label] | None:
    """Return (run, position, label) of the reviewer's newest label of a spot-check that counts, or None."""
    retraction = LabelRow.__table__.alias()
    query = (
        LABELS.where(
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
    return None if row is None else (row.run_id, row.position, to_label(row))


def list_disagreements(db: Database, run_id: str | None = None) -> list[ClaimRef]:
    """Return the claims on which reviewers are tied, of one run or of all; equal claims are listed where labelled."""
    query = (
        select(ClaimReviewRow.run_id, SampleRow.position, ClaimRow.number)
        .join(ClaimRow, ClaimRow.id == ClaimReviewRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimReviewRow.sample_id)
        .where(ClaimReviewRow.source == VerdictSource.DISAGREEMENT, ClaimReviewRow.is_shared.is_(False))
        .order_by(ClaimReviewRow.run_id, SampleRow.position, ClaimRow.number)
    )
    if run_id is not None:
        query = query.where(ClaimReviewRow.run_id == run_id)
    with db.read() as connection:
        return [ClaimRef(run_id=run, row=row, claim_number=number) for run, row, number in connection.execute(query)]


def _find_samples(connection: Connection, places: set[tuple[str, int]]) -> dict[tuple[str, int], int]:
    """Return the ids of the rows at these places (run, position); raises NotFound."""
    query = select(SampleRow.run_id, SampleRow.position, SampleRow.id).where(
        dialect.among(SampleRow.run_id, {run_id for run_id, _ in places}),
        dialect.among(SampleRow.position, {row for _, row in places}),
    )
    found = {(run_id, row): sample_id for run_id, row, sample_id in connection.execute(query)}
    for run_id, row in sorted(places - found.keys()):
        raise NotFound(f"Run {run_id} has no row {row}.")
    return found


def _lock(connection: Connection, sample_ids: Sequence[int]) -> None:
    """Hold back other writers of labels of these answers, in a fixed order, so derived scores are correct."""
    query = select(ResultRow.sample_id).where(dialect.among(ResultRow.sample_id, sample_ids))
    connection.execute(query.order_by(ResultRow.sample_id).with_for_update(of=ResultRow.__table__)).all()


def _check_retraction(connection: Connection, label: Label, sample_id: int) -> None:
    query = select(LabelRow.reviewer).where(LabelRow.id == label.retracts, LabelRow.sample_id == sample_id)
    reviewer = connection.execute(query).scalar_one_or_none()
    if reviewer is None:
        raise NotFound(f"There is no label {label.retracts} on this answer to retract.")
    if reviewer != label.reviewer:
        raise InvalidInput(
            f"Label {label.retracts} is by {reviewer!r}; only the reviewer who gave a label can retract it."
        )


def _columns(label: Label, *, run_id: str, sample_id: int, claim_id: int | None) -> Mapping[str, object]:
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
        "spot_check_id": label.spot_check_id,
        "retracts": label.retracts,
    }


def _record(connection: Connection, labels: Sequence[tuple[str, int, Label]]) -> None:
    """Record labels that are given together, as (run, row position, label), in the audit log.

    A label of a blind check is recorded without its verdict, because the next reviewer must not read it there.
    """
    runs = {run_id for run_id, _, _ in labels}
    details = {"blind" if label.is_blind else label.verdict or label.kind.value for _, _, label in labels}
    claims = {public_claim_id(run_id, row, label.claim_number) for run_id, row, label in labels if label.claim_number}
    is_retraction = all(label.kind is LabelKind.RETRACTION for _, _, label in labels)
    record(
        connection,
        Action.LABEL_RETRACTED if is_retraction else Action.LABEL_GIVEN,
        run_id=runs.pop() if len(runs) == 1 else None,
        subject=claims.pop() if len(labels) == len(claims) == 1 else None,
        detail=None if is_retraction or len(details) > 1 else details.pop(),
        items=len(labels),
    )
