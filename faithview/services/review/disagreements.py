"""Claims on which reviewers disagree, and how another reviewer settles them."""

from dataclasses import dataclass

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, ClaimRef
from faithview.domain.errors import InvalidInput
from faithview.domain.label import (
    EffectiveVerdict,
    Label,
    LabelRole,
    VerdictSource,
    effective_verdict,
    standing_labels,
)
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.services.review.labels import LabelProvenance, label_claim, labels_of_claim
from faithview.store import labels


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledClaim:
    """A claim with all its labels.

    `judged` is the claim with the judge's verdict, and `certainty` how sure the judge is of it. `history` has all
    labels, oldest first; `standing` those that count; `effective` is the resulting verdict.
    """

    place: ClaimRef
    run_name: str
    sample: Sample
    judged: Claim
    certainty: Certainty
    history: tuple[Label, ...]
    standing: tuple[Label, ...]
    effective: EffectiveVerdict


SETTLED = "The claim is already settled: reviewers no longer disagree on it."
OWN_DISAGREEMENT = (
    "You labelled this claim, so another reviewer has to settle it. You can still change your own label on Answers."
)


def is_own_disagreement(claim: LabelledClaim, *, reviewer: str) -> bool:
    """Return whether the reviewer labelled the claim, so they may not settle the disagreement."""
    return any(label.reviewer == reviewer and label.role is LabelRole.REVIEWER for label in claim.standing)


def list_disagreements(store: Store, reference: str | None = None) -> list[ClaimRef]:
    """Return the claims on which reviewers are tied, of one run or of all. Raises NotFound for an unknown run."""
    run_id = None if reference is None else get_run(store, reference).run_id
    return labels.list_disagreements(store.db, run_id)


def get_labelled_claim(store: Store, place: ClaimRef) -> LabelledClaim:
    """Return a claim with its labels; raises NotFound."""
    detail = get_answer_at(store, place.run_id, place.row)
    number = place.claim_number - 1
    claim, certainty = detail.result.claims[number], detail.result.certainties[number]
    history = labels_of_claim(store, place)
    effective = effective_verdict(claim.verdict, history)
    standing = standing_labels(history)
    return LabelledClaim(
        place=place,
        run_name=get_run(store, place.run_id).name,
        sample=detail.sample,
        judged=claim,
        certainty=certainty.once_labelled() if effective.is_settled else certainty,
        history=tuple(history),
        standing=tuple(standing),
        effective=effective,
    )


def adjudicate(
    store: Store,
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

    Args:
        store: the store.
        run_id: the run.
        row: the row's position, from 1.
        claim: the claim's number, from 1.
        verdict: one of the four verdicts, or "not_a_claim".
        reviewer: who settles it.
        note: their reason.
        is_blind: whether the page hid the judge's verdict.

    Raises:
        InvalidInput: the claim is settled, or the reviewer is one of those who disagree.
    """
    place = ClaimRef(run_id=get_run(store, run_id).run_id, row=row, claim_number=claim)
    labelled = get_labelled_claim(store, place)
    if labelled.effective.source is not VerdictSource.DISAGREEMENT:
        raise InvalidInput(SETTLED)
    if is_own_disagreement(labelled, reviewer=reviewer):
        raise InvalidInput(OWN_DISAGREEMENT)
    provenance = LabelProvenance(reviewer=reviewer, role=LabelRole.ADJUDICATOR, note=note, is_blind=is_blind)
    return label_claim(store, run_id, row, claim, verdict, provenance)
