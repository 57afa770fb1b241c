"""Leases: who has which item of a spot-check on screen, so that an item goes to no more people than wanted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    union_all,
    update,
)

from faithview.domain.errors import NotFound
from faithview.domain.run import MOST_AHEAD
from faithview.domain.spot_check import LEASE, QueueItem
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.review.spot_check_rows import ITEMS, counts_for, get_check_row, get_item_row, to_item
from faithview.store.schema.review import LabelRow, LeaseRow, SpotCheckItemRow, SpotCheckRow


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
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        _end_leases(connection, spot_check_id, reviewer=reviewer, now=now, leaving=leaving)
        rows = connection.execute(_next_items(spot_check_id, reviewer, after=after, skip=skip)).all()
        if not rows:
            get_check_row(connection, spot_check_id)
            return None
        row = max(rows, key=lambda row: row.is_held)
        _lease(connection, row.id, reviewer=reviewer, until=now + LEASE, is_held=row.is_held)
        return to_item(row)


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
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        _end_leases(connection, spot_check_id, reviewer=reviewer, now=now)
        for position in positions:
            row = get_item_row(connection, spot_check_id, position)
            if _has_labelled(connection, row, reviewer) or _try_lease(connection, row, reviewer=reviewer, now=now):
                if leaving is not None and leaving != position:
                    _end_leases(connection, spot_check_id, reviewer=reviewer, now=now, leaving=leaving)
                return to_item(row)
    return None


def hold_item(db: Database, *, item_id: int, reviewer: str, now: datetime) -> bool:
    """Lease an item, or extend its lease; return whether the reviewer has it.

    They cannot have it if as many others as wanted have labelled it or hold it. Their own label does not count: before
    a reviewer retracts a label, they lease its item.

    Raises:
        NotFound: there is no such item.
    """
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        connection.execute(delete(LeaseRow).where(_has_ended(now)))
        row = connection.execute(ITEMS.where(SpotCheckItemRow.id == item_id)).one_or_none()
        if row is None:
            raise NotFound(f"There is no item {item_id} in any spot-check.")
        return _try_lease(connection, row, reviewer=reviewer, now=now)


def release_item(db: Database, *, item_id: int, reviewer: str) -> None:
    """Give an item back before its lease ends."""
    with db.bookkeep() as connection:
        connection.execute(delete(LeaseRow).where(LeaseRow.item_id == item_id, LeaseRow.reviewer == reviewer))


def _next_items(spot_check_id: int, reviewer: str, *, after: int, skip: Sequence[int]) -> Any:
    """Return the query for the first item that this reviewer may label and the first that they hold (`is_held`).

    Labels are counted for open items only.
    """
    on_claim = (LabelRow.claim_id == SpotCheckItemRow.claim_id, *counts_for(spot_check_id))
    people = select(func.count(LabelRow.reviewer.distinct())).where(*on_claim).scalar_subquery()
    holders = (
        select(func.count())
        .select_from(LeaseRow)
        .where(LeaseRow.item_id == SpotCheckItemRow.id, LeaseRow.reviewer != reviewer)
        .scalar_subquery()
    )
    # A label and the end of its lease are one transaction, so nobody is missing from both people and holders.
    free = ITEMS.where(
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
    own_item = free.where(SpotCheckItemRow.id.in_(own)).add_columns(true().label("is_held")).limit(1).subquery()
    return union_all(select(own_item), select(first))


def _has_labelled(connection: Connection, item: Row[Any], reviewer: str) -> bool:
    query = select(LabelRow.id).where(
        LabelRow.claim_id == item.claim_id, LabelRow.reviewer == reviewer, *counts_for(item.spot_check_id)
    )
    return connection.execute(query.limit(1)).first() is not None


def _try_lease(connection: Connection, item: Row[Any], *, reviewer: str, now: datetime) -> bool:
    """Lease the item unless as many others as wanted have labelled it or hold it; return whether it was leased."""
    people = select(func.count(LabelRow.reviewer.distinct())).where(
        LabelRow.claim_id == item.claim_id, LabelRow.reviewer != reviewer, *counts_for(item.spot_check_id)
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


def _has_ended(now: datetime) -> ColumnElement[bool]:
    """Return the condition that a lease is over; one that ends too late was given by a clock that was wrong."""
    return or_(LeaseRow.until < now, LeaseRow.until > now + LEASE + MOST_AHEAD)


def _end_leases(
    connection: Connection, spot_check_id: int, *, reviewer: str, now: datetime, leaving: int | None = None
) -> None:
    """End all leases that have expired, and the reviewer's own on the item at the position `leaving`."""
    ended = _has_ended(now)
    if leaving is not None:
        left = select(SpotCheckItemRow.id).where(
            SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.position == leaving
        )
        ended = or_(ended, and_(LeaseRow.item_id.in_(left), LeaseRow.reviewer == reviewer))
    connection.execute(delete(LeaseRow).where(ended))
