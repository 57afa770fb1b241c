"""Spot-checks: drawn once, then handed out claim by claim so that a claim goes to no more people than wanted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Connection,
    Row,
    String,
    and_,
    delete,
    exists,
    func,
    insert,
    null,
    or_,
    select,
    true,
    union_all,
    update,
)

from faithview.domain.errors import NotFound
from faithview.domain.label import LabelKind
from faithview.domain.spot_check import LEASE, DrawnClaim, QueueItem, QueueProgress, SpotCheck
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow, LabelRow, LeaseRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, RunRow, SampleRow

_BATCH = 500


def create_spot_check(db: Database, check: SpotCheck, drawn: Sequence[DrawnClaim]) -> int:
    """Store a draw in the order of its queue and return its id; all of it or nothing.

    Raises:
        NotFound: a drawn claim is not in the store.
    """
    with db.write() as connection:
        check_id: int = connection.execute(
            insert(SpotCheckRow).returning(SpotCheckRow.id),
            {
                "name": check.name,
                "created_at": check.created_at,
                "created_by": check.created_by,
                "is_blind": check.is_blind,
                "reviewers_per_item": check.reviewers_per_item,
                "design": dict(check.design),
            },
        ).scalar_one()
        ids = _claim_ids(connection, drawn)
        items = [
            {
                "spot_check_id": check_id,
                "position": position,
                "run_id": claim.run_id,
                "claim_id": ids[claim.run_id, claim.row, claim.claim_number],
                "stratum": claim.stratum,
                "inclusion_probability": claim.inclusion_probability,
                "is_open": True,
            }
            for position, claim in enumerate(drawn, start=1)
        ]
        connection.execute(insert(SpotCheckItemRow), items)
        _close_inherited(connection, check_id, check.reviewers_per_item)
    return check_id


def _close_inherited(connection: Connection, check_id: int, wanted: int) -> None:
    """Ask nobody about claims whose labels from an earlier run still hold."""
    settled = select(ClaimReviewRow.claim_id).where(
        ClaimReviewRow.is_inherited.is_(True), ClaimReviewRow.reviewers >= wanted
    )
    connection.execute(
        update(SpotCheckItemRow)
        .where(SpotCheckItemRow.spot_check_id == check_id, SpotCheckItemRow.claim_id.in_(settled))
        .values(is_open=False)
    )


def list_spot_checks(db: Database) -> list[SpotCheck]:
    """Return all spot-checks, newest first."""
    with db.read() as connection:
        rows = connection.execute(select(SpotCheckRow.__table__).order_by(SpotCheckRow.id.desc()))
        return [_to_check(row, spot_check_id=row.id, name=row.name) for row in rows]


def get_spot_check(db: Database, spot_check_id: int) -> SpotCheck:
    """Return one spot-check; raises NotFound."""
    with db.read() as connection:
        row = _get(connection, spot_check_id)
        return _to_check(row, spot_check_id=row.id, name=row.name)


def take_item(
    db: Database,
    spot_check_id: int,
    *,
    reviewer: str,
    now: datetime,
    after: int = 0,
    skip: Sequence[int] = (),
    leaving: int | None = None,
) -> QueueItem | None:
    """Lease the next item that this reviewer should label; None if there is none for them now.

    An item is free for a reviewer who has not labelled it, as long as fewer people than wanted have labelled it or hold
    a lease on it. Items that the reviewer already holds come first and their lease is extended, so that a reload shows
    the same item. Items whose claim has a valid label from an earlier run are left out.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        reviewer: who asks.
        now: the time.
        after: only items behind this position, 0 for all.
        skip: ids of items that the reviewer has put aside.
        leaving: position of an item that the reviewer gives back.

    Raises:
        NotFound: there is no such spot-check.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        _end_leases(connection, spot_check_id, reviewer=reviewer, now=now, leaving=leaving)
        rows = connection.execute(_next_items(spot_check_id, reviewer, after=after, skip=skip)).all()
        if not rows:
            _get(connection, spot_check_id)
            return None
        row = max(rows, key=lambda row: row.is_held)
        _lease(connection, row.id, reviewer=reviewer, until=now + LEASE, is_held=row.is_held)
        return _to_item(row)


def take_first_item(
    db: Database,
    spot_check_id: int,
    positions: Sequence[int],
    *,
    reviewer: str,
    now: datetime,
    leaving: int | None = None,
) -> QueueItem | None:
    """Return the first of these items that the reviewer has labelled or can lease, and lease it; None if there is none.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        positions: places in the queue, in the order of preference.
        reviewer: who asks.
        now: the time.
        leaving: position of an item that the reviewer gives back if they get another one.

    Raises:
        NotFound: there is no item at one of the positions.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        _end_leases(connection, spot_check_id, reviewer=reviewer, now=now)
        for position in positions:
            row = _get_item(connection, spot_check_id, position)
            if _has_labelled(connection, row, reviewer) or _try_lease(connection, row, reviewer=reviewer, now=now):
                if leaving is not None and leaving != position:
                    _end_leases(connection, spot_check_id, reviewer=reviewer, now=now, leaving=leaving)
                return _to_item(row)
    return None


def get_item(db: Database, spot_check_id: int, position: int) -> QueueItem:
    """Return the item at that place of the queue; raises NotFound."""
    with db.read() as connection:
        return _to_item(_get_item(connection, spot_check_id, position))


def hold_item(db: Database, *, item_id: int, reviewer: str, now: datetime) -> bool:
    """Lease an item, or extend its lease; return whether the reviewer has it.

    They cannot have it if as many others as wanted have labelled it or hold it. Their own label does not count: before
    a reviewer retracts a label, they lease its item.

    Raises:
        NotFound: there is no such item.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        connection.execute(delete(LeaseRow).where(LeaseRow.until < now))
        row = connection.execute(_ITEMS.where(SpotCheckItemRow.id == item_id)).one_or_none()
        if row is None:
            raise NotFound(f"There is no item {item_id} in any spot-check.")
        return _try_lease(connection, row, reviewer=reviewer, now=now)


def release_item(db: Database, *, item_id: int, reviewer: str) -> None:
    """Give an item back before its lease ends."""
    with db.write() as connection:
        connection.execute(delete(LeaseRow).where(LeaseRow.item_id == item_id, LeaseRow.reviewer == reviewer))


def find_item(db: Database, spot_check_id: int, run_id: str, row: int, claim_number: int) -> QueueItem:
    """Return a claim's item in the queue; raises NotFound."""
    query = _ITEMS.where(
        SpotCheckItemRow.spot_check_id == spot_check_id,
        SampleRow.run_id == run_id,
        SampleRow.position == row,
        ClaimRow.number == claim_number,
    )
    with db.read() as connection:
        item = connection.execute(query).one_or_none()
    if item is None:
        raise NotFound(f"Claim {run_id}-{row}-{claim_number} is not in spot-check {spot_check_id}.")
    return _to_item(item)


def get_queue_progress(db: Database, spot_check_id: int) -> QueueProgress:
    """Return how far a spot-check has come; raises NotFound."""
    items = (
        select(null().cast(String).label("reviewer"), SpotCheckItemRow.is_open, func.count().label("number"))
        .where(SpotCheckItemRow.spot_check_id == spot_check_id)
        .group_by(SpotCheckItemRow.is_open)
    )
    people = (
        select(LabelRow.reviewer, null().cast(Boolean), func.count(LabelRow.claim_id.distinct()))
        .where(*_counts_for(spot_check_id))
        .group_by(LabelRow.reviewer)
    )
    with db.read() as connection:
        rows = connection.execute(union_all(items, people)).all()
        if not rows:
            _get(connection, spot_check_id)
    by_state = {bool(row.is_open): int(row.number) for row in rows if row.reviewer is None}
    by_reviewer = {row.reviewer: int(row.number) for row in rows if row.reviewer is not None}
    return QueueProgress(
        items=sum(by_state.values()), done=by_state.get(False, 0), by_reviewer=dict(sorted(by_reviewer.items()))
    )


def _counts_for(spot_check_id: int) -> tuple[Any, ...]:
    """The conditions under which a label counts as one of the draw: given in it, on a claim, and not taken back."""
    retraction = LabelRow.__table__.alias()
    return (
        LabelRow.spot_check_id == spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    )


def _next_items(spot_check_id: int, reviewer: str, *, after: int, skip: Sequence[int]) -> Any:
    """The first item that this reviewer may label and the first one that they hold, with `is_held` telling them apart.

    Labels are counted for open items only.
    """
    on_claim = (LabelRow.claim_id == SpotCheckItemRow.claim_id, *_counts_for(spot_check_id))
    people = select(func.count(LabelRow.reviewer.distinct())).where(*on_claim).scalar_subquery()
    holders = (
        select(func.count())
        .select_from(LeaseRow)
        .where(LeaseRow.item_id == SpotCheckItemRow.id, LeaseRow.reviewer != reviewer)
        .scalar_subquery()
    )
    # A label and the end of its lease are one transaction, so nobody is missing from both people and holders.
    free = _ITEMS.where(
        SpotCheckItemRow.spot_check_id == spot_check_id,
        SpotCheckItemRow.is_open.is_(True),
        SpotCheckItemRow.position > after,
        ~exists().where(*on_claim, LabelRow.reviewer == reviewer),
        people + holders < SpotCheckRow.reviewers_per_item,
    ).order_by(SpotCheckItemRow.position)
    if skip:
        free = free.where(SpotCheckItemRow.id.not_in(skip))
    own = select(LeaseRow.item_id).where(LeaseRow.reviewer == reviewer)
    first = free.add_columns(SpotCheckItemRow.id.in_(own).label("is_held")).limit(1).subquery()
    held = free.where(SpotCheckItemRow.id.in_(own)).add_columns(true().label("is_held")).limit(1).subquery()
    return union_all(select(held), select(first))


def _get_item(connection: Connection, spot_check_id: int, position: int) -> Row[Any]:
    query = _ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.position == position)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Spot-check {spot_check_id} has no item {position}.")
    return row


def _has_labelled(connection: Connection, item: Row[Any], reviewer: str) -> bool:
    query = select(LabelRow.id).where(
        LabelRow.claim_id == item.claim_id, LabelRow.reviewer == reviewer, *_counts_for(item.spot_check_id)
    )
    return connection.execute(query.limit(1)).first() is not None


def _try_lease(connection: Connection, item: Row[Any], *, reviewer: str, now: datetime) -> bool:
    """Lease the item unless as many others as wanted have labelled it or hold it; return whether it was leased."""
    people = select(func.count(LabelRow.reviewer.distinct())).where(
        LabelRow.claim_id == item.claim_id, LabelRow.reviewer != reviewer, *_counts_for(item.spot_check_id)
    )
    holders = set(connection.execute(select(LeaseRow.reviewer).where(LeaseRow.item_id == item.id)).scalars())
    others = connection.execute(people).scalar_one() + len(holders - {reviewer})
    if others >= item.reviewers_per_item:
        return False
    _lease(connection, item.id, reviewer=reviewer, until=now + LEASE, is_held=reviewer in holders)
    return True


def _lease(connection: Connection, item_id: int, *, reviewer: str, until: datetime, is_held: bool) -> None:
    if is_held:
        own = (LeaseRow.item_id == item_id, LeaseRow.reviewer == reviewer)
        connection.execute(update(LeaseRow).where(*own).values(until=until))
    else:
        connection.execute(insert(LeaseRow), {"item_id": item_id, "reviewer": reviewer, "until": until})


def _end_leases(
    connection: Connection, spot_check_id: int, *, reviewer: str, now: datetime, leaving: int | None = None
) -> None:
    """End all leases that have expired, and the reviewer's own on the item at the position `leaving`."""
    ended = LeaseRow.until < now
    if leaving is not None:
        left = select(SpotCheckItemRow.id).where(
            SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.position == leaving
        )
        ended = or_(ended, and_(LeaseRow.item_id.in_(left), LeaseRow.reviewer == reviewer))
    connection.execute(delete(LeaseRow).where(ended))


def _claim_ids(connection: Connection, drawn: Sequence[DrawnClaim]) -> dict[tuple[str, int, int], int]:
    found: dict[tuple[str, int, int], int] = {}
    by_run: dict[str, list[int]] = {}
    for claim in drawn:
        by_run.setdefault(claim.run_id, []).append(claim.row)
    for run_id, rows in by_run.items():
        wanted = sorted(set(rows))
        for first in range(0, len(wanted), _BATCH):
            query = (
                select(SampleRow.position, ClaimRow.number, ClaimRow.id)
                .join(ClaimRow, ClaimRow.sample_id == SampleRow.id)
                .where(SampleRow.run_id == run_id, SampleRow.position.in_(wanted[first : first + _BATCH]))
            )
            found.update({(run_id, row.position, row.number): row.id for row in connection.execute(query)})
    missing = [c for c in drawn if (c.run_id, c.row, c.claim_number) not in found]
    if missing:
        raise NotFound(f"Run {missing[0].run_id} has no claim {missing[0].claim_number} in row {missing[0].row}.")
    return found


def _get(connection: Connection, spot_check_id: int) -> Row[Any]:
    row = connection.execute(select(SpotCheckRow.__table__).where(SpotCheckRow.id == spot_check_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no spot-check {spot_check_id}.")
    return row


# Items with their claim, their run and the whole of their spot-check, so that showing one takes no further query.
_ITEMS = (
    select(
        SpotCheckItemRow.__table__,
        SampleRow.position.label("row"),
        ClaimRow.number,
        ClaimRow.text,
        ClaimRow.spans,
        RunRow.name.label("run_name"),
        SpotCheckRow.name.label("check_name"),
        SpotCheckRow.created_at,
        SpotCheckRow.created_by,
        SpotCheckRow.is_blind,
        SpotCheckRow.reviewers_per_item,
        SpotCheckRow.design,
    )
    .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
    .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
    .join(RunRow, RunRow.id == SampleRow.run_id)
)


def _to_item(row: Row[Any]) -> QueueItem:
    return QueueItem(
        item_id=row.id,
        position=row.position,
        drawn=DrawnClaim(
            run_id=row.run_id,
            row=row.row,
            claim_number=row.number,
            stratum=row.stratum,
            inclusion_probability=row.inclusion_probability,
        ),
        check=_to_check(row, spot_check_id=row.spot_check_id, name=row.check_name),
        run_name=row.run_name,
        text=row.text,
        spans=tuple((start, end) for start, end, _ in row.spans),
    )


def _to_check(row: Row[Any], *, spot_check_id: int, name: str) -> SpotCheck:
    return SpotCheck(
        spot_check_id=spot_check_id,
        name=name,
        created_at=row.created_at,
        created_by=row.created_by,
        is_blind=row.is_blind,
        reviewers_per_item=row.reviewers_per_item,
        design=row.design,
    )
