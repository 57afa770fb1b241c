"""All claims of a run as columns of numbers: what a draw is made from and what an estimate is worked out from."""

from dataclasses import dataclass

from sqlalchemy import select

from faithview.domain.label import VerdictSource
from faithview.domain.result import State
from faithview.store.database import Database
from faithview.store.review_schema import ClaimReviewRow, LabelRow, SpotCheckItemRow
from faithview.store.schema import ClaimRow, ResultRow

_SETTLED = (VerdictSource.REVIEWERS.value, VerdictSource.ADJUDICATED.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFacts:
    """One claim of a judged answer.

    `row` is the answer's position, `people` the verdict that people settled on ("" for not a claim), None where they
    have not. `stratum` and `pi` are those of the spot-check that was asked for, None where it did not draw the claim.
    `is_stale` says that a label was carried over and what it rested on has changed.
    """

    row: int
    number: int
    segment: str | None
    answer_score: float
    verdict: str
    confidence: float | None
    support_score: float | None
    claim_hash: str
    people: str | None
    is_stale: bool
    stratum: str | None
    pi: float | None


def list_claim_facts(db: Database, run_id: str, *, spot_check_id: int | None = None) -> list[ClaimFacts]:
    """Return all claims of a run's judged answers, in the order of the file."""
    item = SpotCheckItemRow.__table__.alias()
    review = ClaimReviewRow.__table__.alias()
    query = (
        select(
            ResultRow.position,
            ClaimRow.number,
            ResultRow.segment,
            ResultRow.faithfulness,
            ClaimRow.verdict,
            ClaimRow.confidence,
            ClaimRow.support_score,
            ClaimRow.claim_hash,
            review.c.verdict.label("people"),
            review.c.source,
            review.c.has_stale,
            item.c.stratum,
            item.c.inclusion_probability,
        )
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .outerjoin(review, review.c.claim_id == ClaimRow.id)
        .outerjoin(item, (item.c.claim_id == ClaimRow.id) & (item.c.spot_check_id == (spot_check_id or 0)))
        .where(ResultRow.run_id == run_id, ResultRow.state == State.JUDGED)
        .order_by(ResultRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        return [
            ClaimFacts(
                row=row.position,
                number=row.number,
                segment=row.segment,
                answer_score=row.faithfulness,
                verdict=row.verdict,
                confidence=row.confidence,
                support_score=row.support_score,
                claim_hash=row.claim_hash,
                people=(row.people or "") if row.source in _SETTLED else None,
                is_stale=bool(row.has_stale),
                stratum=row.stratum,
                pi=row.inclusion_probability,
            )
            for row in connection.execute(query)
        ]


def list_checks_of_run(db: Database, run_id: str) -> list[tuple[int, int]]:
    """Return (spot-check, labels given in it on this run), the one with most labels first; of equal ones the newest."""
    items = select(SpotCheckItemRow.spot_check_id).where(SpotCheckItemRow.run_id == run_id).distinct()
    labelled = select(LabelRow.spot_check_id, LabelRow.claim_id).where(
        LabelRow.run_id == run_id, LabelRow.spot_check_id.is_not(None)
    )
    with db.read() as connection:
        ids = connection.execute(items).scalars().all()
        claims = {(row.spot_check_id, row.claim_id) for row in connection.execute(labelled)}
    counts = [(check_id, sum(check == check_id for check, _ in claims)) for check_id in ids]
    return sorted(counts, key=lambda pair: (-pair[1], -pair[0]))
