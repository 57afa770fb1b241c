"""Spot-checks: stored as they were drawn, read item by item, and how far each has come."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import (
    Boolean,
    Connection,
    String,
    func,
    insert,
    null,
    select,
    union_all,
    update,
)

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.spot_check import DrawnClaim, QueueItem, QueueProgress, SpotCheck
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.review.spot_check_rows import ITEMS, counts_for, get_check_row, get_item_row, to_check, to_item
from faithview.store.schema.review import ClaimReviewRow, LabelRow, ListedClaimRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, SampleRow

_BATCH = 500


def create_spot_check(
    db: Database, check: SpotCheck, drawn: Sequence[DrawnClaim], *, listed: Sequence[int] = ()
) -> int:
    """Store a draw in the order of its queue and return its id; all of it or nothing.

    Args:
        db: the store.
        check: the spot-check; its id is ignored.
        drawn: the claims drawn.
        listed: the database's ids of all claims that it was drawn from, where it was drawn from a list.

    Raises:
        NotFound: a drawn claim is not in the store.
    """
    with db.write() as connection:
        check_id = insert_spot_check(connection, check, drawn)
        if listed:
            connection.execute(
                insert(ListedClaimRow), [{"spot_check_id": check_id, "claim_id": claim_id} for claim_id in listed]
            )
        close_inherited(connection, check_id, check.reviewers_per_item)
    return check_id


def insert_spot_check(connection: Connection, check: SpotCheck, drawn: Sequence[DrawnClaim]) -> int:
    """Store a draw in a transaction of the caller's and return its id; all its items are open. Raises NotFound."""
    check_id: int = connection.execute(
        insert(SpotCheckRow).returning(SpotCheckRow.id),
        {
            "name": check.name,
            "created_at": check.created_at,
            "created_by": check.created_by,
            "is_blind": check.is_blind,
            "reviewers_per_item": check.reviewers_per_item,
            "design": dict(check.design),
            "population": check.population,
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
    runs = {claim.run_id for claim in drawn}
    record(
        connection,
        Action.SPOT_CHECK_DRAWN,
        run_id=runs.pop() if len(runs) == 1 else None,
        subject=check.name,
        items=len(drawn),
    )
    return check_id


def close_inherited(connection: Connection, check_id: int, wanted: int) -> None:
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
        return [to_check(row, spot_check_id=row.id, name=row.name) for row in rows]


def get_spot_check(db: Database, spot_check_id: int) -> SpotCheck:
    """Return one spot-check; raises NotFound."""
    with db.read() as connection:
        row = get_check_row(connection, spot_check_id)
        return to_check(row, spot_check_id=row.id, name=row.name)


def list_items(db: Database, spot_check_id: int) -> list[QueueItem]:
    """Return all items of a spot-check, in the order of its queue; raises NotFound."""
    query = ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id).order_by(SpotCheckItemRow.position)
    with db.read() as connection:
        get_check_row(connection, spot_check_id)
        return [to_item(row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFromRun:
    """A spot-check of whole runs as far as it is about one of them, of which it drew that many claims."""

    check: SpotCheck
    drawn: int


def list_drawn_from(db: Database, run_id: str) -> list[DrawnFromRun]:
    """Return the spot-checks of whole runs that drew claims of this one, oldest first."""
    drawn = (
        select(SpotCheckItemRow.spot_check_id, func.count().label("drawn"))
        .where(SpotCheckItemRow.run_id == run_id)
        .group_by(SpotCheckItemRow.spot_check_id)
        .subquery()
    )
    query = (
        select(SpotCheckRow.__table__, drawn.c.drawn)
        .join(drawn, drawn.c.spot_check_id == SpotCheckRow.id)
        .where(SpotCheckRow.population.is_(None))
        .order_by(SpotCheckRow.id)
    )
    with db.read() as connection:
        return [
            DrawnFromRun(check=to_check(row, spot_check_id=row.id, name=row.name), drawn=row.drawn)
            for row in connection.execute(query)
        ]


def list_drawn_between(db: Database, run_id: str, first: int, last: int) -> list[tuple[int, int, DrawnClaim]]:
    """Return (spot-check, place in its queue, claim) of what was drawn from the rows between two positions, both incl.

    In the order of rows and claims.
    """
    query = (
        select(
            SpotCheckItemRow.spot_check_id,
            SpotCheckItemRow.position.label("place"),
            SpotCheckItemRow.stratum,
            SpotCheckItemRow.inclusion_probability,
            SampleRow.position.label("row"),
            ClaimRow.number,
        )
        .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SampleRow.run_id == run_id, SampleRow.position.between(first, last))
        .order_by(SampleRow.position, ClaimRow.number, SpotCheckItemRow.spot_check_id)
    )
    with db.read() as connection:
        return [
            (
                row.spot_check_id,
                row.place,
                DrawnClaim(
                    run_id=run_id,
                    row=row.row,
                    claim_number=row.number,
                    stratum=row.stratum,
                    inclusion_probability=row.inclusion_probability,
                ),
            )
            for row in connection.execute(query)
        ]


def get_item(db: Database, spot_check_id: int, position: int) -> QueueItem:
    """Return the item at that place of the queue; raises NotFound."""
    with db.read() as connection:
        return to_item(get_item_row(connection, spot_check_id, position))


def find_item(db: Database, spot_check_id: int, run_id: str, row: int, claim_number: int) -> QueueItem:
    """Return a claim's item in the queue; raises NotFound."""
    query = ITEMS.where(
        SpotCheckItemRow.spot_check_id == spot_check_id,
        SampleRow.run_id == run_id,
        SampleRow.position == row,
        ClaimRow.number == claim_number,
    )
    with db.read() as connection:
        item = connection.execute(query).one_or_none()
    if item is None:
        raise NotFound(f"Claim {run_id}-{row}-{claim_number} is not in spot-check {spot_check_id}.")
    return to_item(item)


def get_queue_progress(db: Database, spot_check_id: int) -> QueueProgress:
    """Return how far a spot-check has come; raises NotFound."""
    items = (
        select(null().cast(String).label("reviewer"), SpotCheckItemRow.is_open, func.count().label("number"))
        .where(SpotCheckItemRow.spot_check_id == spot_check_id)
        .group_by(SpotCheckItemRow.is_open)
    )
    people = (
        select(LabelRow.reviewer, null().cast(Boolean), func.count(LabelRow.claim_id.distinct()))
        .where(*counts_for(spot_check_id))
        .group_by(LabelRow.reviewer)
    )
    with db.read() as connection:
        rows = connection.execute(union_all(items, people)).all()
        if not rows:
            get_check_row(connection, spot_check_id)
    by_state = {bool(row.is_open): int(row.number) for row in rows if row.reviewer is None}
    by_reviewer = {row.reviewer: int(row.number) for row in rows if row.reviewer is not None}
    return QueueProgress(
        items=sum(by_state.values()), done=by_state.get(False, 0), by_reviewer=dict(sorted(by_reviewer.items()))
    )


def _claim_ids(connection: Connection, drawn: Sequence[DrawnClaim]) -> dict[tuple[str, int, int], int]:
    claim_ids: dict[tuple[str, int, int], int] = {}
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
            claim_ids.update({(run_id, row.position, row.number): row.id for row in connection.execute(query)})
    missing = [c for c in drawn if (c.run_id, c.row, c.claim_number) not in claim_ids]
    if missing:
        raise NotFound(f"Run {missing[0].run_id} has no claim {missing[0].claim_number} in row {missing[0].row}.")
    return claim_ids
