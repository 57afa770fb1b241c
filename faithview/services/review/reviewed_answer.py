"""One answer with the labels that people gave it. It loads the labels; the rule is `domain.scoring.ReviewedAnswer`."""

from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.domain.views import AnswerDetail
from faithview.services.container import Services
from faithview.store.review import labels

__all__ = ["ReviewedAnswer", "get_reviewed_answer"]


def get_reviewed_answer(services: Services, detail: AnswerDetail) -> ReviewedAnswer:
    """Return an answer under the labels that the store has for it."""
    history = [label for _, label in labels.list_labels(services.db, detail.run_id, position=detail.position)]
    return apply_labels(detail.result.verdicts, history)
