"""Spot-checks: store draws, read items, and the lists of claims that some were drawn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Boolean, Connection, Row, String, exists, func, insert, null, select, union_all, update

from faithview.domain.answer import AnswerFilter, View
from faithview.domain.audit import Action
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.label import LabelKind
from faithview.domain.result import State
from faithview.domain.spot_check import DrawnClaim, QueueItem, QueueProgress, SpotCheck
from faithview.store import dialect
from faithview.store.answers import answer_conditions, claim_conditions
from faithview.store.audit import record
from faithview.store.claims import CLAIM_TEXT, results_under
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow, LabelRow, ListedClaimRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, SampleRow

# Items with their claim, run and complete spot-check, so showing one needs no further query.
ITEMS = (
    select(
        SpotCheckItemRow.__table__,
        SampleRow.position.label("row"),
        SampleRow.key,
        ClaimRow.number,
        CLAIM_TEXT,
        ClaimRow.spans,
        RunRow.name.label("run_name"),
        SpotCheckRow.name.label("check_name"),
        SpotCheckRow.created_at,
        SpotCheckRow.created_by,
        SpotCheckRow.is_blind,
        SpotCheckRow.reviewers_per_item,
        SpotCheckRow.design,
        SpotCheckRow.population,
    )
    .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
    .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
    .join(RunRow, RunRow.id == SampleRow.run_id)
)


def to_item(row: Row[Any]) -> QueueItem:
    """Return the item of a row of `ITEMS`."""
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
        check=to_check(row, spot_check_id=row.spot_check_id, name=row.check_name),
        run_name=row.run_name,
        key=row.key,
        text=row.text,
        spans=tuple((start, end) for start, end, _ in row.spans),
    )


def to_check(row: Row[Any], *, spot_check_id: int, name: str) -> SpotCheck:
    """Return the spot-check of a row with its columns; `id` and `name` may have other names."""
    return SpotCheck(
        spot_check_id=spot_check_id,
        name=name,
        created_at=row.created_at,
        created_by=row.created_by,
        is_blind=row.is_blind,
        reviewers_per_item=row.reviewers_per_item,
        design=row.design,
        population=row.population,
    )


def get_check_row(connection: Connection, spot_check_id: int) -> Row[Any]:
    """Return the row of a spot-check; raises NotFound."""
    row = connection.execute(select(SpotCheckRow.__table__).where(SpotCheckRow.id == spot_check_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no spot-check {spot_check_id}.")
    return row


def get_item_row(connection: Connection, spot_check_id: int, position: int) -> Row[Any]:
    """Return the row of the item at that place of the queue; raises NotFound."""
    query = ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.position == position)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Spot-check {spot_check_id} has no item {position}.")
    return row


def counts_for(spot_check_id: int) -> tuple[Any, ...]:
    """Return the conditions of a label that counts in a spot-check: given in it, on a claim, and not retracted."""
    retraction = LabelRow.__table__.alias()
    return (
        LabelRow.spot_check_id == spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    )


_BATCH = 500


def create_spot_check(
    db: Database, check: SpotCheck, drawn: Sequence[DrawnClaim], *, listed: Sequence[int] = ()
) -> int:
    """Store a draw in the order of its queue, in one transaction, and return its id.

    Args:
        db: the store.
        check: the spot-check; its id is ignored.
        drawn: the claims drawn.
        listed: the database ids of all claims of the list, if it was drawn from one.

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
        if listed:
            connection.execute(
                insert(ListedClaimRow), [{"spot_check_id": check_id, "claim_id": claim_id} for claim_id in listed]
            )
        close_inherited(connection, check_id, check.reviewers_per_item)
    return check_id


def close_inherited(connection: Connection, check_id: int, wanted: int) -> None:
    """Close the items of claims whose labels from an earlier run are still valid."""
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
    """Return the progress of a spot-check; raises NotFound."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ListState:
    """The current state of a list, without deleted claims; `supported` counts by the judge's verdicts.

    `drawn` counts the claims in the queue, and `reached` is the last labelled place of the queue, 0 before the first.
    """

    claims: int
    supported: int
    drawn: int
    reached: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredClaim:
    """A claim's id in the database, and the judge's verdict on it."""

    claim_id: int
    verdict: Verdict


def find_claims(db: Database, places: Sequence[ClaimRef]) -> dict[ClaimRef, StoredClaim]:
    """Return the stored claims, in the given order; missing claims are left out."""
    rows: dict[str, set[int]] = {}
    for place in places:
        rows.setdefault(place.run_id, set()).add(place.row)
    found: dict[tuple[str, int, int], StoredClaim] = {}
    with db.read() as connection:
        for run_id, wanted in rows.items():
            for batch in dialect.batches(sorted(wanted)):
                query = (
                    select(SampleRow.position, ClaimRow.number, ClaimRow.id, ClaimRow.verdict)
                    .join(ClaimRow, ClaimRow.sample_id == SampleRow.id)
                    .where(SampleRow.run_id == run_id, SampleRow.position.in_(batch))
                )
                for row in connection.execute(query):
                    claim = StoredClaim(claim_id=row.id, verdict=Verdict(row.verdict))
                    found[run_id, row.position, row.number] = claim
    keys = {place: (place.run_id, place.row, place.claim_number) for place in places}
    return {place: found[key] for place, key in keys.items() if key in found}


def list_filtered_claims(db: Database, run_id: str, filters: AnswerFilter, *, view: View) -> list[ClaimRef]:
    """Return the judge's claims that a run's list of answers shows under these filters, in the order of the file.

    If the filters apply to claims, these are the matching claims; otherwise all claims of the listed answers.
    """
    scores = results_under(view)
    query = (
        select(scores.c.position, ClaimRow.number)
        .join(ClaimRow, ClaimRow.sample_id == scores.c.sample_id)
        .join(SampleRow, SampleRow.id == scores.c.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(
            *answer_conditions(scores, run_id, filters, view, dialect_name=db.dialect_name),
            *claim_conditions(filters, view),
        )
        .order_by(scores.c.position, ClaimRow.number)
    )
    with db.read() as connection:
        return [ClaimRef(run_id=run_id, row=row.position, claim_number=row.number) for row in connection.execute(query)]


def count_claims_of_runs(db: Database, run_ids: Sequence[str]) -> dict[str, int]:
    """Return the number of claims of each run's judged answers; runs without claims are left out."""
    query = (
        select(ResultRow.run_id, func.sum(ResultRow.claims))
        .where(ResultRow.run_id.in_(run_ids), ResultRow.state == State.JUDGED, ResultRow.claims > 0)
        .group_by(ResultRow.run_id)
    )
    with db.read() as connection:
        return {row[0]: int(row[1]) for row in connection.execute(query)}


def get_list_state(db: Database, spot_check_id: int) -> ListState:
    """Return the current state of a spot-check's list; all zeros for a spot-check of whole runs."""
    listed = (
        select(ClaimRow.verdict, func.count())
        .join(ListedClaimRow, ListedClaimRow.claim_id == ClaimRow.id)
        .where(ListedClaimRow.spot_check_id == spot_check_id)
        .group_by(ClaimRow.verdict)
    )
    drawn = select(func.count()).where(SpotCheckItemRow.spot_check_id == spot_check_id)
    reached = (
        select(func.max(SpotCheckItemRow.position))
        .join(LabelRow, LabelRow.claim_id == SpotCheckItemRow.claim_id)
        .where(SpotCheckItemRow.spot_check_id == spot_check_id, LabelRow.spot_check_id == spot_check_id)
    )
    with db.read() as connection:
        by_verdict = {row[0]: int(row[1]) for row in connection.execute(listed)}
        return ListState(
            claims=sum(by_verdict.values()),
            supported=by_verdict.get(Verdict.SUPPORTED.value, 0),
            drawn=connection.execute(drawn).scalar_one(),
            reached=connection.execute(reached).scalar() or 0,
        )


def add_from_list(db: Database, spot_check_id: int, pick: Callable[[int], Sequence[int]]) -> int:
    """Add claims of a spot-check's list to the end of its queue; return their number.

    Every claim of the queue gets its probability in a draw of the larger size.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        pick: takes the number of claims of the list that are not in the queue, and returns those to add, as positions
            from 0, in the order of the draw.

    Raises:
        NotFound: there is no such spot-check, or it has no list.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        wanted = connection.execute(
            select(SpotCheckRow.reviewers_per_item).where(
                SpotCheckRow.id == spot_check_id, SpotCheckRow.population.is_not(None)
            )
        ).scalar_one_or_none()
        if wanted is None:
            raise NotFound(f"There is no spot-check {spot_check_id} of listed claims.")
        last = connection.execute(
            select(func.max(SpotCheckItemRow.position)).where(SpotCheckItemRow.spot_check_id == spot_check_id)
        ).scalar()
        rest = _undrawn_claims(connection, spot_check_id)
        items = [
            {
                "spot_check_id": spot_check_id,
                "position": position,
                "run_id": rest[at][1],
                "claim_id": rest[at][0],
                "stratum": "all",
                "inclusion_probability": 1.0,
                "is_open": True,
            }
            for position, at in enumerate(pick(len(rest)), start=(last or 0) + 1)
        ]
        if items:
            connection.execute(insert(SpotCheckItemRow), items)
            _set_chances(connection, spot_check_id)
            close_inherited(connection, spot_check_id, wanted)
            record(connection, Action.SPOT_CHECK_EXTENDED, subject=f"{spot_check_id}", items=len(items))
    return len(items)


def _undrawn_claims(connection: Connection, spot_check_id: int) -> list[tuple[int, str]]:
    """Return (claim id, run id) of the claims of the list that are not in the queue, in a stable order."""
    drawn = select(SpotCheckItemRow.claim_id).where(SpotCheckItemRow.spot_check_id == spot_check_id)
    query = (
        select(ClaimRow.id, ClaimRow.run_id)
        .join(ListedClaimRow, ListedClaimRow.claim_id == ClaimRow.id)
        .where(ListedClaimRow.spot_check_id == spot_check_id, ClaimRow.id.not_in(drawn))
        .order_by(ClaimRow.id)
    )
    return [(row.id, row.run_id) for row in connection.execute(query)]


def _set_chances(connection: Connection, spot_check_id: int) -> None:
    of_check = SpotCheckItemRow.spot_check_id == spot_check_id
    drawn = connection.execute(select(func.count()).where(of_check)).scalar_one()
    listed = connection.execute(select(func.count()).where(ListedClaimRow.spot_check_id == spot_check_id)).scalar_one()
    connection.execute(update(SpotCheckItemRow).where(of_check).values(inclusion_probability=drawn / listed))
