"""Spot-checks as queues of reviewers: whose queue each is in, what is left in it, and which claim is next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, delete, exists, func, select, union

from faithview.domain.audit import Action
from faithview.domain.label import LabelKind
from faithview.domain.spot_check import QueueItem
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.review import AssignmentRow, LabelRow, SpotCheckItemRow
from faithview.store.spot_checks import ITEMS, counts_for, get_check_row, to_item


def find_next_item(
    db: Database, spot_check_id: int, *, reviewer: str, after: int = 0, skip: Sequence[int] = ()
) -> QueueItem | None:
    """Return the first open item that this reviewer has not labelled in the spot-check; None if there is none.

    Items whose claim has a valid label from an earlier run are not open.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        reviewer: the reviewer.
        after: only items after this position, 0 for all.
        skip: ids of items that the reviewer has skipped.

    Raises:
        NotFound: there is no such spot-check.
    """
    query = (
        ITEMS.where(
            SpotCheckItemRow.spot_check_id == spot_check_id,
            SpotCheckItemRow.is_open.is_(True),
            SpotCheckItemRow.position > after,
            SpotCheckItemRow.id.not_in(skip),
            ~exists().where(
                LabelRow.claim_id == SpotCheckItemRow.claim_id,
                LabelRow.reviewer == reviewer,
                *counts_for(spot_check_id),
            ),
        )
        .order_by(SpotCheckItemRow.position)
        .limit(1)
    )
    with db.read() as connection:
        row = connection.execute(query).first()
        if row is None:
            get_check_row(connection, spot_check_id)
            return None
        return to_item(row)


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
