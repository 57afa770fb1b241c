"""The claims of a run for spot-checks: to draw units, and to estimate the corrected score."""

from dataclasses import dataclass

from sqlalchemy import func, select

from faithview.domain.claim import Verdict
from faithview.domain.label import Label
from faithview.domain.result import State
from faithview.store.claims import CLAIM_HASH, SETTLED, settled_verdict
from faithview.store.database import Database
from faithview.store.reviews import LABELS, to_label
from faithview.store.schema.review import ClaimReviewRow, LabelRow, SampleReviewRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, ResultRow, is_of_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimColumns:
    """One claim of a judged answer.

    `row` is the answer's position, `question` the hash that answers to one question share, `people` the settled verdict
    ("" for not a claim), None if not settled; `people_score` is the answer's score under reviewers' verdicts, including
    claims that the judge missed. `stratum`, `pi` and `place`, its position in the queue, belong to the requested
    spot-check, None if it did not draw the claim. `is_stale` says that a label was carried over and its evidence has
    changed.
    """

    row: int
    number: int
    segment: str | None
    answer_score: float
    verdict: str
    confidence: float | None
    support_score: float | None
    claim_hash: str
    question: str
    people: str | None
    people_score: float | None
    is_stale: bool
    stratum: str | None
    pi: float | None
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """The progress of labelling a run.

    `answers` counts judged answers with claims, `claims` their settled claims. `reached` is the last labelled place of
    the spot-check's queue, 0 before the first.
    """

    answers: int
    claims: int
    reached: int


def list_claim_columns(
    db: Database, run_id: str, *, spot_check_id: int | None = None, drawn_only: bool = False
) -> list[ClaimColumns]:
    """Return the claims of a run's judged answers, in the order of the file.

    Args:
        db: the store.
        run_id: the run.
        spot_check_id: the spot-check whose strata and probabilities are needed.
        drawn_only: only answers with drawn claims, together with all their claims.
    """
    item = SpotCheckItemRow.__table__.alias()
    answer = SampleReviewRow.__table__.alias()
    query = (
        select(
            ResultRow.position,
            ClaimRow.number,
            ResultRow.segment,
            ResultRow.faithfulness,
            ClaimRow.verdict,
            ClaimRow.confidence,
            ClaimRow.support_score,
            CLAIM_HASH,
            ResultRow.cluster,
            settled_verdict().label("people"),
            ClaimReviewRow.has_stale,
            answer.c.faithfulness.label("people_score"),
            item.c.stratum,
            item.c.inclusion_probability,
            item.c.position.label("place"),
        )
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .outerjoin(answer, answer.c.sample_id == ClaimRow.sample_id)
        .outerjoin(item, (item.c.claim_id == ClaimRow.id) & (item.c.spot_check_id == (spot_check_id or 0)))
        .where(ResultRow.run_id == run_id, ResultRow.state == State.JUDGED)
        .order_by(ResultRow.position, ClaimRow.number)
    )
    if drawn_only:
        drawn, own = SpotCheckItemRow.__table__.alias(), ClaimRow.__table__.alias()
        query = query.where(
            ClaimRow.sample_id.in_(
                select(own.c.sample_id)
                .join(drawn, drawn.c.claim_id == own.c.id)
                .where(drawn.c.spot_check_id == (spot_check_id or 0), own.c.run_id == run_id)
            )
        )
    with db.read() as connection:
        return [
            ClaimColumns(
                row=row.position,
                number=row.number,
                segment=row.segment,
                answer_score=row.faithfulness,
                verdict=row.verdict,
                confidence=row.confidence,
                support_score=row.support_score,
                claim_hash=row.claim_hash,
                question=row.cluster,
                people=row.people,
                people_score=row.people_score,
                is_stale=bool(row.has_stale),
                stratum=row.stratum,
                pi=row.inclusion_probability,
                place=row.place,
            )
            for row in connection.execute(query)
        ]


def count_labelled(db: Database, run_id: str, *, spot_check_id: int) -> Labelled:
    """Return the progress of labelling a run, and of its spot-check."""
    is_judged = (ResultRow.run_id == run_id, ResultRow.state == State.JUDGED)
    answers = select(func.count()).select_from(ResultRow).where(*is_judged, ResultRow.claims > 0)
    claims = (
        select(func.count())
        .select_from(ClaimReviewRow)
        .join(ResultRow, ResultRow.sample_id == ClaimReviewRow.sample_id)
        .where(*is_judged, ClaimReviewRow.source.in_(SETTLED))
    )
    reached = (
        select(func.max(SpotCheckItemRow.position))
        .join(LabelRow, LabelRow.claim_id == SpotCheckItemRow.claim_id)
        .where(
            SpotCheckItemRow.spot_check_id == spot_check_id,
            SpotCheckItemRow.run_id == run_id,
            LabelRow.spot_check_id == spot_check_id,
        )
    )
    with db.read() as connection:
        return Labelled(
            answers=connection.execute(answers).scalar_one(),
            claims=connection.execute(claims).scalar_one(),
            reached=connection.execute(reached).scalar() or 0,
        )


def list_labels_of_check(db: Database, run_id: str, *, spot_check_id: int) -> dict[tuple[int, int | None], list[Label]]:
    """Return all labels of the answers that a spot-check drew from, by row and claim number, oldest first.

    Labels given outside the spot-check are included. The number is None for claims that the judge missed.
    """
    drawn = (
        select(ClaimRow.sample_id)
        .join(SpotCheckItemRow, SpotCheckItemRow.claim_id == ClaimRow.id)
        .where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.run_id == run_id)
    )
    labels: dict[tuple[int, int | None], list[Label]] = {}
    with db.read() as connection:
        for row in connection.execute(LABELS.where(LabelRow.sample_id.in_(drawn)).order_by(LabelRow.id)):
            labels.setdefault((row.position, row.claim_number), []).append(to_label(row))
    return labels


def list_question_scores(db: Database, run_id: str) -> dict[str, float]:
    """Return the judge's mean score of each question's judged answers, by the question's hash."""
    query = (
        select(ResultRow.cluster, func.avg(ResultRow.faithfulness))
        .where(ResultRow.run_id == run_id, ResultRow.state == State.JUDGED, ResultRow.faithfulness.is_not(None))
        .group_by(ResultRow.cluster)
    )
    with db.read() as connection:
        return {question: float(score) for question, score in connection.execute(query)}


def list_supported_claims(db: Database, run_id: str) -> set[str]:
    """Return the hashes of the claims that the judge calls supported somewhere in the run."""
    query = select(CLAIM_HASH).where(is_of_runs(run_id), ClaimRow.verdict == Verdict.SUPPORTED)
    with db.read() as connection:
        return set(connection.execute(query.distinct()).scalars())


def list_checks_of_run(db: Database, run_id: str) -> list[tuple[int, int]]:
    """Return (spot-check, claims of this run labelled in it), most labels first; among equals the newest.

    Only spot-checks of whole runs: one of listed claims does not describe the run's other claims.
    """
    items = (
        select(SpotCheckItemRow.spot_check_id)
        .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
        .where(SpotCheckItemRow.run_id == run_id, SpotCheckRow.population.is_(None))
        .distinct()
    )
    labelled = (
        select(LabelRow.spot_check_id, func.count(LabelRow.claim_id.distinct()))
        .where(LabelRow.run_id == run_id, LabelRow.spot_check_id.is_not(None))
        .group_by(LabelRow.spot_check_id)
    )
    with db.read() as connection:
        ids = connection.execute(items).scalars().all()
        counts = {row[0]: int(row[1]) for row in connection.execute(labelled)}
    return sorted(((check_id, counts.get(check_id, 0)) for check_id in ids), key=lambda pair: (-pair[1], -pair[0]))
