"""One answer with the labels that people gave it. It loads the labels; the rule is `domain.scoring.ReviewedAnswer`."""

from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.domain.views import AnswerDetail, View
from faithview.services.container import Services
from faithview.services.review.labels import claim_history

__all__ = ["ReviewedAnswer", "get_reviewed_answer", "standing_confidences"]


def get_reviewed_answer(services: Services, detail: AnswerDetail) -> ReviewedAnswer:
    """Return an answer under the labels that the store has for it."""
    return apply_labels(detail.result.verdicts, claim_history(services, detail.run_id, detail.position))


def standing_confidences(services: Services, detail: AnswerDetail, view: View) -> tuple[float | None, ...]:
    """Return for each of the judge's claims the judge's confidence in the verdict that the view shows, in [0, 1].

    None where the judge states none, and where the verdict is people's: how sure the judge was of its own says nothing
    of theirs.
    """
    confidences = tuple(claim.confidence for claim in detail.result.claims)
    if view is View.JUDGE:
        return confidences
    effective = get_reviewed_answer(services, detail).effective
    return tuple(
        None if verdict.is_settled else confidence for confidence, verdict in zip(confidences, effective, strict=True)
    )
