"""Assignments of spot-checks to reviewers, and leases of the items that reviewers have on screen.

Leases limit the number of reviewers who get an item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    union,
    union_all,
    update,
)

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.label import LabelKind
from faithview.domain.run import MOST_AHEAD
from faithview.domain.spot_check import LEASE, QueueItem
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.review import AssignmentRow, LabelRow, LeaseRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.spot_checks import ITEMS, counts_for, get_check_row, get_item_row, to_item


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

    An item is free for a reviewer who has not labelled it, as long as fewer reviewers than wanted have labelled or
    leased it. Items that the reviewer has already leased come first and their lease is extended, so a reload shows the
    same item. Items whose claim has a valid label from an earlier run are left out.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        reviewer: the reviewer.
        now: the time.
        after: only items after this position, 0 for all.
        skip: ids of items that the reviewer has skipped.
        leaving: position of an item that the reviewer releases.

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


def find_free_item(db: Database, spot_check_id: int, *, now: datetime) -> QueueItem | None:
    """Return the first item that anybody may label, without leasing it; None if there is none. Raises NotFound."""
    with db.read() as connection:
        get_check_row(connection, spot_check_id)
        row = connection.execute(_next_items(spot_check_id, "", after=0, skip=(), now=now)).first()
        return None if row is None else to_item(row)


def take_first_item(
    db: Database,
    spot_check_id: int,
    positions: Sequence[int],
    *,
    reviewer: str,
    now: datetime,
    leaving: int | None = None,
) -> QueueItem | None:
    """Return the first of these items that the reviewer has labelled or can lease, and lease it, or return None.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        positions: places in the queue, in the order of preference.
        reviewer: the reviewer.
        now: the time.
        leaving: position of an item that the reviewer releases if they get another one.

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

    They cannot have it if enough others have labelled or leased it. Their own label does not count, because reviewers
    lease an item before they retract their label of it.

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
    """Release an item before its lease ends."""
    with db.bookkeep() as connection:
        connection.execute(delete(LeaseRow).where(LeaseRow.item_id == item_id, LeaseRow.reviewer == reviewer))


def _next_items(
    spot_check_id: int, reviewer: str, *, after: int, skip: Sequence[int], now: datetime | None = None
) -> Any:
    """Return the query for the first item that this reviewer may label and the first that they have leased (`is_held`).

    Labels are counted for open items only. `now` leaves out leases that have expired; None where none is left.
    """
    on_claim = (LabelRow.claim_id == SpotCheckItemRow.claim_id, *counts_for(spot_check_id))
    people = select(func.count(LabelRow.reviewer.distinct())).where(*on_claim).scalar_subquery()
    holders = (
        select(func.count())
        .select_from(LeaseRow)
        .where(LeaseRow.item_id == SpotCheckItemRow.id, LeaseRow.reviewer != reviewer)
        .where(true() if now is None else not_(_has_ended(now)))
        .scalar_subquery()
    )
    # A label and the end of its lease are one transaction, so each reviewer is among the labellers or the holders.
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
    """Lease the item unless enough others have labelled or leased it; return whether it was leased."""
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
    """Return the condition that a lease is over; a lease that ends too late comes from a wrong clock."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaims:
    """Claims of a spot-check that lack a label, from one reviewer's point of view.

    `left` are those that the reviewer has not labelled; `started` are those of them that another reviewer has labelled.
    `waiting` are those that the reviewer has labelled and that still need another reviewer.
    """

    left: int = 0
    started: int = 0
    waiting: int = 0


def assign(db: Database, spot_check_id: int, reviewers: Sequence[str], *, assigned_by: str, now: datetime) -> None:
    """Add a spot-check to the reviewers' queues, unless it is already there; raises NotFound."""
    with db.write() as connection:
        name = get_check_row(connection, spot_check_id).name
        record(connection, Action.SPOT_CHECK_ASSIGNED, subject=name, detail=", ".join(reviewers), items=len(reviewers))
        insert = dialect.insert_ignore(db.dialect_name)(AssignmentRow, ["spot_check_id", "reviewer"])
        for reviewer in reviewers:
            connection.execute(
                insert,
                {"spot_check_id": spot_check_id, "reviewer": reviewer, "assigned_by": assigned_by, "at": now},
            )


def unassign(db: Database, spot_check_id: int, reviewer: str) -> None:
    """Remove a spot-check from the reviewer's queue; does nothing if it is not there."""
    with db.write() as connection:
        removed = delete(AssignmentRow).where(
            AssignmentRow.spot_check_id == spot_check_id, AssignmentRow.reviewer == reviewer
        )
        if connection.execute(removed).rowcount:
            name = get_check_row(connection, spot_check_id).name
            record(connection, Action.SPOT_CHECK_UNASSIGNED, subject=name, detail=reviewer)


def list_assignments(db: Database) -> dict[int, tuple[str, ...]]:
    """Return the reviewers of each assigned spot-check, in alphabetical order."""
    query = select(AssignmentRow.spot_check_id, AssignmentRow.reviewer).order_by(AssignmentRow.reviewer)
    assigned: dict[int, tuple[str, ...]] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            assigned[row.spot_check_id] = (*assigned.get(row.spot_check_id, ()), row.reviewer)
    return assigned


def list_reviewers(db: Database) -> list[str]:
    """Return the names of all reviewers with a label or an assigned spot-check, in alphabetical order."""
    query = union(select(LabelRow.reviewer), select(AssignmentRow.reviewer))
    with db.read() as connection:
        return sorted(connection.execute(query).scalars(), key=str.casefold)


def count_open(db: Database, *, reviewer: str, spot_check_id: int | None = None) -> dict[int, OpenClaims]:
    """Return a reviewer's open claims in each spot-check, or in one; those without open claims are left out."""
    own = _is_labelled(LabelRow.reviewer == reviewer)
    others = _is_labelled(LabelRow.reviewer != reviewer)
    query = (
        select(
            SpotCheckItemRow.spot_check_id,
            func.sum(case((own, 0), else_=1)).label("left"),
            func.sum(case((own, 0), (others, 1), else_=0)).label("started"),
            func.sum(case((own, 1), else_=0)).label("waiting"),
        )
        .where(SpotCheckItemRow.is_open.is_(True))
        .group_by(SpotCheckItemRow.spot_check_id)
    )
    if spot_check_id is not None:
        query = query.where(SpotCheckItemRow.spot_check_id == spot_check_id)
    with db.read() as connection:
        return {
            row.spot_check_id: OpenClaims(left=int(row.left), started=int(row.started), waiting=int(row.waiting))
            for row in connection.execute(query)
        }


def _is_labelled(by: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that an item's claim has an active label in its spot-check that meets `by`."""
    retraction = LabelRow.__table__.alias()
    return exists().where(
        LabelRow.claim_id == SpotCheckItemRow.claim_id,
        LabelRow.spot_check_id == SpotCheckItemRow.spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
        by,
    )
