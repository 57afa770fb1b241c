"""One answer with the labels that people gave it. It loads the labels; the rule is `domain.scoring.ReviewedAnswer`."""

from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.domain.views import AnswerDetail
from faithview.services.container import Services
from faithview.services.review.labels import claim_history

__all__ = ["ReviewedAnswer", "get_reviewed_answer"]


def get_reviewed_answer(services: Services, detail: AnswerDetail) -> ReviewedAnswer:
    """Return an answer under the labels that the store has for it."""
    return apply_labels(detail.result.verdicts, claim_history(services, detail.run_id, detail.position))
