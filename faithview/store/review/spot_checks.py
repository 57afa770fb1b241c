"""Spot-checks: drawn once, then handed out claim by claim so that no two people get the same one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, insert, select, update

from faithview.domain.errors import NotFound
from faithview.domain.label import LabelKind
from faithview.domain.spot_check import LEASE, DrawnClaim, QueueItem, QueueProgress, SpotCheck
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow, LabelRow, LeaseRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, SampleRow

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
        return [_to_check(row) for row in rows]


def get_spot_check(db: Database, spot_check_id: int) -> SpotCheck:
    """Return one spot-check; raises NotFound."""
    with db.read() as connection:
        return _to_check(_get(connection, spot_check_id))


def take_item(
    db: Database, spot_check_id: int, *, reviewer: str, now: datetime, after: int = 0, skip: Sequence[int] = ()
) -> QueueItem | None:
    """Lease the next item that this reviewer should label; None if there is none for them now.

    An item is free for a reviewer who has not labelled it while fewer than the wanted number of people have labelled it
    or hold a lease on it. What the reviewer holds comes first and its lease is extended, so that a reload shows the
    same item. An item whose claim has a label from an earlier run that still holds needs none.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        reviewer: who asks.
        now: the time.
        after: only items behind this position, 0 for all.
        skip: items (ids) that the reviewer has put aside.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        check = _to_check(_get(connection, spot_check_id))
        connection.execute(delete(LeaseRow).where(LeaseRow.until < now))
        free = _free_items(check, reviewer, after=after, skip=skip).limit(1)
        held = free.where(SpotCheckItemRow.id.in_(select(LeaseRow.item_id).where(LeaseRow.reviewer == reviewer)))
        row = connection.execute(held).one_or_none() or connection.execute(free).one_or_none()
        if row is None:
            return None
        connection.execute(delete(LeaseRow).where(LeaseRow.item_id == row.id, LeaseRow.reviewer == reviewer))
        connection.execute(insert(LeaseRow), {"item_id": row.id, "reviewer": reviewer, "until": now + LEASE})
        return _to_item(row)


def get_item(db: Database, spot_check_id: int, position: int) -> QueueItem:
    """Return the item at that place of the queue; raises NotFound."""
    query = _ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.position == position)
    with db.read() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Spot-check {spot_check_id} has no item {position}.")
    return _to_item(row)


def hold_item(db: Database, *, item_id: int, reviewer: str, now: datetime) -> bool:
    """Lease that item, or lengthen its lease; return whether the reviewer has it.

    They cannot have it where as many others as are wanted have labelled it or hold it. Their own label does not stand
    in the way: who is about to take it back holds the item first.

    Raises:
        NotFound: there is no such item.
    """
    own = (LeaseRow.item_id == item_id, LeaseRow.reviewer == reviewer)
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        connection.execute(delete(LeaseRow).where(LeaseRow.until < now))
        item = connection.execute(_ITEMS.where(SpotCheckItemRow.id == item_id)).one_or_none()
        if item is None:
            raise NotFound(f"There is no item {item_id} in any spot-check.")
        people = select(func.count(LabelRow.reviewer.distinct())).where(
            LabelRow.claim_id == item.claim_id, LabelRow.reviewer != reviewer, *_counts_for(item.spot_check_id)
        )
        holders = select(func.count()).where(LeaseRow.item_id == item_id, LeaseRow.reviewer != reviewer)
        others = connection.execute(people).scalar_one() + connection.execute(holders).scalar_one()
        if others >= _get(connection, item.spot_check_id).reviewers_per_item:
            return False
        connection.execute(delete(LeaseRow).where(*own))
        connection.execute(insert(LeaseRow), {"item_id": item_id, "reviewer": reviewer, "until": now + LEASE})
    return True


def release_item(db: Database, *, item_id: int, reviewer: str) -> None:
    """Give an item back before its lease ends."""
    with db.write() as connection:
        connection.execute(delete(LeaseRow).where(LeaseRow.item_id == item_id, LeaseRow.reviewer == reviewer))


def find_position(db: Database, spot_check_id: int, run_id: str, row: int, claim_number: int) -> int:
    """Return a claim's place in the queue; raises NotFound."""
    query = (
        select(SpotCheckItemRow.position)
        .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(
            SpotCheckItemRow.spot_check_id == spot_check_id,
            SampleRow.run_id == run_id,
            SampleRow.position == row,
            ClaimRow.number == claim_number,
        )
    )
    with db.read() as connection:
        position: int | None = connection.execute(query).scalar_one_or_none()
    if position is None:
        raise NotFound(f"Claim {run_id}-{row}-{claim_number} is not in spot-check {spot_check_id}.")
    return position


def get_queue_progress(db: Database, spot_check_id: int) -> QueueProgress:
    """Return how far a spot-check has come; raises NotFound."""
    counts = (
        select(SpotCheckItemRow.is_open, func.count())
        .where(SpotCheckItemRow.spot_check_id == spot_check_id)
        .group_by(SpotCheckItemRow.is_open)
    )
    people = (
        select(LabelRow.reviewer, func.count(LabelRow.claim_id.distinct()))
        .where(*_counts_for(spot_check_id))
        .group_by(LabelRow.reviewer)
        .order_by(LabelRow.reviewer)
    )
    with db.read() as connection:
        _get(connection, spot_check_id)
        items = {bool(row[0]): int(row[1]) for row in connection.execute(counts)}
        by_reviewer = {row[0]: int(row[1]) for row in connection.execute(people)}
    return QueueProgress(items=sum(items.values()), done=items.get(False, 0), by_reviewer=by_reviewer)


def _counts_for(spot_check_id: int) -> tuple[Any, ...]:
    """The conditions under which a label counts as one of the draw: given in it, on a claim, and not taken back."""
    retraction = LabelRow.__table__.alias()
    return (
        LabelRow.spot_check_id == spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    )


def _free_items(check: SpotCheck, reviewer: str, *, after: int, skip: Sequence[int]) -> Any:
    """The items that this reviewer may label, in their order. Labels are counted for open items only."""
    on_claim = (LabelRow.claim_id == SpotCheckItemRow.claim_id, *_counts_for(check.spot_check_id))
    people = select(func.count(LabelRow.reviewer.distinct())).where(*on_claim).scalar_subquery()
    holders = (
        select(func.count())
        .select_from(LeaseRow)
        .where(LeaseRow.item_id == SpotCheckItemRow.id, LeaseRow.reviewer != reviewer)
        .scalar_subquery()
    )
    # One transaction adds a label and gives its lease back, so people and holders never miss somebody between them.
    query = _ITEMS.where(
        SpotCheckItemRow.spot_check_id == check.spot_check_id,
        SpotCheckItemRow.is_open.is_(True),
        SpotCheckItemRow.position > after,
        ~exists().where(*on_claim, LabelRow.reviewer == reviewer),
        people + holders < check.reviewers_per_item,
    )
    if skip:
        query = query.where(SpotCheckItemRow.id.not_in(skip))
    return query.order_by(SpotCheckItemRow.position)


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


_ITEMS = (
    select(SpotCheckItemRow.__table__, ClaimRow.number, SampleRow.position.label("row"))
    .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
)


def _to_item(row: Row[Any]) -> QueueItem:
    drawn = DrawnClaim(
        run_id=row.run_id,
        row=row.row,
        claim_number=row.number,
        stratum=row.stratum,
        inclusion_probability=row.inclusion_probability,
    )
    return QueueItem(item_id=row.id, position=row.position, drawn=drawn)


def _to_check(row: Row[Any]) -> SpotCheck:
    return SpotCheck(
        spot_check_id=row.id,
        name=row.name,
        created_at=row.created_at,
        created_by=row.created_by,
        is_blind=row.is_blind,
        reviewers_per_item=row.reviewers_per_item,
        design=row.design,
    )
