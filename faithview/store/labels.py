"""Labels, which are added and never changed; and reviewers who have seen the judge's verdict, so cannot label blind.

Verdicts and scores are derived from a label in the transaction that adds it (`reviews.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, insert, or_, select

from faithview.domain.audit import Action
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, VerdictSource, counts_as_blind, newest_labels
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import CLAIM_TEXT
from faithview.store.database import Database
from faithview.store.reviews import LABELS, derive_reviews, label_values, to_label
from faithview.store.schema.review import ClaimReviewRow, LabelRow, RevealRow, SeenAnswerRow, SpotCheckItemRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow, public_claim_id
from faithview.store.spot_checks import counts_for


def add_reveals(db: Database, places: Sequence[ClaimRef], *, reviewer: str, now: datetime) -> None:
    """Record that the reviewer sees the judge's verdicts on these claims; deleted claims are left out."""
    with db.bookkeep() as connection:
        insert = dialect.insert_ignore(db.dialect_name)(RevealRow, ["claim_id", "reviewer"])
        for place in places:
            claim_id = connection.execute(_find_claim(place)).scalar_one_or_none()
            if claim_id is not None:
                connection.execute(insert, {"claim_id": claim_id, "reviewer": reviewer, "at": now})


def add_seen_answers(db: Database, answers: Sequence[tuple[str, int]], *, reviewer: str, now: datetime) -> None:
    """Record that the reviewer has opened these answers, (run, row), with the judge's verdicts on all claims in sight.

    Deleted answers are left out. In a read-only store nothing is recorded, because labelling is not possible.
    """
    if db.is_read_only:
        return
    with db.bookkeep() as connection:
        insert = dialect.insert_ignore(db.dialect_name)(SeenAnswerRow, ["sample_id", "reviewer"])
        for run_id, row in answers:
            sample = select(SampleRow.id).where(SampleRow.run_id == run_id, SampleRow.position == row)
            sample_id = connection.execute(sample).scalar_one_or_none()
            if sample_id is not None:
                connection.execute(insert, {"sample_id": sample_id, "reviewer": reviewer, "at": now})


def is_shown(db: Database, place: ClaimRef, *, reviewer: str) -> bool:
    """Return whether a blind spot-check shows the reviewer the judge's verdict on the claim.

    It does once it was revealed to them, or if they labelled the claim knowing it. Having seen it on another page is
    not a reason to show it before they label.
    """
    with db.read() as connection:
        claim_id = connection.execute(_find_claim(place)).scalar_one_or_none()
        return claim_id is not None and bool(connection.execute(select(_shows_judge(claim_id, reviewer))).scalar_one())


def has_seen_judge(db: Database, place: ClaimRef, *, reviewer: str) -> bool:
    """Return whether the reviewer has seen the judge's verdict on the claim; see `has_seen`."""
    with db.read() as connection:
        claim_id = connection.execute(_find_claim(place)).scalar_one_or_none()
        return claim_id is not None and has_seen(connection, claim_id, reviewer=reviewer)


def has_seen(connection: Connection, claim_id: int, *, reviewer: str) -> bool:
    """Return whether the reviewer has seen the judge's verdict on the claim; their new labels are then not blind.

    They have if it was revealed to them, if they labelled the claim with it in sight, or if they opened its answer on a
    page that shows the verdicts. Labels carried over from an earlier run do not count, because the judge's verdict may
    differ there.
    """
    opened = exists().where(
        SeenAnswerRow.reviewer == reviewer, SeenAnswerRow.sample_id == ClaimRow.sample_id, ClaimRow.id == claim_id
    )
    return bool(connection.execute(select(or_(_shows_judge(claim_id, reviewer), opened))).scalar_one())


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim that a reviewer labelled in a spot-check, with all their labels on it, oldest first.

    `position` is its place in the queue, from 1; `is_seen` says whether the spot-check shows the reviewer the judge's
    verdict (`is_shown`).
    """

    position: int
    place: ClaimRef
    text: str
    judged: Verdict
    is_seen: bool
    labels: tuple[Label, ...]


def list_checked_claims(db: Database, spot_check_id: int, *, reviewer: str) -> list[CheckedClaim]:
    """Return the claims that a reviewer labelled in a spot-check, in the order of its queue."""
    given = select(LabelRow.claim_id).where(LabelRow.reviewer == reviewer, *counts_for(spot_check_id))
    claims = (
        select(
            SpotCheckItemRow.position,
            SampleRow.run_id,
            SampleRow.position.label("row"),
            ClaimRow.id,
            ClaimRow.number,
            CLAIM_TEXT,
            ClaimRow.verdict,
            _shows_judge(ClaimRow.id, reviewer).label("is_seen"),
        )
        .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.claim_id.in_(given))
        .order_by(SpotCheckItemRow.position)
    )
    own = LABELS.where(LabelRow.reviewer == reviewer, LabelRow.claim_id.in_(given)).order_by(LabelRow.id)
    by_claim: dict[int, list[Label]] = {}
    with db.read() as connection:
        for row in connection.execute(own):
            by_claim.setdefault(row.claim_id, []).append(to_label(row))
        return [
            CheckedClaim(
                position=row.position,
                place=ClaimRef(run_id=row.run_id, row=row.row, claim_number=row.number),
                text=row.text,
                judged=Verdict(row.verdict),
                is_seen=bool(row.is_seen),
                labels=tuple(by_claim[row.id]),
            )
            for row in connection.execute(claims)
        ]


def _shows_judge(claim_id: Any, reviewer: str) -> ColumnElement[bool]:
    revealed = exists().where(RevealRow.claim_id == claim_id, RevealRow.reviewer == reviewer)
    labelled = exists().where(
        LabelRow.claim_id == claim_id,
        LabelRow.reviewer == reviewer,
        LabelRow.judge_seen.is_(True),
        LabelRow.origin.is_(None),
    )
    return or_(revealed, labelled)


def _find_claim(place: ClaimRef) -> Select[int]:
    return (
        select(ClaimRow.id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(
            SampleRow.run_id == place.run_id,
            SampleRow.position == place.row,
            ClaimRow.number == place.claim_number,
        )
    )


BLIND_LABEL_STAYS = (
    "You gave this label blind and have seen the judge's verdict since, so it is kept. A new label of yours is "
    "stored next to it."
)
# The maximum number of labels in one transaction, to keep other writers' waits short.
_BATCH = 500


def add_label(db: Database, label: Label, *, run_id: str, position: int) -> Label:
    """Store a label on a row of a run and return it with its id; scores that depend on it are updated.

    Args:
        db: the store.
        label: the label; its `label_id` is ignored.
        run_id: the run.
        position: the row's position, from 1.

    Raises:
        NotFound: the row, the claim or the label to retract does not exist.
        InvalidInput: a retraction of another reviewer's label, or of a blind one after seeing the judge's verdict.
    """
    with db.write() as connection:
        sample_id = _lock_sample(connection, run_id, position)
        _record_labels(connection, [(run_id, position, label)])
        return _insert_label(connection, label, run_id=run_id, sample_id=sample_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLabel:
    """A label given in a queue. `is_new` is False if the same label was there before."""

    label: Label
    is_new: bool


def add_queue_label(db: Database, label: Label, *, run_id: str, position: int) -> QueueLabel:
    """Store a label given in a spot-check's queue and return it with its id.

    The label is blind if `label.is_blind` says so and the reviewer has not seen the judge's verdict on the claim.
    Repeating the last label adds nothing.

    Raises:
        NotFound: there is no such row or claim.
    """
    with db.write() as connection:
        sample_id = _lock_sample(connection, run_id, position)
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
        claim_id = _claim_id_of(_claim_ids(connection, [sample_id]), sample_id, label.claim_number)
        if claim_id is not None and has_seen(connection, claim_id, reviewer=label.reviewer):
            label = replace(label, is_blind=False, judge_seen=True)
        _record_labels(connection, [(run_id, position, label)])
        return QueueLabel(label=_insert_label(connection, label, run_id=run_id, sample_id=sample_id), is_new=True)


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
    """Store labels of a run, at least one, in the caller's transaction, and return their ids in the same order.

    Raises:
        NotFound: as for `add_labels`.
    """
    # In the order of positions, so two writers on PostgreSQL take row locks in the same order.
    positions = sorted({position for position, _ in labels})
    samples = {position: _lock_sample(connection, run_id, position) for position in positions}
    claims = _claim_ids(connection, list(samples.values()))
    values = [
        label_values(
            label,
            run_id=run_id,
            sample_id=samples[position],
            claim_id=_claim_id_of(claims, samples[position], label.claim_number),
        )
        for position, label in labels
    ]
    inserted = insert(LabelRow).returning(LabelRow.id, sort_by_parameter_order=True)
    ids = list(connection.execute(inserted, values).scalars())
    _record_labels(connection, [(run_id, position, label) for position, label in labels])
    derive_reviews(connection, run_id, list(samples.values()))
    return ids


def add_labels_together(db: Database, labels: Sequence[tuple[str, int, Label]]) -> list[tuple[str, int, Label]]:
    """Store labels of several runs, given as (run, row position, label), in one transaction: all of them or none.

    Returns:
        The labels with their ids, in the order of runs and positions.

    Raises:
        NotFound, InvalidInput: as for `add_label`; no label is stored.
    """
    # In a fixed order, so two writers on PostgreSQL take row locks in the same order.
    ordered = sorted(labels, key=lambda item: (item[0], item[1], item[2].claim_number or 0))
    with db.write() as connection:
        _record_labels(connection, ordered)
        return [
            (
                run_id,
                position,
                _insert_label(connection, label, run_id=run_id, sample_id=_lock_sample(connection, run_id, position)),
            )
            for run_id, position, label in ordered
        ]


def list_labels(db: Database, run_id: str, *, position: int | None = None) -> list[tuple[int, Label]]:
    """Return (position, label) of a run's labels, or of one row's, in the order in which they were given."""
    if position is None:
        query = LABELS.where(LabelRow.run_id == run_id)
    else:
        # By row and not by run, because a run may have tens of thousands of labels.
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
    """Return whether the run has any label."""
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


def _insert_label(connection: Connection, label: Label, *, run_id: str, sample_id: int) -> Label:
    if label.kind is LabelKind.RETRACTION:
        _check_retraction(connection, label, sample_id)
    claims = {} if label.claim_number is None else _claim_ids(connection, [sample_id])
    claim_id = _claim_id_of(claims, sample_id, label.claim_number)
    values = label_values(label, run_id=run_id, sample_id=sample_id, claim_id=claim_id)
    label_id = connection.execute(insert(LabelRow).returning(LabelRow.id), values).scalar_one()
    derive_reviews(connection, run_id, [sample_id])
    return replace(label, label_id=label_id)


def _record_labels(connection: Connection, labels: Sequence[tuple[str, int, Label]]) -> None:
    """Record labels that are given together, as (run, row position, label), in the audit log.

    A label of a blind check is recorded without its verdict, because the next reviewer must not read it there.
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


def _claim_id_of(claims: Mapping[tuple[int, int], int], sample_id: int, number: int | None) -> int | None:
    if number is None:
        return None
    if (sample_id, number) not in claims:
        raise NotFound(f"The row has no claim {number}.")
    return claims[sample_id, number]


def _lock_sample(connection: Connection, run_id: str, position: int) -> int:
    """Return the row's id and lock its labels against other writers to keep derived scores correct.

    Raises:
        NotFound: there is no such row.
    """
    query = (
        select(ResultRow.sample_id)
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .where(SampleRow.run_id == run_id, SampleRow.position == position)
        .with_for_update(of=ResultRow)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Run {run_id} has no row {position}.")
    return int(row.sample_id)


def _check_retraction(connection: Connection, label: Label, sample_id: int) -> None:
    query = LABELS.where(LabelRow.id == label.retracts, LabelRow.sample_id == sample_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"There is no label {label.retracts} on this answer to retract.")
    if row.reviewer != label.reviewer:
        raise InvalidInput(
            f"Label {label.retracts} is by {row.reviewer!r}; only the reviewer who gave a label can retract it."
        )
    # Otherwise a reviewer could retract it and replace it with a label that is not blind.
    is_seen = label.judge_seen or has_seen(connection, row.claim_id, reviewer=row.reviewer)
    if row.claim_id is not None and counts_as_blind(to_label(row)) and is_seen:
        raise InvalidInput(BLIND_LABEL_STAYS)
