"""A spot-check's queue: one call per key press stores a label, or moves on, and returns the next claim.

In a blind spot-check the judge's verdicts are shown only to a reviewer who has labelled.

An assignment names the intended reviewers of a spot-check. It does not exclude others: every reviewer who opens the
spot-check may label its claims.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.certainty import UNSTATED, Certainty
from faithview.domain.claim import Claim, ClaimRef, Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, counts_as_blind, second_thoughts, standing_labels, valid_labels
from faithview.domain.sample import Sample
from faithview.domain.spot_check import QueueItem, QueueProgress, SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.services.review.carry_over import InheritedLabel, list_inherited
from faithview.services.review.key_presses import CHANGED, mark_claim
from faithview.services.review.labels import (
    LabelProvenance,
    build_label,
    clean_reviewer,
    label_probability,
    retract_label,
)
from faithview.store import labels, queues, samples, spot_checks
from faithview.store.labels import BLIND_LABEL_STAYS
from faithview.store.queues import OpenClaims

# No reviewer has an empty name, so no label is theirs and every open claim is left.
UNNAMED = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedClaim:
    """One claim of a queue as its reviewer may see it.

    `judged` is None while the judge's verdict is hidden. This object then does not contain the verdict, its reason, its
    evidence or its stratum, so they cannot reach a page. `certainty` is how sure the judge is of it. `own`
    are the reviewer's own labels on the claim that count, and `second_thought` is their label after seeing the judge's
    verdict on a claim that they had labelled blind. `is_labelled` says whether they labelled it in this
    spot-check. `stale` are labels of earlier runs that are no longer valid; their verdicts are hidden with the judge's.
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
    stale: tuple[InheritedLabel, ...] = ()

    @property
    def mark(self) -> str:
        """The claim's mark, which a label key sends back (see `key_presses`)."""
        return _mark_of_item(self.item)


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
    item = queues.find_next_item(store.db, spot_check_id, reviewer=reviewer, after=after, skip=skip)
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
    decides whether the label is blind: in a blind check it is until the judge has been revealed to the reviewer (see
    `reveal_claim`). A later change of mind is stored in addition to the blind label, which still counts, and the
    reviewer stays at the claim.

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
    if mark is not None and mark != _mark_of_item(item):
        raise InvalidInput(CHANGED)
    is_blind = item.check.is_blind and not item.check.gives_away_to(reviewer)
    provenance = LabelProvenance(
        reviewer=reviewer,
        note=note,
        corrected_text=corrected_text,
        seconds=seconds,
        is_blind=is_blind,
        judge_seen=not is_blind,
        spot_check_id=spot_check_id,
        inclusion_probability=label_probability(item),
    )
    label = build_label(verdict, provenance, claim=item.drawn.claim_number)
    stored = labels.add_queue_label(store.db, label, run_id=item.drawn.run_id, position=item.drawn.row)
    if not stored.is_new and not (note or corrected_text):
        return None
    if item.check.is_blind and not stored.label.is_blind:
        step = _step(store, spot_check_id, item, reviewer)
        if step.claim is not None and step.claim.second_thought is not None:
            return step
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
        item: QueueItem | None = spot_checks.get_item(store.db, spot_check_id, ahead[0])
    else:
        item = queues.find_next_item(store.db, spot_check_id, reviewer=reviewer, after=position, skip=skip)
        item = item or queues.find_next_item(store.db, spot_check_id, reviewer=reviewer, skip=skip)
    return _step(store, spot_check_id, item, reviewer)


def undo_last(store: Store, spot_check_id: int, *, reviewer: str) -> QueuedClaim:
    """Retract the reviewer's newest label of this check and return its claim, to be labelled again.

    Raises:
        NotFound: the reviewer has no label in this check.
        InvalidInput: it is blind, and the reviewer has seen the judge's verdict since.
    """
    last = labels.find_last_label(store.db, spot_check_id, reviewer=reviewer)
    if last is None:
        raise NotFound(f"{reviewer!r} has no label in this spot-check to undo.")
    run_id, row, label = last
    item = spot_checks.find_item(store.db, spot_check_id, run_id, row, label.claim_number or 0)
    is_seen = not item.check.is_blind or labels.has_seen_judge(store.db, place_of(item), reviewer=reviewer)
    if counts_as_blind(label) and is_seen:
        raise InvalidInput(BLIND_LABEL_STAYS)
    provenance = LabelProvenance(reviewer=reviewer, judge_seen=is_seen, spot_check_id=spot_check_id)
    retract_label(store, run_id, row, label, provenance)
    return _show(store, item, reviewer)


def _step(store: Store, spot_check_id: int, item: QueueItem | None, reviewer: str) -> QueueStep:
    claim = None if item is None else _show(store, item, reviewer)
    return QueueStep(claim=claim, progress=spot_checks.get_queue_progress(store.db, spot_check_id))


def _show(store: Store, item: QueueItem, reviewer: str) -> QueuedClaim:
    drawn = item.drawn
    on_claim = [
        label
        for _, label in labels.list_labels(store.db, drawn.run_id, position=drawn.row)
        if label.claim_number == drawn.claim_number
    ]
    own = [label for label in on_claim if label.reviewer == reviewer]
    is_hidden = item.check.is_blind and not labels.is_shown(store.db, place_of(item), reviewer=reviewer)
    if is_hidden:
        sample, judged, certainty = samples.get_sample(store.db, drawn.run_id, drawn.row), None, UNSTATED
    else:
        detail = get_answer_at(store, drawn.run_id, drawn.row)
        sample, judged = detail.sample, detail.result.claims[drawn.claim_number - 1]
        certainty = detail.result.certainties[drawn.claim_number - 1]
    stale = [label for label in on_claim if label.is_stale or label.kind is LabelKind.RETRACTION]
    return QueuedClaim(
        check=item.check,
        # A stratum may be named after the judge's verdict.
        item=replace(item, drawn=replace(drawn, stratum="")),
        run_name=item.run_name,
        # Extra columns of the file may reveal the verdict.
        sample=replace(sample, extra={}),
        text=item.text,
        spans=item.spans,
        judged=judged,
        certainty=certainty.once_labelled() if own else certainty,
        own=tuple(standing_labels(own)),
        second_thought=next(iter(second_thoughts(own)), None),
        is_labelled=any(label.spot_check_id == item.check.spot_check_id for label in valid_labels(own)),
        stale=list_inherited(store, drawn.run_id, drawn.row, stale, is_blind=is_hidden),
    )


def _mark_of_item(item: QueueItem) -> str:
    return mark_claim(item.drawn.run_id, item.drawn.row, item.drawn.claim_number, item.text)


def place_of(item: QueueItem) -> ClaimRef:
    """Return the place of an item's claim."""
    return ClaimRef(run_id=item.drawn.run_id, row=item.drawn.row, claim_number=item.drawn.claim_number)


LABEL_FIRST = "Label the claim first. A blind spot-check shows the judge's verdict only after your own label."


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueResult:
    """A claim that a reviewer labelled in a spot-check, with the judge's verdict.

    `label` is the reviewer's label that counts; `second_thought` their later label after seeing the judge's verdict,
    None if there is none. `judged` is None while the judge is hidden from them.
    """

    place: ClaimRef
    text: str
    label: Label
    second_thought: Label | None
    judged: Verdict | None

    @property
    def agrees(self) -> bool:
        """Whether the label that counts equals the judge's verdict, if that is shown."""
        return self.judged is not None and self.label.verdict is self.judged


def reveal_claim(store: Store, spot_check_id: int, position: int, *, reviewer: str, mark: str) -> QueueStep:
    """Reveal the judge's verdict on a claim that the reviewer has labelled; return the claim with it.

    Their later labels on the claim are not blind; the blind one stays.

    Args:
        store: the store.
        spot_check_id: the spot-check.
        position: the claim's place in the queue, from 1.
        reviewer: the reviewer.
        mark: the mark of the claim that the reviewer saw.

    Raises:
        NotFound: the place does not exist.
        InvalidInput: the reviewer saw another claim, or has not labelled this one.
    """
    claim = get_claim(store, spot_check_id, position, reviewer=reviewer)
    if mark != claim.mark:
        raise InvalidInput(CHANGED)
    if claim.judged is None:
        if not claim.is_labelled:
            raise InvalidInput(LABEL_FIRST)
        labels.add_reveals(store.db, [place_of(claim.item)], reviewer=reviewer, now=datetime.now(UTC))
        claim = get_claim(store, spot_check_id, position, reviewer=reviewer)
    return QueueStep(claim=claim, progress=spot_checks.get_queue_progress(store.db, spot_check_id))


def reveal_labelled(store: Store, spot_check_id: int, *, reviewer: str) -> None:
    """Reveal the judge's verdicts on all claims that the reviewer has labelled in a spot-check; raises NotFound."""
    spot_checks.get_spot_check(store.db, spot_check_id)
    checked = labels.list_checked_claims(store.db, spot_check_id, reviewer=reviewer)
    hidden = [claim.place for claim in checked if not claim.is_seen]
    if hidden:
        labels.add_reveals(store.db, hidden, reviewer=reviewer, now=datetime.now(UTC))


def note_opened(store: Store, answers: Sequence[tuple[str, int]], *, reviewer: str) -> None:
    """Record that the reviewer has opened these answers, (run, row), with the judge's verdicts in sight.

    Their later labels on claims of these answers are not blind. One call per answer and reviewer is enough; a page need
    not call this for every claim.
    """
    if answers:
        labels.add_seen_answers(store.db, answers, reviewer=reviewer, now=datetime.now(UTC))


def list_results(store: Store, spot_check_id: int, *, reviewer: str) -> list[QueueResult]:
    """Return what a reviewer labelled in a spot-check, in the order of its queue; raises NotFound.

    It has the judge's verdict if the spot-check is not blind, or the verdict was revealed to the reviewer.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    results = []
    for claim in labels.list_checked_claims(store.db, spot_check_id, reviewer=reviewer):
        standing = standing_labels(claim.labels)
        second = second_thoughts(claim.labels)
        results.append(
            QueueResult(
                place=claim.place,
                text=claim.text,
                label=standing[-1],
                second_thought=second[-1] if second else None,
                judged=claim.judged if claim.is_seen or not check.is_blind else None,
            )
        )
    return results


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
    names = _clean(reviewers)
    author = clean_reviewer(assigned_by)
    queues.assign(store.db, spot_check_id, names, assigned_by=author, now=datetime.now(UTC))


def unassign_check(store: Store, spot_check_id: int, reviewer: str) -> None:
    """Remove a spot-check from a reviewer's queue; their labels stay."""
    queues.unassign(store.db, spot_check_id, reviewer)


def list_queues(store: Store, reviewer: str | None) -> list[ReviewerQueue]:
    """Return all spot-checks from a reviewer's point of view, newest first; None for a reviewer without a name."""
    assigned = queues.list_assignments(store.db)
    open_claims = queues.count_open(store.db, reviewer=reviewer or UNNAMED)
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
    return ReviewerQueue(
        check=spot_checks.get_spot_check(store.db, spot_check_id),
        assigned=queues.list_assignments(store.db).get(spot_check_id, ()),
        progress=spot_checks.get_queue_progress(store.db, spot_check_id),
        open=queues.count_open(store.db, reviewer=reviewer, spot_check_id=spot_check_id).get(
            spot_check_id, OpenClaims()
        ),
    )


def _clean(reviewers: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(clean_reviewer(name) for name in reviewers))
    if not names:
        raise InvalidInput("Choose at least one reviewer.")
    return names
