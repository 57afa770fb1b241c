"""Which claims to look at first: those a judge is in doubt of, and those that got worse since an earlier run."""

from collections.abc import Sequence

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.results.runs import get_run, list_runs
from faithview.store.judge_quality import judged_pairs
from faithview.store.review import review_columns
from faithview.store.review.review_columns import ClaimFacts

# Two verdicts of which both or neither are "supported" are half as far apart as others.
_HALF_APART = 0.5
# Runs before this one that are looked at for one about the same questions.
_EARLIER_RUNS = 30


def doubts(services: Services, run: Run, facts: Sequence[ClaimFacts]) -> tuple[list[float], int]:
    """Return how doubtful each claim is, 0 or more on no scale, and how many answers another judge has judged too.

    Half of it is the judge's own uncertainty, half how far another judge is from it on the same claim of the same
    answer (on the answer's score, where the other did not find the claim), both brought to the same mean. Either counts
    alone where the other says nothing.
    """
    own = [_uncertainty(fact) for fact in facts]
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


def regressed(services: Services, run: Run, facts: Sequence[ClaimFacts], *, against: str | None = None) -> list[bool]:
    """Return for each claim whether it got worse: unsupported now, and supported earlier or in an answer that fell.

    A label that has become stale counts too. What is earlier is the run `against`, else the newest one before by the
    same judge that answers at least one of the same questions.

    Raises:
        NotFound: there is no run `against`.
        InvalidInput: it is the run itself.
    """
    now = review_columns.list_question_scores(services.db, run.run_id)
    earlier = _earlier(services, run, set(now)) if against is None else get_run(services, against)
    if earlier is None:
        return [fact.is_stale for fact in facts]
    if earlier.run_id == run.run_id:
        raise InvalidInput(f"Run {run.name!r} cannot be held against itself; choose an earlier one.")
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
        for r in list_runs(services)
        if r.as_of < run.as_of and r.fingerprint == run.fingerprint and r.repeat_of is None
    ]
    for candidate in before[:_EARLIER_RUNS]:
        if not questions.isdisjoint(review_columns.list_question_scores(services.db, candidate.run_id)):
            return candidate
    return None


def _uncertainty(fact: ClaimFacts) -> float:
    """Return how unsure the judge is, in [0, 1]; a judge that does not say is taken to be equally unsure throughout."""
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
