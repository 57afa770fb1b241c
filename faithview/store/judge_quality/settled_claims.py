"""Claims that people have settled, with the judge's verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from faithview.domain.claim import Verdict
from faithview.store.claim_texts import CLAIM_TEXT
from faithview.store.database import Database
from faithview.store.runs.effective_verdicts import SETTLED
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledClaim:
    """A claim with the judge's verdict and the one that people settled on, None where they say that it is not a claim.

    `pi` is the probability with which a spot-check drew it, times that with which its answer was drawn from what an
    application logged; None where all its labels were given outside of a spot-check.
    """

    run_id: str
    row: int
    number: int
    text: str
    judged: Verdict
    people: Verdict | None
    confidence: float | None
    pi: float | None


def list_settled_claims(db: Database, run_ids: Sequence[str]) -> list[SettledClaim]:
    """Return the claims that people have settled in these runs, ordered by run id and position in the file."""
    chances = (
        select(LabelRow.claim_id, func.max(LabelRow.inclusion_probability).label("pi"))
        .where(LabelRow.run_id.in_(run_ids), LabelRow.inclusion_probability.is_not(None))
        .group_by(LabelRow.claim_id)
        .subquery()
    )
    query = (
        select(
            ClaimReviewRow.run_id,
            SampleRow.position,
            ClaimRow.number,
            CLAIM_TEXT,
            ClaimRow.verdict,
            ClaimReviewRow.verdict.label("people"),
            ClaimRow.confidence,
            (chances.c.pi * func.coalesce(ResultRow.inclusion_probability, 1.0)).label("pi"),
        )
        .join(ClaimRow, ClaimRow.id == ClaimReviewRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimReviewRow.sample_id)
        .join(ResultRow, ResultRow.sample_id == ClaimReviewRow.sample_id)
        .outerjoin(chances, chances.c.claim_id == ClaimReviewRow.claim_id)
        .where(ClaimReviewRow.run_id.in_(run_ids), ClaimReviewRow.source.in_(SETTLED))
        .order_by(ClaimReviewRow.run_id, SampleRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        return [
            SettledClaim(
                run_id=row.run_id,
                row=row.position,
                number=row.number,
                text=row.text,
                judged=Verdict(row.verdict),
                people=Verdict(row.people) if row.people else None,
                confidence=row.confidence,
                pi=row.pi,
            )
            for row in connection.execute(query)
        ]


def list_judged(db: Database, run_id: str) -> dict[tuple[int, int], Verdict]:
    """Return the judge's verdicts on the claims of a run that have labels, by (row position, claim number)."""
    labelled = select(LabelRow.claim_id).where(LabelRow.run_id == run_id)
    query = (
        select(SampleRow.position, ClaimRow.number, ClaimRow.verdict)
        .join(ClaimRow, ClaimRow.sample_id == SampleRow.id)
        .where(ClaimRow.id.in_(labelled))
    )
    with db.read() as connection:
        return {(row.position, row.number): Verdict(row.verdict) for row in connection.execute(query)}
