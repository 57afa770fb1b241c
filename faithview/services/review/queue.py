"""A spot-check's queue: which claim comes next, what its reviewer may see of it, and their label.

In a blind spot-check the judge's verdict on a claim is left out until the reviewer has labelled it, and each claim is
labelled once: a reviewer who wants to change their newest label takes it back first.

An assignment names the intended reviewers of a spot-check. It does not exclude others: every reviewer who opens the
spot-check may label its claims.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.certainty import UNSTATED, Certainty
from faithview.domain.claim import Claim, ClaimRef
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, newest_labels, standing_labels, valid_labels
from faithview.domain.sample import Sample
from faithview.domain.spot_check import QueueItem, QueueProgress, SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.services.review.labels import (
    LabelProvenance,
    build_label,
    clean_reviewer,
    labels_of_claim,
    retract_label,
)
from faithview.store import labels, samples, spot_checks
from faithview.store.spot_checks import OpenClaims

# No reviewer has an empty name, so no label is theirs and every open claim is left.
UNNAMED = ""
LABELLED_BLIND = "You labelled this claim before you saw the judge's verdict, so your label stays as it is."


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedClaim:
    """One claim of a queue as its reviewer may see it.

    `judged` is None while the judge's verdict is hidden. This object then does not contain the verdict, its reason or
    its evidence, so they cannot reach a page. `certainty` is how sure the judge is of it. `own` are the reviewer's own
    labels on the claim that count, and `is_labelled` says whether they gave one in this spot-check.
    """

    check: SpotCheck
    item: QueueItem
    run_name: str
    sample: Sample
    text: str
    spans: tuple[tuple[int, int], ...]
    judged: Claim | None
    certainty: Certainty
    own: tuple[Label, ...]
    is_labelled: bool

    @property
    def can_label(self) -> bool:
        """Whether the reviewer may label the claim: in a blind spot-check only once."""
        return not (self.check.is_blind and self.is_labelled)


def find_next(store: Store, spot_check_id: int, *, reviewer: str, after: int = 0) -> int | None:
    """Return the place of the next claim that the reviewer has not labelled; None if there is none.

    It is the first one after that place, or else the first one of the queue. Raises NotFound.
    """
    item = spot_checks.find_next_item(store.db, spot_check_id, reviewer=reviewer, after=after)
    if item is None and after:
        item = spot_checks.find_next_item(store.db, spot_check_id, reviewer=reviewer)
    return None if item is None else item.position


def next_claim(store: Store, spot_check_id: int, *, reviewer: str) -> QueuedClaim | None:
    """Return the first claim that the reviewer has not labelled; None if there is none. Raises NotFound."""
    position = find_next(store, spot_check_id, reviewer=reviewer)
    return None if position is None else get_claim(store, spot_check_id, position, reviewer=reviewer)


def get_claim(store: Store, spot_check_id: int, position: int, *, reviewer: str) -> QueuedClaim:
    """Return the claim at that place of the queue; raises NotFound."""
    return _show(store, spot_checks.get_item(store.db, spot_check_id, position), reviewer)


def label_and_advance(
    store: Store, spot_check_id: int, position: int, verdict: str, *, reviewer: str, note: str | None = None
) -> int | None:
    """Store the reviewer's verdict on a claim and return the place of the next claim, as `find_next` does.

    This function, not the page, decides whether the label is blind: in a blind spot-check it is if the reviewer had no
    label on the claim. A verdict that repeats the reviewer's last one here, without a note, is not stored again.

    Args:
        store: the store.
        spot_check_id: the spot-check.
        position: the claim's place in the queue, from 1.
        verdict: one of the four verdicts, or "not_a_claim".
        reviewer: who labels.
        note: the reviewer's note.

    Raises:
        NotFound: the place does not exist.
        InvalidInput: the verdict, the name or the note is invalid, or the reviewer labelled the claim of a blind
            spot-check before.
    """
    item = spot_checks.get_item(store.db, spot_check_id, position)
    own = [label for label in labels_of_claim(store, item.place) if label.reviewer == reviewer]
    if item.check.is_blind and _is_labelled(own, spot_check_id):
        raise InvalidInput(LABELLED_BLIND)
    provenance = LabelProvenance(
        reviewer=reviewer,
        note=note,
        is_blind=item.check.is_blind and not standing_labels(own),
        spot_check_id=spot_check_id,
    )
    label = build_label(verdict, provenance, claim=item.place.claim_number)
    here = [one for one in newest_labels(own) if one.spot_check_id == spot_check_id]
    is_same = any((one.kind, one.verdict, one.role) == (label.kind, label.verdict, label.role) for one in here)
    if note or not is_same:
        labels.add_label(store.db, label, run_id=item.place.run_id, position=item.place.row)
    return find_next(store, spot_check_id, reviewer=reviewer, after=position)


def undo_last(store: Store, spot_check_id: int, *, reviewer: str) -> QueuedClaim:
    """Retract the reviewer's newest label of this check and return its claim, to be labelled again.

    Raises:
        NotFound: the reviewer has no label in this check.
    """
    last = labels.find_last_label(store.db, spot_check_id, reviewer=reviewer)
    if last is None:
        raise NotFound("You have no label in this spot-check to undo.")
    run_id, row, label = last
    place = ClaimRef(run_id=run_id, row=row, claim_number=label.claim_number or 0)
    item = spot_checks.find_item(store.db, spot_check_id, place)
    retract_label(store, run_id, row, label, LabelProvenance(reviewer=reviewer, spot_check_id=spot_check_id))
    return _show(store, item, reviewer)


def _show(store: Store, item: QueueItem, reviewer: str) -> QueuedClaim:
    place = item.place
    own = [label for label in labels_of_claim(store, place) if label.reviewer == reviewer]
    standing = standing_labels(own)
    if item.check.is_blind and not standing:
        sample, judged, certainty = samples.get_sample(store.db, place.run_id, place.row), None, UNSTATED
    else:
        detail = get_answer_at(store, place.run_id, place.row)
        sample, judged = detail.sample, detail.result.claims[place.claim_number - 1]
        certainty = detail.result.certainties[place.claim_number - 1]
    return QueuedClaim(
        check=item.check,
        item=item,
        run_name=item.run_name,
        # Extra columns of the file may reveal the verdict.
        sample=replace(sample, extra={}),
        text=item.text,
        spans=item.spans,
        judged=judged,
        certainty=certainty.once_labelled() if standing else certainty,
        own=tuple(standing),
        is_labelled=_is_labelled(own, item.check.spot_check_id),
    )


def _is_labelled(own: Sequence[Label], spot_check_id: int) -> bool:
    return any(label.spot_check_id == spot_check_id for label in valid_labels(own))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerQueue:
    """A spot-check from one reviewer's point of view.

    `assigned` are the reviewers in whose queues it is. `open` counts the claims that lack a label; without a reviewer
    all of them are left.
    """

    check: SpotCheck
    assigned: tuple[str, ...]
    progress: QueueProgress
    open: OpenClaims

    @property
    def is_done(self) -> bool:
        """Whether every claim has all its labels."""
        return self.progress.done >= self.progress.items


def assign_check(store: Store, spot_check_id: int, reviewers: Sequence[str], *, assigned_by: str) -> None:
    """Put a spot-check into reviewers' own queues.

    Raises:
        NotFound: there is no such spot-check.
        InvalidInput: a name is invalid, or none is given.
    """
    names = list(dict.fromkeys(clean_reviewer(name) for name in reviewers))
    if not names:
        raise InvalidInput("Choose at least one reviewer.")
    author = clean_reviewer(assigned_by)
    spot_checks.assign(store.db, spot_check_id, names, assigned_by=author, now=datetime.now(UTC))


def unassign_check(store: Store, spot_check_id: int, reviewer: str) -> None:
    """Remove a spot-check from a reviewer's queue; their labels stay."""
    spot_checks.unassign(store.db, spot_check_id, reviewer)


def list_queues(store: Store, reviewer: str | None) -> list[ReviewerQueue]:
    """Return all spot-checks from a reviewer's point of view, newest first; None for a reviewer without a name."""
    assigned = spot_checks.list_assignments(store.db)
    open_claims = spot_checks.count_open(store.db, reviewer=reviewer or UNNAMED)
    return [
        ReviewerQueue(
            check=check,
            assigned=assigned.get(check.spot_check_id, ()),
            progress=spot_checks.get_queue_progress(store.db, check.spot_check_id),
            open=open_claims.get(check.spot_check_id, OpenClaims()),
        )
        for check in spot_checks.list_spot_checks(store.db)
    ]
