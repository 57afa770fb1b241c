"""Spot-checks as reviewers meet them: the next claim, with the judge hidden where the check is blind, and the label."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.claim import Claim
from faithview.domain.errors import NotFound
from faithview.domain.label import Label, LabelKind, standing_labels
from faithview.domain.sample import Sample
from faithview.domain.spot_check import QueueItem, QueueProgress, SpotCheck
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.services.review import labels as labelling
from faithview.services.review.inherited_labels import InheritedLabel, list_inherited
from faithview.services.review.labels import LabelProvenance
from faithview.store.review import labels, spot_checks


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedClaim:
    """One claim of a queue as its reviewer may see it.

    `judged` is None while the judge is hidden: then nothing of the judge's verdict, reason or evidence is in this
    object, so that nothing of it can reach a page. `own` are the reviewer's own labels on the claim that count.
    `stale` are the labels of earlier runs that do not hold any more, without what they said while the judge is hidden.
    """

    check: SpotCheck
    item: QueueItem
    run_name: str
    sample: Sample
    text: str
    spans: tuple[tuple[int, int], ...]
    judged: Claim | None
    own: tuple[Label, ...]
    stale: tuple[InheritedLabel, ...] = ()


def list_spot_checks(services: Services) -> list[SpotCheck]:
    """Return all spot-checks, newest first."""
    return spot_checks.list_spot_checks(services.db)


def get_queue_progress(services: Services, spot_check_id: int) -> QueueProgress:
    """Return how far a spot-check has come; raises NotFound."""
    return spot_checks.get_queue_progress(services.db, spot_check_id)


def next_claim(
    services: Services, spot_check_id: int, *, reviewer: str, after: int = 0, skip: Sequence[int] = ()
) -> QueuedClaim | None:
    """Lease the next claim for the reviewer; None if there is none for them now. Raises NotFound."""
    item = spot_checks.take_item(
        services.db, spot_check_id, reviewer=reviewer, now=datetime.now(UTC), after=after, skip=skip
    )
    return None if item is None else _queued(services, spot_check_id, item, reviewer)


def get_claim(services: Services, spot_check_id: int, position: int, *, reviewer: str) -> QueuedClaim:
    """Return the claim at that place of the queue, without a lease: to look back, or to change one's mind.

    Raises:
        NotFound: there is no such place.
    """
    return _queued(services, spot_check_id, spot_checks.get_item(services.db, spot_check_id, position), reviewer)


def submit_label(
    services: Services,
    spot_check_id: int,
    position: int,
    verdict: str,
    *,
    reviewer: str,
    note: str | None = None,
    corrected_text: str | None = None,
    seconds: float | None = None,
) -> QueuedClaim:
    """Store the reviewer's verdict on the claim at that place of the queue and return the claim revealed.

    Whether it was blind is known here and not told by the page: the first label of a blind check is, and a change of
    mind after the reveal is stored as a second label that is not. The same verdict twice is one label.

    Raises:
        NotFound: there is no such place.
        InvalidInput: the verdict, the name or the note cannot be used.
    """
    item = spot_checks.get_item(services.db, spot_check_id, position)
    is_blind = spot_checks.get_spot_check(services.db, spot_check_id).is_blind
    provenance = LabelProvenance(
        reviewer=reviewer,
        note=note,
        corrected_text=corrected_text,
        seconds=seconds,
        is_blind=is_blind,
        judge_seen=not is_blind,
        spot_check_id=spot_check_id,
        inclusion_probability=item.drawn.inclusion_probability,
    )
    label = labelling.build_label(verdict, provenance, claim=item.drawn.claim_number)
    labels.add_queue_label(services.db, label, run_id=item.drawn.run_id, position=item.drawn.row, item_id=item.item_id)
    return get_claim(services, spot_check_id, position, reviewer=reviewer)


def undo_last(services: Services, spot_check_id: int, *, reviewer: str) -> QueuedClaim:
    """Take back the reviewer's newest label of this check and return its claim, leased, to be labelled again.

    Raises:
        NotFound: the reviewer has no label in this check.
    """
    found = labels.find_last_label(services.db, spot_check_id, reviewer=reviewer)
    if found is None:
        raise NotFound(f"{reviewer!r} has no label in this spot-check that could be taken back.")
    run_id, row, label = found
    position = spot_checks.find_position(services.db, spot_check_id, run_id, row, label.claim_number or 0)
    # Leased first: once the label is gone the claim is free, and somebody else could take it before its lease is here.
    hold_claim(services, spot_checks.get_item(services.db, spot_check_id, position).item_id, reviewer=reviewer)
    provenance = LabelProvenance(reviewer=reviewer, spot_check_id=spot_check_id)
    labelling.retract_label(services, run_id, row, label, provenance)
    return get_claim(services, spot_check_id, position, reviewer=reviewer)


def hold_claim(services: Services, item_id: int, *, reviewer: str) -> bool:
    """Lease that claim of a queue, or lengthen the lease; return whether the reviewer has it now.

    False where as many others as are wanted have labelled it or hold it. Raises NotFound for an unknown claim.
    """
    return spot_checks.hold_item(services.db, item_id=item_id, reviewer=reviewer, now=datetime.now(UTC))


def _queued(services: Services, spot_check_id: int, item: QueueItem, reviewer: str) -> QueuedClaim:
    drawn = item.drawn
    check = spot_checks.get_spot_check(services.db, spot_check_id)
    detail = get_answer_at(services, drawn.run_id, drawn.row)
    claim = detail.result.claims[drawn.claim_number - 1]
    of_all = [
        label
        for _, label in labels.list_labels(services.db, drawn.run_id, position=drawn.row)
        if label.claim_number == drawn.claim_number
    ]
    on_claim = [label for label in of_all if label.reviewer == reviewer]
    # Once a person has given a label here, the judge has been shown to them; taking it back does not unsee it.
    has_seen = any(label.kind is not LabelKind.RETRACTION and label.origin is None for label in on_claim)
    is_hidden = check.is_blind and not has_seen
    sample = replace(detail.sample, extra={})
    stale = [label for label in of_all if label.is_stale or label.kind is LabelKind.RETRACTION]
    return QueuedClaim(
        check=check,
        item=item,
        run_name=get_run(services, drawn.run_id).name,
        sample=sample,
        text=claim.text,
        spans=tuple((span.start, span.end) for span in claim.spans),
        judged=None if is_hidden else claim,
        own=tuple(standing_labels(on_claim)),
        stale=list_inherited(services, drawn.run_id, drawn.row, stale, is_blind=is_hidden),
    )
