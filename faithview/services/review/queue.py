"""A spot-check's queue: one call per key press stores a label, or moves on, and returns the next claim.

In a blind spot-check the judge's verdict on a claim is left out until the reviewer has labelled it. A label that they
give after that is stored in addition; the blind one counts.

An assignment names the intended reviewers of a spot-check. It does not exclude others: every reviewer who opens the
spot-check may label its claims.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from faithview.domain.certainty import UNSTATED, Certainty
from faithview.domain.claim import Claim, ClaimRef, Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, second_thoughts, standing_labels, valid_labels
from faithview.domain.sample import Sample
from faithview.domain.spot_check import QueueItem, QueueProgress, SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.services.review.key_presses import CHANGED, mark_claim
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


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedClaim:
    """One claim of a queue as its reviewer may see it.

    `judged` is None while the judge's verdict is hidden. This object then does not contain the verdict, its reason or
    its evidence, so they cannot reach a page. `certainty` is how sure the judge is of it. `own` are the reviewer's own
    labels on the claim that count, and `second_thought` is their label after seeing the judge's verdict on a claim that
    they had labelled blind. `is_labelled` says whether they labelled it in this spot-check. `given_in` has the names of
    the runs in which they labelled an equal claim.
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
    second_thought: Label | None
    is_labelled: bool
    given_in: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """The claim's mark, which a label key sends back (see `key_presses`)."""
        place = self.item.place
        return mark_claim(place.run_id, place.row, place.claim_number, self.item.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueStep:
    """The next step after a key press. `claim` is None if nothing is left for the reviewer now."""

    claim: QueuedClaim | None
    progress: QueueProgress


def next_claim(
    store: Store, spot_check_id: int, *, reviewer: str, after: int = 0, skip: Sequence[int] = ()
) -> QueuedClaim | None:
    """Return the next claim after that position for the reviewer; None if there is none. Raises NotFound.

    `skip` are the ids of items that the reviewer has skipped.
    """
    item = spot_checks.find_next_item(store.db, spot_check_id, reviewer=reviewer, after=after, skip=skip)
    return None if item is None else _show(store, item, reviewer)


def get_claim(store: Store, spot_check_id: int, position: int, *, reviewer: str) -> QueuedClaim:
    """Return the claim at that place of the queue; raises NotFound."""
    return _show(store, spot_checks.get_item(store.db, spot_check_id, position), reviewer)


def label_and_advance(
    store: Store,
    spot_check_id: int,
    position: int,
    verdict: str,
    *,
    reviewer: str,
    mark: str | None = None,
    note: str | None = None,
    corrected_text: str | None = None,
    seconds: float | None = None,
    ahead: Sequence[int] = (),
    skip: Sequence[int] = (),
) -> QueueStep | None:
    """Store the reviewer's verdict on a claim and return the next step.

    The step has the next claim, chosen as in `advance`; the judge is not shown in between. This function, not the page,
    decides whether the label is blind: in a blind spot-check it is if the reviewer had no label on the claim. After a
    label that is not, the step has the same claim.

    Args:
        store: the store.
        spot_check_id: the spot-check.
        position: the claim's place in the queue, from 1.
        verdict: one of the four verdicts, or "not_a_claim".
        reviewer: who labels.
        mark: the mark of the claim that the reviewer saw, None to label any claim at that place.
        note: the reviewer's note.
        corrected_text: what the claim should say.
        seconds: how long the reviewer took.
        ahead: as for `advance`.
        skip: as for `advance`.

    Returns:
        None if nothing was stored because the reviewer's last verdict here was the same, without a new text.

    Raises:
        NotFound: the place does not exist.
        InvalidInput: the verdict, the name or the note is invalid, or the reviewer saw another claim.
    """
    item = spot_checks.get_item(store.db, spot_check_id, position)
    claim = _show(store, item, reviewer)
    if mark not in (None, claim.mark):
        raise InvalidInput(CHANGED)
    provenance = LabelProvenance(
        reviewer=reviewer,
        note=note,
        corrected_text=corrected_text,
        seconds=seconds,
        is_blind=item.check.is_blind and not claim.own,
        spot_check_id=spot_check_id,
    )
    label = build_label(verdict, provenance, claim=item.place.claim_number)
    newest = claim.second_thought or next((one for one in claim.own if one.role is label.role), None)
    is_same = newest is not None and (newest.kind, newest.verdict) == (label.kind, label.verdict)
    if newest is not None and is_same and newest.spot_check_id == spot_check_id and not (note or corrected_text):
        return None
    labels.add_label(store.db, label, run_id=item.place.run_id, position=item.place.row)
    if item.check.is_blind and not provenance.is_blind:
        # A change of mind after seeing the judge: the reviewer stays, to see that the blind label still counts.
        return _step(store, spot_check_id, item, reviewer)
    return advance(store, spot_check_id, position, reviewer=reviewer, ahead=ahead, skip=skip)


def advance(
    store: Store,
    spot_check_id: int,
    position: int,
    *,
    reviewer: str,
    ahead: Sequence[int] = (),
    skip: Sequence[int] = (),
) -> QueueStep:
    """Return the next claim for the reviewer.

    It is the first one of `ahead`, or the next one after the position that they have not labelled, or the first such
    one of the queue.

    Args:
        store: the store.
        spot_check_id: the spot-check.
        position: the place in the queue that the reviewer leaves, from 1.
        reviewer: the reviewer who continues.
        ahead: positions that the reviewer has seen and went back from, nearest first.
        skip: ids of items that the reviewer has skipped.

    Raises:
        NotFound: there is no such spot-check or place.
    """
    if ahead:
        return _step(store, spot_check_id, spot_checks.get_item(store.db, spot_check_id, ahead[0]), reviewer)
    find_next = partial(spot_checks.find_next_item, store.db, spot_check_id, reviewer=reviewer, skip=skip)
    return _step(store, spot_check_id, find_next(after=position) or find_next(), reviewer)


def _step(store: Store, spot_check_id: int, item: QueueItem | None, reviewer: str) -> QueueStep:
    claim = None if item is None else _show(store, item, reviewer)
    return QueueStep(claim=claim, progress=spot_checks.get_queue_progress(store.db, spot_check_id))


def undo_last(store: Store, spot_check_id: int, *, reviewer: str) -> QueuedClaim:
    """Retract the reviewer's newest label of this check and return its claim, to be labelled again.

    Raises:
        NotFound: the reviewer has no label in this check.
    """
    last = labels.find_last_label(store.db, spot_check_id, reviewer=reviewer)
    if last is None:
        raise NotFound(f"{reviewer!r} has no label in this spot-check to undo.")
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
    given_in = dict.fromkeys(label.given_on.run_id for label in standing if label.given_on is not None)
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
        second_thought=next(iter(second_thoughts(own)), None),
        is_labelled=any(label.spot_check_id == item.check.spot_check_id for label in valid_labels(own)),
        given_in=tuple(get_run(store, run_id).name for run_id in given_in),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueResult:
    """A claim that a reviewer labelled in a spot-check, with the judge's verdict.

    `label` is the reviewer's label that counts; `second_thought` their later label after seeing the judge's verdict,
    None if there is none.
    """

    place: ClaimRef
    text: str
    label: Label
    second_thought: Label | None
    judged: Verdict

    @property
    def agrees(self) -> bool:
        """Whether the label that counts equals the judge's verdict."""
        return self.label.verdict is self.judged


def list_results(store: Store, spot_check_id: int, *, reviewer: str) -> list[QueueResult]:
    """Return what a reviewer labelled in a spot-check, in the order of its queue; raises NotFound."""
    spot_checks.get_spot_check(store.db, spot_check_id)
    return [
        QueueResult(
            place=claim.place,
            text=claim.text,
            label=standing_labels(claim.labels)[-1],
            second_thought=next(iter(second_thoughts(claim.labels)), None),
            judged=claim.judged,
        )
        for claim in labels.list_checked_claims(store.db, spot_check_id, reviewer=reviewer)
    ]


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


def get_reviewer_queue(store: Store, spot_check_id: int, reviewer: str) -> ReviewerQueue:
    """Return one spot-check from a reviewer's point of view; raises NotFound."""
    open_claims = spot_checks.count_open(store.db, reviewer=reviewer, spot_check_id=spot_check_id)
    return ReviewerQueue(
        check=spot_checks.get_spot_check(store.db, spot_check_id),
        assigned=spot_checks.list_assignments(store.db).get(spot_check_id, ()),
        progress=spot_checks.get_queue_progress(store.db, spot_check_id),
        open=open_claims.get(spot_check_id, OpenClaims()),
    )
