"""Settled claims with the judge's verdicts, and the probabilities with which spot-checks drew them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, select

from faithview.domain.claim import Verdict
from faithview.domain.label import LabelKind
from faithview.store.claims import SETTLED
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow, LabelRow, SpotCheckItemRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledClaim:
    """A claim with the judge's verdict and the settled one; `people` is None for "not a claim".

    `question` is the hash that answers to one question share. `pi` is the probability with which a spot-check drew the
    claim, times the probability with which its answer was drawn from logged answers; None if it was labelled outside a
    spot-check. If all claims of the run are settled, `pi` is the probability with which the answer was drawn.
    """

    run_id: str
    row: int
    number: int
    text: str
    question: str
    judged: Verdict
    people: Verdict | None
    confidence: float | None
    pi: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedClaim:
    """A claim that reviewers added because the judge missed it.

    `weight` says how many such claims it represents: the sum of 1 / pi over the claims of its answer that a spot-check
    drew, divided by the number of the answer's claims (the weight share method, Lavallée 2007, "Indirect Sampling"); 0
    if no claim of its answer was drawn. Its expectation over all draws is 1. It is 1 if all claims of the run are
    settled.
    """

    question: str
    verdict: Verdict
    weight: float


def list_settled_claims(db: Database, run_ids: Sequence[str]) -> list[SettledClaim]:
    """Return the settled claims of these runs, ordered by run id and position in the file.

    A label counts where it was given, and on an equal claim of another answer only if a spot-check drew that too.
    """
    query = (
        select(
            ClaimReviewRow.claim_id,
            ClaimReviewRow.run_id,
            ClaimReviewRow.is_shared,
            SampleRow.position,
            ClaimRow.number,
            ClaimRow.text,
            ResultRow.cluster,
            ClaimRow.verdict,
            ClaimReviewRow.verdict.label("people"),
            ClaimRow.confidence,
            func.coalesce(ResultRow.inclusion_probability, 1.0).label("logged"),
        )
        .join(ClaimRow, ClaimRow.id == ClaimReviewRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimReviewRow.sample_id)
        .join(ResultRow, ResultRow.sample_id == ClaimReviewRow.sample_id)
        .where(ClaimReviewRow.run_id.in_(run_ids), ClaimReviewRow.source.in_(SETTLED))
        .order_by(ClaimReviewRow.run_id, SampleRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        rows = connection.execute(query).all()
        chances = _chances(connection, run_ids)
        complete = _fully_labelled(connection, run_ids)
    settled = []
    for row in rows:
        pi = chances.get(row.claim_id)
        if row.is_shared and pi is None:
            continue
        if row.run_id in complete:
            pi = 1.0
        settled.append(
            SettledClaim(
                run_id=row.run_id,
                row=row.position,
                number=row.number,
                text=row.text,
                question=row.cluster,
                judged=Verdict(row.verdict),
                people=Verdict(row.people) if row.people else None,
                confidence=row.confidence,
                pi=None if pi is None else pi * row.logged,
            )
        )
    return settled


def list_missed_claims(db: Database, run_ids: Sequence[str]) -> list[MissedClaim]:
    """Return the claims that reviewers added to answers of these runs and did not retract."""
    retraction = LabelRow.__table__.alias()
    query = (
        select(
            LabelRow.verdict,
            LabelRow.run_id,
            LabelRow.sample_id,
            ResultRow.cluster,
            func.coalesce(ResultRow.inclusion_probability, 1.0).label("logged"),
        )
        .join(ResultRow, ResultRow.sample_id == LabelRow.sample_id)
        .where(
            LabelRow.run_id.in_(run_ids),
            LabelRow.kind == LabelKind.MISSED_CLAIM,
            LabelRow.verdict.is_not(None),
            ~exists().where(retraction.c.retracts == LabelRow.id),
        )
        .order_by(LabelRow.id)
    )
    with db.read() as connection:
        rows = connection.execute(query).all()
        chances = _chances(connection, run_ids) if rows else {}
        claims = (
            select(ClaimRow.id, ClaimRow.sample_id, ResultRow.claims)
            .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
            .where(ClaimRow.sample_id.in_({row.sample_id for row in rows}))
        )
        weights: dict[int, float] = {}
        for claim_id, sample_id, number in connection.execute(claims) if rows else ():
            if claim_id in chances:
                weights[sample_id] = weights.get(sample_id, 0.0) + 1 / chances[claim_id] / number
        complete = _fully_labelled(connection, run_ids)
    return [
        MissedClaim(
            question=row.cluster,
            verdict=Verdict(row.verdict),
            weight=(1.0 if row.run_id in complete else weights.get(row.sample_id, 0.0)) / row.logged,
        )
        for row in rows
    ]


def _chances(connection: Connection, run_ids: Sequence[str]) -> Mapping[int, float]:
    item = SpotCheckItemRow.__table__
    query = (
        select(item.c.claim_id, func.max(item.c.inclusion_probability))
        .join(ClaimReviewRow, ClaimReviewRow.claim_id == item.c.claim_id)
        .where(item.c.run_id.in_(run_ids))
        .group_by(item.c.claim_id)
    )
    return {row[0]: float(row[1]) for row in connection.execute(query)}


def _fully_labelled(connection: Connection, run_ids: Sequence[str]) -> set[str]:
    """Return the runs in which every claim of the judge is settled: nothing was chosen there."""
    settled = (
        select(ClaimReviewRow.run_id, func.count())
        .where(ClaimReviewRow.run_id.in_(run_ids), ClaimReviewRow.source.in_(SETTLED))
        .group_by(ClaimReviewRow.run_id)
    )
    labelled = dict(connection.execute(settled).all())
    claims = (
        select(ResultRow.run_id, func.sum(ResultRow.claims))
        .where(ResultRow.run_id.in_(list(labelled)))
        .group_by(ResultRow.run_id)
    )
    return {run_id for run_id, number in connection.execute(claims) if int(number or 0) == labelled[run_id]}
