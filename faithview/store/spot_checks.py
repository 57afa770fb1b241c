"""Spot-checks: draws and how they grow, their queues and reviewers, and their claims as columns."""

from collections.abc import Mapping, Sequence
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
    select,
    union,
    update,
)

from faithview.domain.audit import Action
from faithview.domain.claim import ClaimRef
from faithview.domain.errors import NotFound
from faithview.domain.label import LabelKind
from faithview.domain.result import State
from faithview.domain.sample import Json
from faithview.domain.spot_check import DrawnClaim, QueueItem, QueueProgress, SpotCheck
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import SETTLED
from faithview.store.database import Database
from faithview.store.reviews import derive_reviews
from faithview.store.schema.review import AssignmentRow, ClaimReviewRow, LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, SampleRow, public_claim_id

_CHECK = SpotCheckRow.__table__
# Items with their claim, run and complete spot-check, so showing one needs no further query.
_ITEMS = (
    select(
        SpotCheckItemRow.__table__,
        SampleRow.position.label("row"),
        SampleRow.key,
        ClaimRow.number,
        ClaimRow.text,
        ClaimRow.spans,
        RunRow.name.label("run_name"),
        *(column.label(f"check_{column.name}") for column in _CHECK.c),
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
        place=ClaimRef(run_id=row.run_id, row=row.row, claim_number=row.number),
        inclusion_probability=row.inclusion_probability,
        check=_to_check({column.name: row._mapping[f"check_{column.name}"] for column in _CHECK.c}),
        run_name=row.run_name,
        key=row.key,
        text=row.text,
        spans=tuple((start, end) for start, end, _ in row.spans),
    )


def _to_check(row: Mapping[Any, Any]) -> SpotCheck:
    values = dict(row)
    return SpotCheck(spot_check_id=values.pop("id"), **values)


def _get_check_row(connection: Connection, spot_check_id: int) -> Row[Any]:
    row = connection.execute(select(_CHECK).where(SpotCheckRow.id == spot_check_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no spot-check {spot_check_id}.")
    return row


def counts_for(spot_check_id: int | ColumnElement[int]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of a label that was given in a spot-check, on a claim, and not retracted."""
    retraction = LabelRow.__table__.alias()
    return (
        LabelRow.spot_check_id == spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    )


def create_spot_check(db: Database, check: SpotCheck, drawn: Sequence[DrawnClaim]) -> int:
    """Store a draw in the order of its queue, in one transaction, and return its id; the id of `check` is ignored.

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
        _add_items(connection, check_id, drawn, after=0)
        runs = {claim.place.run_id for claim in drawn}
        record(
            connection,
            Action.SPOT_CHECK_DRAWN,
            run_id=runs.pop() if len(runs) == 1 else None,
            subject=check.name,
            items=len(drawn),
        )
    return check_id


def extend_spot_check(
    db: Database, spot_check_id: int, design: Mapping[str, Json], drawn: Sequence[DrawnClaim], *, size: int
) -> None:
    """Add drawn claims to the end of the queue, and give every claim its probability in the larger draw.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        design: the design of the larger draw.
        drawn: all claims of the larger draw; those in the queue stay at their places.
        size: how many claims the queue has now.

    Raises:
        NotFound: there is no such spot-check, it has another size by now, or a claim is not in the store.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        name = _get_check_row(connection, spot_check_id).name
        of_check = SpotCheckItemRow.spot_check_id == spot_check_id
        items = select(SpotCheckItemRow.id, SpotCheckItemRow.claim_id).where(of_check)
        there = {row.claim_id: row.id for row in connection.execute(items)}
        if len(there) != size:
            raise NotFound(f"Spot-check {name!r} has grown to {len(there)} claims in the meantime; open it again.")
        ids = _claim_ids(connection, drawn)
        new = []
        for claim in drawn:
            if (claim_id := ids[claim.place]) not in there:
                new.append(claim)
                continue
            changed = update(SpotCheckItemRow).where(SpotCheckItemRow.id == there[claim_id])
            connection.execute(changed.values(inclusion_probability=claim.inclusion_probability))
        _add_items(connection, spot_check_id, new, after=size)
        connection.execute(update(SpotCheckRow).where(SpotCheckRow.id == spot_check_id).values(design=dict(design)))
        record(connection, Action.SPOT_CHECK_EXTENDED, subject=name, items=len(new))


def _add_items(connection: Connection, check_id: int, drawn: Sequence[DrawnClaim], *, after: int) -> None:
    ids = _claim_ids(connection, drawn)
    items = [
        {
            "spot_check_id": check_id,
            "position": position,
            "run_id": claim.place.run_id,
            "claim_id": ids[claim.place],
            "stratum": claim.stratum,
            "inclusion_probability": claim.inclusion_probability,
            "is_open": True,
        }
        for position, claim in enumerate(drawn, start=after + 1)
    ]
    if items:
        connection.execute(insert(SpotCheckItemRow), items)
    # A claim that was labelled in another spot-check may need no more labels.
    labelled = (
        select(ClaimReviewRow.sample_id)
        .join(SpotCheckItemRow, SpotCheckItemRow.claim_id == ClaimReviewRow.claim_id)
        .where(SpotCheckItemRow.spot_check_id == check_id, SpotCheckItemRow.position > after)
    )
    derive_reviews(connection, sorted(connection.execute(labelled.distinct()).scalars()))


def _claim_ids(connection: Connection, drawn: Sequence[DrawnClaim]) -> dict[ClaimRef, int]:
    places = [claim.place for claim in drawn]
    query = (
        select(SampleRow.run_id, SampleRow.position, ClaimRow.number, ClaimRow.id)
        .join(ClaimRow, ClaimRow.sample_id == SampleRow.id)
        .where(
            dialect.among(SampleRow.run_id, {place.run_id for place in places}),
            dialect.among(SampleRow.position, {place.row for place in places}),
        )
    )
    ids = {
        ClaimRef(run_id=run_id, row=row, claim_number=number): claim_id
        for run_id, row, number, claim_id in connection.execute(query)
    }
    for place in places:
        if place not in ids:
            raise NotFound(f"Run {place.run_id} has no claim {place.claim_number} in row {place.row}.")
    return ids


def list_spot_checks(db: Database) -> list[SpotCheck]:
    """Return all spot-checks, newest first."""
    with db.read() as connection:
        rows = connection.execute(select(_CHECK).order_by(SpotCheckRow.id.desc()))
        return [_to_check(row._mapping) for row in rows]


def get_spot_check(db: Database, spot_check_id: int) -> SpotCheck:
    """Return one spot-check; raises NotFound."""
    with db.read() as connection:
        return _to_check(_get_check_row(connection, spot_check_id)._mapping)


def list_items(db: Database, spot_check_id: int) -> list[QueueItem]:
    """Return all items of a spot-check, in the order of its queue; raises NotFound."""
    query = _ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id).order_by(SpotCheckItemRow.position)
    with db.read() as connection:
        _get_check_row(connection, spot_check_id)
        return [_to_item(row) for row in connection.execute(query)]


def get_item(db: Database, spot_check_id: int, position: int) -> QueueItem:
    """Return the item at that place of the queue; raises NotFound."""
    return _get_item(db, spot_check_id, SpotCheckItemRow.position == position, what=f"item {position}")


def find_item(db: Database, spot_check_id: int, place: ClaimRef) -> QueueItem:
    """Return a claim's item in the queue; raises NotFound."""
    is_there = and_(
        SampleRow.run_id == place.run_id, SampleRow.position == place.row, ClaimRow.number == place.claim_number
    )
    claim_id = public_claim_id(place.run_id, place.row, place.claim_number)
    return _get_item(db, spot_check_id, is_there, what=f"claim {claim_id}")


def _get_item(db: Database, spot_check_id: int, where: ColumnElement[bool], *, what: str) -> QueueItem:
    with db.read() as connection:
        row = connection.execute(_ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id, where)).one_or_none()
    if row is None:
        raise NotFound(f"Spot-check {spot_check_id} has no {what}.")
    return _to_item(row)


def find_next_item(
    db: Database, spot_check_id: int, *, reviewer: str, after: int = 0, skip: Sequence[int] = ()
) -> QueueItem | None:
    """Return the first open item that this reviewer has not labelled in the spot-check; None if there is none.

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
        _ITEMS.where(
            SpotCheckItemRow.spot_check_id == spot_check_id,
            SpotCheckItemRow.is_open.is_(True),
            SpotCheckItemRow.position > after,
            SpotCheckItemRow.id.not_in(skip),
            ~_is_labelled(LabelRow.reviewer == reviewer),
        )
        .order_by(SpotCheckItemRow.position)
        .limit(1)
    )
    with db.read() as connection:
        row = connection.execute(query).first()
        if row is None:
            _get_check_row(connection, spot_check_id)
            return None
        return _to_item(row)


def get_queue_progress(db: Database, spot_check_id: int) -> QueueProgress:
    """Return the progress of a spot-check; raises NotFound."""
    items = (
        select(SpotCheckItemRow.is_open, func.count())
        .where(SpotCheckItemRow.spot_check_id == spot_check_id)
        .group_by(SpotCheckItemRow.is_open)
    )
    people = (
        select(LabelRow.reviewer, func.count(LabelRow.claim_id.distinct()))
        .where(*counts_for(spot_check_id))
        .group_by(LabelRow.reviewer)
        .order_by(LabelRow.reviewer)
    )
    with db.read() as connection:
        _get_check_row(connection, spot_check_id)
        by_state = dict(connection.execute(items).all())
        by_reviewer = dict(connection.execute(people).all())
    return QueueProgress(items=sum(by_state.values()), done=by_state.get(False, 0), by_reviewer=by_reviewer)


def get_reached(db: Database, spot_check_id: int, run_id: str) -> int:
    """Return the last place of the queue at which a claim of the run was labelled in the spot-check; 0 before."""
    query = (
        select(func.max(SpotCheckItemRow.position))
        .join(LabelRow, LabelRow.claim_id == SpotCheckItemRow.claim_id)
        .where(
            SpotCheckItemRow.spot_check_id == spot_check_id,
            SpotCheckItemRow.run_id == run_id,
            LabelRow.spot_check_id == spot_check_id,
        )
    )
    with db.read() as connection:
        return connection.execute(query).scalar() or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaims:
    """Claims of a spot-check that lack a label, from one reviewer's point of view.

    `left` are those that the reviewer has not labelled; `started` are those of them that another reviewer has labelled.
    `waiting` are those that the reviewer has labelled and that still need another reviewer.
    """

    left: int = 0
    started: int = 0
    waiting: int = 0


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
    return exists().where(
        LabelRow.claim_id == SpotCheckItemRow.claim_id, *counts_for(SpotCheckItemRow.__table__.c.spot_check_id), by
    )


def assign(db: Database, spot_check_id: int, reviewers: Sequence[str], *, assigned_by: str, now: datetime) -> None:
    """Add a spot-check to the reviewers' queues, unless it is already there; raises NotFound."""
    with db.write() as connection:
        name = _get_check_row(connection, spot_check_id).name
        record(connection, Action.SPOT_CHECK_ASSIGNED, subject=name, detail=", ".join(reviewers), items=len(reviewers))
        values = {"spot_check_id": spot_check_id, "assigned_by": assigned_by, "at": now}
        rows = [{**values, "reviewer": reviewer} for reviewer in reviewers]
        if rows:
            connection.execute(dialect.insert_new(connection, AssignmentRow), rows)


def unassign(db: Database, spot_check_id: int, reviewer: str) -> None:
    """Remove a spot-check from the reviewer's queue; does nothing if it is not there."""
    with db.write() as connection:
        removed = delete(AssignmentRow).where(
            AssignmentRow.spot_check_id == spot_check_id, AssignmentRow.reviewer == reviewer
        )
        if connection.execute(removed).rowcount:
            name = _get_check_row(connection, spot_check_id).name
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


def list_checks_of_run(db: Database, run_id: str) -> list[SpotCheck]:
    """Return the spot-checks of a run: those with most of its claims labelled first, among equals the newest."""
    items = select(SpotCheckItemRow.spot_check_id).where(SpotCheckItemRow.run_id == run_id)
    labelled = (
        select(LabelRow.spot_check_id, func.count(LabelRow.claim_id.distinct()))
        .where(LabelRow.run_id == run_id, LabelRow.spot_check_id.is_not(None))
        .group_by(LabelRow.spot_check_id)
    )
    with db.read() as connection:
        rows = connection.execute(select(_CHECK).where(SpotCheckRow.id.in_(items))).all()
        counts = {row[0]: int(row[1]) for row in connection.execute(labelled)}
    ordered = sorted(rows, key=lambda row: (-counts.get(row.id, 0), -row.id))
    return [_to_check(row._mapping) for row in ordered]


@dataclass(frozen=True, slots=True)
class ClaimColumns:
    """One claim of a judged answer, for draws and estimates; `stratum`, `pi` and `place` (in the queue) if drawn."""

    row: int
    number: int
    verdict: str
    stratum: str = ""
    pi: float = 1.0
    place: int = 0


def list_claims_of_run(db: Database, run_id: str) -> list[ClaimColumns]:
    """Return the claims of a run's judged answers, in the order of the file."""
    query = (
        select(ResultRow.position, ClaimRow.number, ClaimRow.verdict)
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .where(ResultRow.run_id == run_id, ResultRow.state == State.JUDGED)
        .order_by(ResultRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        return [ClaimColumns(row=row, number=n, verdict=verdict) for row, n, verdict in connection.execute(query)]


def list_drawn_claims(db: Database, run_id: str, *, spot_check_id: int) -> list[tuple[ClaimColumns, int]]:
    """Return (claim, claims of its answer) for the claims of a run that a spot-check drew and that are judged."""
    query = (
        select(
            ResultRow.position,
            ClaimRow.number,
            ClaimRow.verdict,
            SpotCheckItemRow.stratum,
            SpotCheckItemRow.inclusion_probability,
            SpotCheckItemRow.position.label("place"),
            ResultRow.claims,
        )
        .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .where(
            SpotCheckItemRow.spot_check_id == spot_check_id,
            SpotCheckItemRow.run_id == run_id,
            ResultRow.state == State.JUDGED,
        )
        .order_by(ResultRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        return [(ClaimColumns(*row[:-1]), row.claims) for row in connection.execute(query)]


def count_labelled(db: Database, run_id: str) -> tuple[int, int]:
    """Return (judged answers with claims, claims of them that reviewers settled) of a run."""
    is_judged = (ResultRow.run_id == run_id, ResultRow.state == State.JUDGED)
    answers = select(func.count()).select_from(ResultRow).where(*is_judged, ResultRow.claims > 0)
    claims = (
        select(func.count())
        .select_from(ClaimReviewRow)
        .join(ResultRow, ResultRow.sample_id == ClaimReviewRow.sample_id)
        .where(*is_judged, ClaimReviewRow.source.in_(SETTLED))
    )
    with db.read() as connection:
        return connection.execute(answers).scalar_one(), connection.execute(claims).scalar_one()
