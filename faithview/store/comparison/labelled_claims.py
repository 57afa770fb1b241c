"""The claims of a run that people have labelled, as two runs are compared by them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import case, func, select

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.views import View
from faithview.store.comparison.compared_answers import load_claims
from faithview.store.database import Database
from faithview.store.runs.effective_verdicts import SETTLED
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ClaimRow, ResultRow, SampleRow

__all__ = ["LabelledAnswer", "LabelledClaim", "LabelledRun", "load_labelled_run"]


class LabelledClaim(NamedTuple):
    """A claim that people have settled.

    `is_supported` is the judge's verdict, None for a claim that the judge missed. `is_moved` says that people's verdict
    differs from the judge's, so the label changes the answer's figures.
    """

    claim_hash: str
    is_supported: bool | None
    is_moved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledAnswer:
    """An answer with labelled claims; `is_whole` says that none of its claims is without a label.

    Answers to one question have the same `cluster`.
    """

    row: int
    key: str
    cluster: str
    claims: tuple[LabelledClaim, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRun:
    """The labelled answers of a run by their rows.

    `wholly_labelled` holds True if all claims that the judge found supported are labelled, and False if all others are.
    """

    answers: Mapping[int, LabelledAnswer]
    wholly_labelled: frozenset[bool]


def load_labelled_run(db: Database, run_id: str) -> LabelledRun:
    """Return the labelled answers of a run; a run without labels costs one short query."""
    answers = (
        select(SampleRow.id, SampleRow.position, SampleRow.key, ResultRow.cluster)
        .join(ResultRow, ResultRow.sample_id == SampleRow.id)
        .where(SampleRow.id.in_(select(LabelRow.sample_id).where(LabelRow.run_id == run_id)))
        .order_by(SampleRow.position)
    )
    settled = select(ClaimReviewRow.claim_id).where(ClaimReviewRow.run_id == run_id, ClaimReviewRow.source.in_(SETTLED))
    with db.read() as connection:
        rows = connection.execute(answers).all()
        claim_ids = frozenset(connection.execute(settled).scalars()) if rows else frozenset()
    if not rows:
        return LabelledRun(answers={}, wholly_labelled=frozenset())
    ids = [row.id for row in rows]
    judged, reviewed = load_claims(db, ids, View.JUDGE), load_claims(db, ids, View.REVIEWED)
    found: dict[int, LabelledAnswer] = {}
    for row in rows:
        verdicts = {claim.claim_id: claim.verdict for claim in judged.get(row.id, ())}
        claims = [claim for claim in reviewed.get(row.id, ()) if claim.number is None or claim.claim_id in claim_ids]
        if claims:
            found[row.position] = LabelledAnswer(
                row=row.position,
                key=row.key,
                cluster=row.cluster,
                claims=tuple(
                    LabelledClaim(claim.claim_hash, None, is_moved=True)
                    if claim.number is None
                    else LabelledClaim(
                        claim.claim_hash,
                        verdicts[claim.claim_id] is Verdict.SUPPORTED,
                        is_moved=claim.verdict is not verdicts[claim.claim_id],
                    )
                    for claim in claims
                ),
                is_whole=all(claim_id in claim_ids for claim_id in verdicts),
            )
    return LabelledRun(answers=found, wholly_labelled=_wholly_labelled(db, run_id))


def _wholly_labelled(db: Database, run_id: str) -> frozenset[bool]:
    is_supported = case((ClaimRow.verdict == Verdict.SUPPORTED.value, 1), else_=0)
    is_open = case((ClaimReviewRow.source.in_(SETTLED), 0), else_=1)
    query = (
        select(is_supported.label("is_supported"), func.sum(is_open).label("open"))
        .select_from(ClaimRow)
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(ResultRow.run_id == run_id, ResultRow.state == State.JUDGED)
        .group_by(is_supported)
    )
    with db.read() as connection:
        unlabelled = {bool(row.is_supported): int(row.open) for row in connection.execute(query)}
    return frozenset(kind for kind in (False, True) if not unlabelled.get(kind, 0))
