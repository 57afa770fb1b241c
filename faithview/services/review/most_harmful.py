"""The claim of a run that could do most harm, under reviewers' labels."""

from faithview.domain.answer import AnswerDetail, AnswerFilter, Order, View
from faithview.domain.claim import Claim, ClaimRef
from faithview.domain.label import EffectiveVerdict
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.services.review.labels import get_reviewed_answer
from faithview.store.answers import list_answers

# The worst claim of an answer may be one that a person found; then the next answer is looked at.
_ANSWERS = 5


def find_most_harmful(store: Store, run_id: str) -> ClaimRef | None:
    """Return the judge's claim that comes first in the list of answers by harm; None if no claim does any."""
    page = list_answers(store.db, run_id, AnswerFilter(), view=View.REVIEWED, order=Order.HARM, limit=_ANSWERS)
    for row in page.rows:
        number = _find_in(store, get_answer_at(store, run_id, row.position))
        if number is not None:
            return ClaimRef(run_id=run_id, row=row.position, claim_number=number)
    return None


def _find_in(store: Store, detail: AnswerDetail) -> int | None:
    effective = get_reviewed_answer(store, detail).effective
    harms = [_harm(claim, verdict) for claim, verdict in zip(detail.result.claims, effective, strict=True)]
    worst = max(harms, default=0.0)
    return harms.index(worst) + 1 if worst > 0 else None


def _harm(claim: Claim, effective: EffectiveVerdict) -> float:
    sureness = SETTLED_CONFIDENCE if effective.is_settled else claim.confidence
    return expected_harm(effective.verdict, claim.severity, sureness)
