"""Settled claims with the judge's verdicts, and the probabilities with which spot-checks drew them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, select

from faithview.domain.claim import Verdict
from faithview.domain.label import LabelKind
from faithview.store.claims import CLAIM_TEXT, SETTLED
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow, LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledClaim:
    """A claim with the judge's verdict and the settled one; `people` is None for "not a claim".

    `question` is the hash that answers to one question share. `pi` is the probability with which a spot-check of whole
    runs drew the claim, times the probability with which its answer was drawn from logged answers; None if no
    spot-check drew it, or the queue has not reached it. If all claims of the run are settled, `pi` is the probability
    with which the answer was drawn.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Root:
    """The origin of a carried-over label: its claim and run, None if these were deleted; `label_id` identifies it."""

    label_id: int
    claim_id: int | None
    run_id: str | None


def list_settled_claims(db: Database, run_ids: Sequence[str]) -> list[SettledClaim]:
    """Return the settled claims of these runs, ordered by run id and position in the file.

    A claim whose labels were all carried over counts once: it is left out if the claim on which they were given is
    among the runs, and the first of several copies stays. A copy keeps the probability of the original claim. A copy
    that a spot-check of its own run drew is part of that random sample, and stays with its own probability.
    """
    query = (
        select(
            ClaimReviewRow.claim_id,
            ClaimReviewRow.run_id,
            ClaimReviewRow.is_inherited,
            SampleRow.position,
            ClaimRow.number,
            CLAIM_TEXT,
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
        copied = _roots_of_claims(connection, run_ids) if any(row.is_inherited for row in rows) else {}
        chances = _chances(connection, {*run_ids, *(root.run_id for root in copied.values() if root.run_id)})
        complete = _fully_labelled(connection, run_ids)
    given_here = {row.claim_id for row in rows}
    seen: set[int] = set()
    settled = []
    for row in rows:
        pi, root = chances.get(row.claim_id), copied.get(row.claim_id) if row.is_inherited else None
        if pi is None and root is not None:
            if root.claim_id in given_here or root.label_id in seen:
                continue
            seen.add(root.label_id)
            pi = None if root.claim_id is None else chances.get(root.claim_id)
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
    """Return the claims that reviewers added to answers of these runs and did not retract; a copy counts once."""
    retraction, origin = LabelRow.__table__.alias(), LabelRow.__table__.alias("given")
    query = (
        select(
            LabelRow.verdict,
            LabelRow.run_id,
            LabelRow.sample_id,
            ResultRow.cluster,
            func.coalesce(ResultRow.inclusion_probability, 1.0).label("logged"),
            LabelRow.origin,
            origin.c.sample_id.label("given_on"),
            origin.c.run_id.label("given_in"),
        )
        .join(ResultRow, ResultRow.sample_id == LabelRow.sample_id)
        .outerjoin(origin, origin.c.id == LabelRow.origin)
        .where(
            LabelRow.run_id.in_(run_ids),
            LabelRow.kind == LabelKind.MISSED_CLAIM,
            LabelRow.verdict.is_not(None),
            LabelRow.is_stale.is_(False),
            ~exists().where(retraction.c.retracts == LabelRow.id),
        )
        .order_by(LabelRow.id)
    )
    with db.read() as connection:
        rows = connection.execute(query).all()
        if not rows:
            return []
        weights = _answer_weights(connection, {*run_ids, *(row.given_in for row in rows if row.given_in)})
        complete = _fully_labelled(connection, run_ids)
    missed, seen = [], set[int]()
    for row in rows:
        weight = weights.get(row.sample_id, 0.0)
        if not weight and row.origin is not None:
            if row.given_in in run_ids or row.origin in seen:
                continue
            seen.add(row.origin)
            weight = weights.get(row.given_on, 0.0)
        if row.run_id in complete:
            weight = 1.0
        missed.append(MissedClaim(question=row.cluster, verdict=Verdict(row.verdict), weight=weight / row.logged))
    return missed


def list_chances(db: Database, run_ids: Sequence[str]) -> Mapping[int, float]:
    """Return by id the probability, in (0, 1], with which a spot-check drew each claim that its queue has reached."""
    with db.read() as connection:
        return _chances(connection, run_ids)


def _fully_labelled(connection: Connection, run_ids: Sequence[str]) -> set[str]:
    """Return the runs in which every claim of the judge is settled: nothing was chosen there."""
    settled = (
        select(ClaimReviewRow.run_id, func.count())
        .where(ClaimReviewRow.run_id.in_(run_ids), ClaimReviewRow.source.in_(SETTLED))
        .group_by(ClaimReviewRow.run_id)
    )
    labelled = {run_id: int(number) for run_id, number in connection.execute(settled)}
    claims = (
        select(ResultRow.run_id, func.sum(ResultRow.claims))
        .where(ResultRow.run_id.in_(list(labelled)))
        .group_by(ResultRow.run_id)
    )
    return {run_id for run_id, number in connection.execute(claims) if int(number or 0) == labelled[run_id]}


def _roots_of_claims(connection: Connection, run_ids: Iterable[str]) -> dict[int, _Root]:
    """Return the origins of the carried-over labels of these runs' claims; the oldest label's if there are several."""
    origin = LabelRow.__table__.alias("given")
    query = (
        select(LabelRow.claim_id, LabelRow.origin, origin.c.claim_id.label("given_on"), origin.c.run_id)
        .outerjoin(origin, origin.c.id == LabelRow.origin)
        .where(
            LabelRow.run_id.in_(list(run_ids)),
            LabelRow.origin > 0,  # not CARRIED_ELSEWHERE, which is not a label's id
            LabelRow.is_stale.is_(False),
            LabelRow.claim_id.is_not(None),
        )
        .order_by(LabelRow.origin)
    )
    roots: dict[int, _Root] = {}
    for row in connection.execute(query):
        roots.setdefault(row.claim_id, _Root(label_id=row.origin, claim_id=row.given_on, run_id=row.run_id))
    return roots


def _chances(connection: Connection, run_ids: Collection[str]) -> Mapping[int, float]:
    """Return the probability with which a spot-check drew each claim that its queue has reached, by the claim's id.

    Labels given elsewhere have no probability. Claims after the reached place of a queue do not count, even with
    carried-over labels: the counted part must be random, and the queue's order is random.
    """
    item = SpotCheckItemRow.__table__
    reached = (
        select(item.c.spot_check_id, item.c.run_id, func.max(item.c.position).label("place"))
        .join(LabelRow, (LabelRow.claim_id == item.c.claim_id) & (LabelRow.spot_check_id == item.c.spot_check_id))
        .where(item.c.run_id.in_(run_ids))
        .group_by(item.c.spot_check_id, item.c.run_id)
        .subquery()
    )
    asked = (
        select(item.c.claim_id, item.c.inclusion_probability)
        .join(SpotCheckRow, (SpotCheckRow.id == item.c.spot_check_id) & SpotCheckRow.population.is_(None))
        .join(
            reached,
            (reached.c.spot_check_id == item.c.spot_check_id)
            & (reached.c.run_id == item.c.run_id)
            & (item.c.position <= reached.c.place),
        )
        .where(
            exists().where(
                LabelRow.claim_id == item.c.claim_id,
                (LabelRow.spot_check_id == item.c.spot_check_id) | LabelRow.origin.is_not(None),
            )
        )
    )
    # A label keeps its probability when its spot-check is deleted.
    left = select(LabelRow.claim_id, LabelRow.inclusion_probability).where(
        LabelRow.run_id.in_(run_ids), LabelRow.spot_check_id.is_(None), LabelRow.inclusion_probability.is_not(None)
    )
    chances: dict[int, float] = {}
    for query in (left, asked):
        for claim_id, pi in connection.execute(query):
            chances[claim_id] = max(pi, chances.get(claim_id, 0.0))
    return chances


def _answer_weights(connection: Connection, run_ids: Collection[str]) -> Mapping[int, float]:
    """Return `MissedClaim.weight` for each answer with added claims, by its sample, without zeros."""
    chances = _chances(connection, run_ids)
    added = select(LabelRow.sample_id).where(LabelRow.run_id.in_(run_ids), LabelRow.kind == LabelKind.MISSED_CLAIM)
    query = (
        select(ClaimRow.id, ClaimRow.sample_id, ResultRow.claims)
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .where(ClaimRow.sample_id.in_(added))
    )
    weights: dict[int, float] = {}
    for claim_id, sample_id, claims in connection.execute(query):
        if claim_id in chances:
            weights[sample_id] = weights.get(sample_id, 0.0) + 1 / chances[claim_id] / claims
    return weights
