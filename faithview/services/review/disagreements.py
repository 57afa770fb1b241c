"""Claims on which reviewers disagree, and how somebody else settles them."""

from dataclasses import dataclass

from faithview.domain.claim import Claim, ClaimRef
from faithview.domain.errors import InvalidInput
from faithview.domain.label import EffectiveVerdict, Label, LabelRole, effective_verdict, standing_labels
from faithview.domain.sample import Sample
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.services.review.inherited_labels import InheritedLabel, list_inherited
from faithview.services.review.labels import LabelProvenance, label_claim
from faithview.store.review import labels


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledClaim:
    """A claim with all its labels.

    `history` holds all labels, oldest first; `standing` those that count; `effective` is the verdict that they give.
    `inherited` are labels of earlier runs, stale ones included.
    """

    place: ClaimRef
    run_name: str
    sample: Sample
    judged: Claim
    history: tuple[Label, ...]
    standing: tuple[Label, ...]
    effective: EffectiveVerdict
    inherited: tuple[InheritedLabel, ...] = ()


OWN_DISAGREEMENT = (
    "You labelled this claim yourself, so somebody else has to settle it; or change your own label of it on inspect."
)


def is_own_disagreement(claim: LabelledClaim, *, reviewer: str) -> bool:
    """Return whether the reviewer labelled the claim, and so may not settle the disagreement."""
    return any(label.reviewer == reviewer and label.role is LabelRole.REVIEWER for label in claim.standing)


def list_disagreements(services: Services, reference: str | None = None) -> list[ClaimRef]:
    """Return the claims whose reviewers are tied, of one run or of all. Raises NotFound for an unknown run."""
    run_id = None if reference is None else get_run(services, reference).run_id
    tied = labels.list_disagreements(services.db, run_id)
    return [ClaimRef(run_id=run, row=row, claim_number=number) for run, row, number in tied]


def get_labelled_claim(services: Services, place: ClaimRef) -> LabelledClaim:
    """Return a claim with its labels; raises NotFound."""
    detail = get_answer_at(services, place.run_id, place.row)
    claim = detail.result.claims[place.claim_number - 1]
    history = [
        label
        for _, label in labels.list_labels(services.db, place.run_id, position=place.row)
        if label.claim_number == place.claim_number
    ]
    return LabelledClaim(
        place=place,
        run_name=get_run(services, place.run_id).name,
        sample=detail.sample,
        judged=claim,
        history=tuple(history),
        standing=tuple(standing_labels(history)),
        effective=effective_verdict(claim.verdict, history),
        inherited=list_inherited(services, place.run_id, place.row, history),
    )


def adjudicate(
    services: Services,
    run_id: str,
    row: int,
    claim: int,
    verdict: str,
    *,
    reviewer: str,
    note: str | None = None,
    is_blind: bool = False,
) -> Label:
    """Settle a claim on which reviewers disagree; raises as `labels.label_claim` does.

    Raises:
        InvalidInput: the reviewer is one of those who disagree; somebody else has to settle it.
    """
    place = ClaimRef(run_id=get_run(services, run_id).run_id, row=row, claim_number=claim)
    if is_own_disagreement(get_labelled_claim(services, place), reviewer=reviewer):
        raise InvalidInput(OWN_DISAGREEMENT)
    provenance = LabelProvenance(
        reviewer=reviewer, role=LabelRole.ADJUDICATOR, note=note, is_blind=is_blind, judge_seen=not is_blind
    )
    return label_claim(services, run_id, row, claim, verdict, provenance)
