"""Stores labels carried over from earlier runs: adds missing copies, retracts copies that are no longer wanted."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, exists, func, insert, select

from faithview.domain.label import Label, LabelKind, retracted_ids
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.review.derive_reviews import derive_reviews
from faithview.store.review.earlier_labels import find_labels
from faithview.store.review.label_rows import LABELS, label_values, to_label
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, SampleRow

# Answers whose labels are written in one transaction.
_BATCH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """A label to be in the new run: its sample, claim (None for a missed one), and the row with `origin` set."""

    sample_id: int
    claim_id: int | None
    label: Label


def carry(
    db: Database, run_id: str, wanted: Sequence[Carry], *, now: datetime, within: Collection[int] | None = None
) -> None:
    """Make the run's inherited labels those that are wanted: add missing ones and retract the others.

    `within` restricts it to some of the run's samples; `wanted` then has labels of these only.

    Where a person has labelled a claim in this run, retracted or not, their labels of earlier runs are not added.
    Labels inherited from a run that has been deleted stay, and so do all of a run whose texts were deleted. Calling it
    again changes nothing.
    """
    with db.read() as connection:
        emptied = select(RunRow.texts_deleted_at).where(RunRow.id == run_id)
        if connection.execute(emptied).scalar() is not None:
            return
    by_sample: dict[int, list[Carry]] = {}
    for item in wanted:
        by_sample.setdefault(item.sample_id, []).append(item)
    if within is not None:
        sample_ids = sorted(within)
    else:
        with db.read() as connection:
            inherited = select(LabelRow.sample_id).where(LabelRow.run_id == run_id, LabelRow.origin.is_not(None))
            sample_ids = sorted({*by_sample, *connection.execute(inherited.distinct()).scalars()})
    for first in range(0, len(sample_ids), _BATCH):
        batch = sample_ids[first : first + _BATCH]
        with db.bookkeep() as connection:
            _lock(connection, batch)
            changed = _update(connection, run_id, batch, by_sample, now)
            if changed:
                derive_reviews(connection, run_id, sorted(changed))


def count_carried(db: Database, run_id: str) -> tuple[int, int]:
    """Return (claims with an inherited label that counts, claims whose inherited label is stale and that need one)."""
    review = ClaimReviewRow
    query = select(
        func.count().filter(review.is_inherited.is_(True)), func.count().filter(review.has_stale.is_(True))
    ).where(review.run_id == run_id)
    with db.read() as connection:
        saved, stale = connection.execute(query).one()
    return int(saved), int(stale)


def list_stale(db: Database, run_id: str) -> list[tuple[int, Label]]:
    """Return (position, label) of the run's stale inherited labels, in the order of the file."""
    retraction = LabelRow.__table__.alias()
    query = LABELS.where(
        LabelRow.run_id == run_id,
        LabelRow.is_stale.is_(True),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    ).order_by(SampleRow.position, ClaimRow.number, LabelRow.id)
    with db.read() as connection:
        return [(row.position, to_label(row)) for row in connection.execute(query)]


def find_origin(db: Database, label_id: int) -> tuple[str, int, Label] | None:
    """Return (run, position, label) of the label that another was carried over from; None if it is gone."""
    with db.read() as connection:
        row = connection.execute(LABELS.where(LabelRow.id == label_id)).one_or_none()
    return None if row is None else (row.run_id, row.position, to_label(row))


def _lock(connection: Connection, sample_ids: Sequence[int]) -> None:
    dialect.lock(connection, dialect.RUNS_LOCK)
    query = select(ResultRow.sample_id).where(ResultRow.sample_id.in_(sample_ids)).order_by(ResultRow.sample_id)
    connection.execute(query.with_for_update()).all()


def _update(
    connection: Connection,
    run_id: str,
    sample_ids: Sequence[int],
    wanted: Mapping[int, Sequence[Carry]],
    now: datetime,
) -> set[int]:
    """Add and retract labels of these answers; return the answers that changed."""
    there: dict[int, list[tuple[int | None, Label]]] = {sample_id: [] for sample_id in sample_ids}
    for row in connection.execute(LABELS.where(LabelRow.sample_id.in_(sample_ids)).order_by(LabelRow.id)):
        there[row.sample_id].append((row.claim_id, to_label(row)))
    values: list[dict[str, object]] = []
    gone: list[tuple[int, int | None, Label]] = []
    for sample_id in sample_ids:
        added, dropped = _difference(there[sample_id], wanted.get(sample_id, ()))
        for item in added:
            values.append(label_values(item.label, run_id=run_id, sample_id=sample_id, claim_id=item.claim_id))
        gone += [(sample_id, claim_id, label) for claim_id, label in dropped]
    # Nobody can retract the labels of a deleted run, so their copies stay.
    alive = find_labels(connection, {label.origin for _, _, label in gone if label.origin is not None})
    for sample_id, claim_id, label in gone:
        if label.origin in alive:
            retraction = replace(
                label, kind=LabelKind.RETRACTION, verdict=None, at=now, note=None, retracts=label.label_id
            )
            values.append(label_values(retraction, run_id=run_id, sample_id=sample_id, claim_id=claim_id))
    if values:
        connection.execute(insert(LabelRow), values)
    return {int(str(value["sample_id"])) for value in values}


def _difference(
    there: Sequence[tuple[int | None, Label]], wanted: Sequence[Carry]
) -> tuple[list[Carry], list[tuple[int | None, Label]]]:
    """Return which labels of one answer to add, and which inherited labels to retract."""
    retracted = retracted_ids(label for _, label in there)
    own = {(claim_id, label.reviewer) for claim_id, label in there if label.origin is None and claim_id is not None}
    current = {
        (claim_id, label.origin): label
        for claim_id, label in there
        if label.origin is not None and label.kind is not LabelKind.RETRACTION and label.label_id not in retracted
    }
    wanted_keys = {(item.claim_id, item.label.origin) for item in wanted}
    # A person who retracted an inherited label in this run decided that it is not valid here.
    refused = {
        (claim_id, label.origin)
        for claim_id, label in there
        if label.label_id in {other.retracts for _, other in there if other.origin is None}
    }
    added = [
        item
        for item in wanted
        if (item.claim_id, item.label.origin) not in {*current, *refused}
        and (item.claim_id, item.label.reviewer) not in own
    ]
    added.sort(key=lambda item: item.label.origin or 0)  # oldest first, whatever order the database read them in
    return added, [
        (claim_id, label) for (claim_id, origin), label in current.items() if (claim_id, origin) not in wanted_keys
    ]
