"""The judge's verdicts in a spot-check, for a reviewer who has labelled: one claim on demand, or all of theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.label import Label, second_thoughts, standing_labels
from faithview.services.container import Services
from faithview.services.review import queue
from faithview.services.review.label_keys import CHANGED
from faithview.services.review.queue import QueueStep
from faithview.store.review import reveals

LABEL_FIRST = "Label the claim first. In a blind spot-check the judge is shown only after your own label."


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueResult:
    """A claim that a reviewer labelled in a spot-check, beside the judge.

    `label` is the reviewer's label that counts; `second_thought` what they said after they had seen the judge's
    verdict, None for nothing else. `judged` is None while the judge is hidden from them.
    """

    place: ClaimRef
    text: str
    label: Label
    second_thought: Label | None
    judged: Verdict | None

    @property
    def agrees(self) -> bool:
        """Whether the label that counts is the judge's verdict, as far as that is shown."""
        return self.judged is not None and self.label.verdict is self.judged


def reveal_claim(services: Services, spot_check_id: int, position: int, *, reviewer: str, mark: str) -> QueueStep:
    """Reveal the judge's verdict on a claim that the reviewer has labelled; return the claim with it.

    From then on, no label that they give on the claim is blind, and their blind one stays.

    Args:
        services: the services.
        spot_check_id: the spot-check.
        position: the claim's place in the queue, from 1.
        reviewer: who asks.
        mark: the mark of the claim that the reviewer saw.

    Raises:
        NotFound: there is no such place.
        InvalidInput: the reviewer saw another claim, or has not labelled this one.
    """
    claim = queue.get_claim(services, spot_check_id, position, reviewer=reviewer)
    if mark != claim.mark:
        raise InvalidInput(CHANGED)
    if claim.judged is None:
        if not claim.is_labelled:
            raise InvalidInput(LABEL_FIRST)
        reveals.add_reveals(services.db, [queue.place_of(claim.item)], reviewer=reviewer, now=datetime.now(UTC))
        claim = queue.get_claim(services, spot_check_id, position, reviewer=reviewer)
    return QueueStep(claim=claim, progress=queue.get_queue_progress(services, spot_check_id))


def reveal_labelled(services: Services, spot_check_id: int, *, reviewer: str) -> None:
    """Reveal the judge's verdicts on all claims that the reviewer has labelled in a spot-check; raises NotFound."""
    queue.get_spot_check(services, spot_check_id)
    checked = reveals.list_checked_claims(services.db, spot_check_id, reviewer=reviewer)
    hidden = [claim.place for claim in checked if not claim.is_seen]
    if hidden:
        reveals.add_reveals(services.db, hidden, reviewer=reviewer, now=datetime.now(UTC))


def note_opened(services: Services, answers: Sequence[tuple[str, int]], *, reviewer: str) -> None:
    """Note that the reviewer has opened these answers, (run, row), where the judge's verdicts are in sight.

    Labels that they give later on claims of these answers are not blind. One note for each answer and reviewer is
    enough, so that a page need not call this for every claim that the reviewer looks at.
    """
    if answers:
        reveals.add_seen_answers(services.db, answers, reviewer=reviewer, now=datetime.now(UTC))


def list_results(services: Services, spot_check_id: int, *, reviewer: str) -> list[QueueResult]:
    """Return what a reviewer labelled in a spot-check, in the order of its queue; raises NotFound.

    The judge's verdict is in it where the spot-check is not blind, or the verdict has been revealed to the reviewer.
    """
    check = queue.get_spot_check(services, spot_check_id)
    results = []
    for claim in reveals.list_checked_claims(services.db, spot_check_id, reviewer=reviewer):
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
