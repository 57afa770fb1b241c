"""One answer as people left it: the verdict that counts of each claim, and the claims that people found."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.label import EffectiveVerdict, Label, effective_verdict, missed_claims
from faithview.domain.views import AnswerDetail
from faithview.services.container import Services
from faithview.store.review import labels


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedAnswer:
    """What people made of an answer.

    `effective` holds the verdict that counts of each of the judge's claims, in their order; `missed` the claims that
    people found and the judge had not, in the order of their places in the answer. They are numbered on from the
    judge's.
    """

    effective: tuple[EffectiveVerdict, ...] = ()
    missed: tuple[Label, ...] = ()


def review_answer(services: Services, detail: AnswerDetail) -> ReviewedAnswer:
    """Return what people made of an answer."""
    history = [label for _, label in labels.list_labels(services.db, detail.run_id, position=detail.position)]
    return ReviewedAnswer(
        effective=tuple(
            effective_verdict(claim.verdict, [label for label in history if label.claim_number == number])
            for number, claim in enumerate(detail.result.claims, start=1)
        ),
        missed=tuple(_in_order(missed_claims([label for label in history if label.claim_number is None]))),
    )


def _in_order(missed: Sequence[Label]) -> list[Label]:
    return sorted(missed, key=lambda label: (label.span.start if label.span else -1, label.label_id))
