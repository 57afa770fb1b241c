"""The lists of claims that spot-checks were drawn from, where these are no whole runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from faithview.domain.audit import Action
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.views import AnswerFilter, View
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.review.spot_checks import close_inherited
from faithview.store.runs.answers import answer_conditions, claim_conditions
from faithview.store.runs.results_under import results_under
from faithview.store.schema.review import ClaimReviewRow, LabelRow, ListedClaimRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ListState:
    """A list as it is now, without claims that were deleted since: `supported` counts by the judge's verdicts.

    `drawn` counts the claims in the queue, and `reached` is the last place of the queue that somebody has labelled, 0
    before the first.
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
    """Return these claims as they are stored, in the order given; claims that are not in the store are left out."""
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


def list_matching(db: Database, run_id: str, filters: AnswerFilter, *, view: View) -> list[ClaimRef]:
    """Return the judge's claims that a run's list of answers shows under these filters, in the order of the file.

    Where the filters are about claims, these are the claims that meet them; else all claims of the answers listed.
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
    """Return how many claims the judged answers of each run have; runs without one are left out."""
    query = (
        select(ResultRow.run_id, func.sum(ResultRow.claims))
        .where(ResultRow.run_id.in_(run_ids), ResultRow.state == State.JUDGED, ResultRow.claims > 0)
        .group_by(ResultRow.run_id)
    )
    with db.read() as connection:
        return {row[0]: int(row[1]) for row in connection.execute(query)}


def get_list_state(db: Database, spot_check_id: int) -> ListState:
    """Return the list of a spot-check as it is now; all zeros for one that was drawn from whole runs."""
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
    """Add claims of a spot-check's list to the end of its queue; return how many.

    The chance of every claim of the queue becomes what it is in a draw of the larger size.

    Args:
        db: the store.
        spot_check_id: the spot-check.
        pick: given how many claims of the list are not in the queue yet, returns which of them to add, as positions
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
        rest = _rest(connection, spot_check_id)
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


def _rest(connection: Connection, spot_check_id: int) -> list[tuple[int, str]]:
    """Return (claim id, run id) of the claims of the list that are not in the queue, in a lasting order."""
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
