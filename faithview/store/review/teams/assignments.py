"""Assignments: whose queue a spot-check is in, and what is open there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, delete, exists, func, select, union

from faithview.domain.audit import Action
from faithview.domain.label import LabelKind
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.review.spot_check_rows import get_check_row
from faithview.store.schema.review import AssignmentRow, LabelRow, SpotCheckItemRow


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaims:
    """Claims of a spot-check that lack a label, from one reviewer's point of view.

    `left` are those that the reviewer has not labelled; `started` are those of them that somebody else has. `waiting`
    are those that the reviewer has labelled and that wait for somebody else.
    """

    left: int = 0
    started: int = 0
    waiting: int = 0


def assign(db: Database, spot_check_id: int, reviewers: Sequence[str], *, assigned_by: str, now: datetime) -> None:
    """Put a spot-check into the reviewers' queues, where it is not there yet; raises NotFound."""
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
    """Take a spot-check out of the reviewer's queue; nothing happens where it is not in it."""
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
    """Return the names of all who have labelled a claim or have a spot-check assigned, in alphabetical order."""
    query = union(select(LabelRow.reviewer), select(AssignmentRow.reviewer))
    with db.read() as connection:
        return sorted(connection.execute(query).scalars(), key=str.casefold)


def count_open(db: Database, *, reviewer: str, spot_check_id: int | None = None) -> dict[int, OpenClaims]:
    """Return what is open for a reviewer in each spot-check, or in one; those in which nothing is open are left out."""
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
    """Return the condition that an item's claim has a label in its spot-check, given by them and not retracted."""
    retraction = LabelRow.__table__.alias()
    return exists().where(
        LabelRow.claim_id == SpotCheckItemRow.claim_id,
        LabelRow.spot_check_id == SpotCheckItemRow.spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
        by,
    )
