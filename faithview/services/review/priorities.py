"""Which claims to label first: those that the judge is unsure of, and those that got worse since an earlier run."""

from collections.abc import Sequence

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.results.runs import get_run, list_runs
from faithview.store.judge_quality import judged_pairs
from faithview.store.review import review_columns
from faithview.store.review.review_columns import ClaimColumns

# Two different verdicts that are both not "supported" are half as far apart as "supported" is from either.
_HALF_APART = 0.5
# How many earlier runs are searched for one with the same questions.
_EARLIER_RUNS = 30


def uncertainty(services: Services, run: Run, facts: Sequence[ClaimColumns]) -> tuple[list[float], int]:
    """Return how uncertain each claim's verdict is, and how many of the answers another judge has judged too.

    Uncertainty is 0 or more and has no unit. Half of it is the judge's own uncertainty, half the distance to another
    judge's verdict on the same claim of the same answer (to the answer's score, where the other judge lacks the claim),
    both scaled to the same mean. Without another judge it is the judge's own alone.
    """
    own = [_own_uncertainty(fact) for fact in facts]
    others = judged_pairs.list_other_answers(services.db, run.run_id, fingerprint=run.fingerprint)
    if not others:
        return own, 0
    wanted = {answer.sample_id for answer in others.values()}
    verdicts: dict[tuple[int, str], str] = {}
    for claim in judged_pairs.list_judged_claims(services.db, {answer.run_id for answer in others.values()}):
        if claim.sample_id in wanted:
            verdicts.setdefault((claim.sample_id, claim.claim_hash), claim.verdict)
    apart = []
    for fact in facts:
        other = others.get(fact.row)
        verdict = verdicts.get((other.sample_id, fact.claim_hash)) if other else None
        if other is None:
            apart.append(0.0)
        elif verdict is None:
            apart.append(abs(fact.answer_score - other.faithfulness))
        else:
            apart.append(_distance(fact.verdict, verdict))
    return [a + b for a, b in zip(_scaled(own), _scaled(apart), strict=True)], len(others)


def is_regressed(
    services: Services, run: Run, facts: Sequence[ClaimColumns], *, against: str | None = None
) -> list[bool]:
    """Return for each claim whether it got worse: unsupported now, and supported earlier or in an answer that fell.

    Claims with a stale label count too. The earlier run is `against`, else the newest earlier run of the same judge
    with at least one of the same questions.

    Raises:
        NotFound: there is no run `against`.
        InvalidInput: it is the run itself.
    """
    now = review_columns.list_question_scores(services.db, run.run_id)
    earlier = _earlier(services, run, set(now)) if against is None else get_run(services, against)
    if earlier is None:
        return [fact.is_stale for fact in facts]
    if earlier.run_id == run.run_id:
        raise InvalidInput(f"Run {run.name!r} cannot be compared with itself; choose an earlier run.")
    before = review_columns.list_question_scores(services.db, earlier.run_id)
    fell = {question for question, score in now.items() if score < before.get(question, 0.0)}
    supported = review_columns.list_supported_claims(services.db, earlier.run_id)
    return [
        fact.is_stale or (fact.verdict != Verdict.SUPPORTED and (fact.question in fell or fact.claim_hash in supported))
        for fact in facts
    ]


def _earlier(services: Services, run: Run, questions: set[str]) -> Run | None:
    before = [
        r
        for r in list_runs(services, series=run.series)
        if r.is_before(run) and r.fingerprint == run.fingerprint and r.repeat_of is None
    ]
    for candidate in before[:_EARLIER_RUNS]:
        if not questions.isdisjoint(review_columns.list_question_scores(services.db, candidate.run_id)):
            return candidate
    return None


def _own_uncertainty(fact: ClaimColumns) -> float:
    """Return how unsure the judge is, in [0, 1]; 0.5 for every claim where the judge gives no figure."""
    if fact.support_score is not None:
        return 1 - abs(2 * fact.support_score - 1)
    return 0.5 if fact.confidence is None else 1 - fact.confidence


def _distance(first: str, second: str) -> float:
    if first == second:
        return 0.0
    return 1.0 if Verdict.SUPPORTED in (first, second) else _HALF_APART


def _scaled(values: Sequence[float]) -> list[float]:
    total = sum(values)
    return [value * len(values) / total for value in values] if total else list(values)
