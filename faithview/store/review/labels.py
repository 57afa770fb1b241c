"""Labels: added, never changed; what follows from them is worked out in the same transaction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, exists, insert, select

from faithview.domain.audit import Action
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, VerdictSource, counts_as_blind, newest_labels
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.review.derive_reviews import derive_reviews
from faithview.store.review.label_rows import LABELS, label_values, to_label
from faithview.store.review.reveals import has_seen
from faithview.store.schema.review import ClaimReviewRow, LabelRow, LeaseRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, SampleRow, public_claim_id

BLIND_LABEL_STAYS = (
    "You gave this label blind and have seen the judge's verdict since, so it stays. Another verdict of yours is "
    "stored beside it."
)
# How many labels are written in one transaction at most, so that no other writer waits for long.
_BATCH = 500


def add_label(db: Database, label: Label, *, run_id: str, position: int) -> Label:
    """Store a label on a row of a run and return it with its id; scores that rest on it follow at once.

    Args:
        db: the store.
        label: the label; its `label_id` is ignored.
        run_id: the run.
        position: the row's position, from 1.

    Raises:
        NotFound: there is no such row or claim, or no such label to retract.
        InvalidInput: a retraction of somebody else's label, or of a blind one by who has seen the judge's verdict.
    """
    with db.write() as connection:
        sample_id = _lock_sample(connection, run_id, position)
        _record(connection, [(run_id, position, label)])
        return _add(connection, label, run_id=run_id, sample_id=sample_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLabel:
    """What a queue holds after a label was given in it. `is_new` is False if the same label was there before."""

    label: Label
    is_new: bool


def add_queue_label(db: Database, label: Label, *, run_id: str, position: int, item_id: int) -> QueueLabel:
    """Store a label given in a spot-check's queue, end the item's lease, and return the label with its id.

    All in one transaction, so that the item is never free and unlabelled in between. The label is blind if
    `label.is_blind` says so and the reviewer has not seen the judge's verdict on the claim. What they said last, said
    again, adds nothing.

    Raises:
        NotFound: there is no such row or claim.
    """
    with db.write() as connection:
        sample_id = _lock_sample(connection, run_id, position)
        connection.execute(delete(LeaseRow).where(LeaseRow.item_id == item_id, LeaseRow.reviewer == label.reviewer))
        own = [
            to_label(row)
            for row in connection.execute(
                LABELS.where(
                    LabelRow.sample_id == sample_id,
                    ClaimRow.number == label.claim_number,
                    LabelRow.reviewer == label.reviewer,
                )
            )
        ]
        for earlier in newest_labels(own):
            is_same = (earlier.kind, earlier.verdict, earlier.role) == (label.kind, label.verdict, label.role)
            if is_same and earlier.spot_check_id == label.spot_check_id and _adds_no_words(label, earlier):
                return QueueLabel(label=earlier, is_new=False)
        claim_id = _find_claim(_claim_ids(connection, [sample_id]), sample_id, label.claim_number)
        if claim_id is not None and has_seen(connection, claim_id, reviewer=label.reviewer):
            label = replace(label, is_blind=False, judge_seen=True)
        _record(connection, [(run_id, position, label)])
        return QueueLabel(label=_add(connection, label, run_id=run_id, sample_id=sample_id), is_new=True)


def add_labels(db: Database, run_id: str, labels: Sequence[tuple[int, Label]]) -> None:
    """Store many labels of a run, given as (row position, label), in transactions of a few hundred.

    Raises:
        NotFound: there is no such row or claim; labels of earlier transactions stay.
    """
    for first in range(0, len(labels), _BATCH):
        batch = labels[first : first + _BATCH]
        with db.write() as connection:
            insert_labels(connection, run_id, batch)


def insert_labels(connection: Connection, run_id: str, labels: Sequence[tuple[int, Label]]) -> list[int]:
    """Store labels of a run, at least one, in a transaction of the caller's, and return their ids in the same order.

    Raises:
        NotFound: as `add_labels`.
    """
    # In the order of positions, so that two writers on PostgreSQL take their row locks in the same order.
    positions = sorted({position for position, _ in labels})
    samples = {position: _lock_sample(connection, run_id, position) for position in positions}
    claims = _claim_ids(connection, list(samples.values()))
    values = [
        label_values(
            label,
            run_id=run_id,
            sample_id=samples[position],
            claim_id=_find_claim(claims, samples[position], label.claim_number),
        )
        for position, label in labels
    ]
    inserted = insert(LabelRow).returning(LabelRow.id, sort_by_parameter_order=True)
    ids = list(connection.execute(inserted, values).scalars())
    _record(connection, [(run_id, position, label) for position, label in labels])
    derive_reviews(connection, run_id, list(samples.values()))
    return ids


def add_labels_together(db: Database, labels: Sequence[tuple[str, int, Label]]) -> list[tuple[str, int, Label]]:
    """Store labels of several runs, given as (run, row position, label), in one transaction: all of them or none.

    Returns:
        The same with their ids, in the order of runs and positions.

    Raises:
        NotFound, InvalidInput: as `add_label` does; then no label is stored.
    """
    # In one order, so that two writers on PostgreSQL take their row locks in the same order.
    ordered = sorted(labels, key=lambda item: (item[0], item[1], item[2].claim_number or 0))
    with db.write() as connection:
        _record(connection, ordered)
        return [
            (
                run_id,
                position,
                _add(connection, label, run_id=run_id, sample_id=_lock_sample(connection, run_id, position)),
            )
            for run_id, position, label in ordered
        ]


def list_labels(db: Database, run_id: str, *, position: int | None = None) -> list[tuple[int, Label]]:
    """Return (position, label) of a run's labels, or of one row's, in the order in which they were given."""
    if position is None:
        query = LABELS.where(LabelRow.run_id == run_id)
    else:
        # By the row and not by the run: a run may have tens of thousands of labels.
        sample_id = select(SampleRow.id).where(SampleRow.run_id == run_id, SampleRow.position == position)
        query = LABELS.where(LabelRow.sample_id == sample_id.scalar_subquery())
    with db.read() as connection:
        return [(row.position, to_label(row)) for row in connection.execute(query.order_by(LabelRow.id))]


def list_labels_between(db: Database, run_id: str, first: int, last: int) -> dict[int, list[Label]]:
    """Return the labels of the rows from one position to another, both included, by position, oldest first."""
    query = LABELS.where(SampleRow.run_id == run_id, SampleRow.position.between(first, last)).order_by(LabelRow.id)
    by_row: dict[int, list[Label]] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            by_row.setdefault(row.position, []).append(to_label(row))
    return by_row


def has_labels(db: Database, run_id: str) -> bool:
    """Return whether anybody has labelled anything of the run."""
    with db.read() as connection:
        return connection.execute(select(LabelRow.id).where(LabelRow.run_id == run_id).limit(1)).first() is not None


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
    """Return (run, position, label) of the person's newest label of a spot-check that counts; None if there is none."""
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


def _adds_no_words(label: Label, earlier: Label) -> bool:
    return label.note in (None, earlier.note) and label.corrected_text in (None, earlier.corrected_text)


def _add(connection: Connection, label: Label, *, run_id: str, sample_id: int) -> Label:
    if label.kind is LabelKind.RETRACTION:
        _check_retraction(connection, label, sample_id)
    claims = {} if label.claim_number is None else _claim_ids(connection, [sample_id])
    claim_id = _find_claim(claims, sample_id, label.claim_number)
    values = label_values(label, run_id=run_id, sample_id=sample_id, claim_id=claim_id)
    label_id = connection.execute(insert(LabelRow).returning(LabelRow.id), values).scalar_one()
    derive_reviews(connection, run_id, [sample_id])
    return replace(label, label_id=label_id)


def _record(connection: Connection, labels: Sequence[tuple[str, int, Label]]) -> None:
    """Write labels that are given together, as (run, row position, label), into the audit log.

    A label of a blind check is there without its verdict: who labels the claim next must not read it there.
    """
    if not labels:
        return
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


def _claim_ids(connection: Connection, sample_ids: Sequence[int]) -> dict[tuple[int, int], int]:
    query = select(ClaimRow.sample_id, ClaimRow.number, ClaimRow.id).where(ClaimRow.sample_id.in_(sample_ids))
    return {(row.sample_id, row.number): row.id for row in connection.execute(query)}


def _find_claim(claims: Mapping[tuple[int, int], int], sample_id: int, number: int | None) -> int | None:
    if number is None:
        return None
    if (sample_id, number) not in claims:
        raise NotFound(f"The row has no claim {number}.")
    return claims[sample_id, number]


def _lock_sample(connection: Connection, run_id: str, position: int) -> int:
    """Return the row's id and hold other writers of its labels off, so that what follows from them stays true.

    Raises:
        NotFound: there is no such row.
        InvalidInput: its text was deleted.
    """
    query = (
        select(ResultRow.sample_id, RunRow.texts_deleted_at)
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .join(RunRow, RunRow.id == SampleRow.run_id)
        .where(SampleRow.run_id == run_id, SampleRow.position == position)
        .with_for_update(of=ResultRow)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Run {run_id} has no row {position}.")
    if row.texts_deleted_at is not None:
        raise InvalidInput("The texts of this run were deleted, so nobody can read what would be labelled.")
    return int(row.sample_id)


def _check_retraction(connection: Connection, label: Label, sample_id: int) -> None:
    query = LABELS.where(LabelRow.id == label.retracts, LabelRow.sample_id == sample_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"There is no label {label.retracts} on this answer to take back.")
    if row.reviewer != label.reviewer:
        raise InvalidInput(f"Label {label.retracts} is {row.reviewer!r}'s; only who gave a label can take it back.")
    # Without this, taking it back and labelling again would put a label into its place that is not blind.
    is_seen = label.judge_seen or has_seen(connection, row.claim_id, reviewer=row.reviewer)
    if row.claim_id is not None and counts_as_blind(to_label(row)) and is_seen:
        raise InvalidInput(BLIND_LABEL_STAYS)
