"""The result of a spot-check: agreement of reviewers and judge, the judge's mistakes by kind, the score, next steps.

It reveals the judge's verdicts, so a page shows it only when all claims are labelled. Before the first label, only the
expected width of the interval is known.

"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.review import spot_checks as draws
from faithview.services.review.corrected_score import (
    HALF_WIDTH,
    Correction,
    correct_by_check,
    labels_in_check,
    people_in_check,
)
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.store import labels as stored_labels
from faithview.store import revisions, spot_checks

# The target precisions of "label more", in order.
_TARGETS = (HEADLINE_HALF_WIDTH, 0.05, HALF_WIDTH)


class MistakeKind(StrEnum):
    """How the judge's verdict differs from the reviewers'; `other`: two different verdicts, neither "supported"."""

    MISSED = "missed"
    FALSE_ALARM = "false_alarm"
    OTHER = "other"
    NOT_A_CLAIM = "not_a_claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A claim whose settled verdict differs from the judge's; `people` is None for "not a claim"."""

    place: ClaimRef
    text: str
    judged: Verdict
    people: Verdict | None

    @property
    def kind(self) -> MistakeKind:
        """How the two differ."""
        if self.people is None:
            return MistakeKind.NOT_A_CLAIM
        if self.judged is Verdict.SUPPORTED:
            return MistakeKind.MISSED
        return MistakeKind.FALSE_ALARM if self.people is Verdict.SUPPORTED else MistakeKind.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundScore:
    """The score of a run by a spot-check."""

    correction: Correction
    run_id: str
    run_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreLabels:
    """About how many more labels, over all runs, narrow the interval of each score to +- `half_width`."""

    labels: int
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of a spot-check.

    `compared` counts the settled claims, `agreed` those of them with the judge's verdict, `blind` those that every
    reviewer labelled blind. `tied` counts claims on which reviewers disagree, `unlabelled` those without a label.
    `mistakes` are in the order of the queue. `more` is None if more labels cannot help or there is no estimate.
    """

    check: SpotCheck
    claims: int
    compared: int
    agreed: int
    blind: int
    tied: int
    unlabelled: int
    mistakes: tuple[Mistake, ...]
    scores: tuple[FoundScore, ...]
    more: MoreLabels | None


def get_check_result(store: Store, spot_check_id: int) -> CheckResult:
    """Return the result of a spot-check so far; cached until one of its runs or its labels change.

    Raises:
        NotFound: there is no such spot-check.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    states = tuple(revisions.list_revisions(store.db, check.run_ids).values())
    drawn = spot_checks.get_queue_progress(store.db, spot_check_id).items
    return store.cache.get("check result", spot_check_id, (states, drawn), lambda: _compute_result(store, check))


def _compute_result(store: Store, check: SpotCheck) -> CheckResult:
    items = spot_checks.list_items(store.db, check.spot_check_id)
    verdicts: dict[ClaimRef, Verdict] = {}
    history = {}
    for run_id in {item.place.run_id for item in items}:
        for claim, _ in spot_checks.list_drawn_claims(store.db, run_id, spot_check_id=check.spot_check_id):
            place = ClaimRef(run_id=run_id, row=claim.row, claim_number=claim.number)
            verdicts[place] = Verdict(claim.verdict)
        rows = [item.place.row for item in items if item.place.run_id == run_id]
        history[run_id] = stored_labels.list_labels_between(store.db, run_id, min(rows), max(rows))
    outcomes = Counter[str]()
    mistakes = []
    for item in items:
        place = item.place
        if place not in verdicts:  # its answer was judged again
            continue
        outcomes["claims"] += 1
        judged = verdicts[place]
        on_claim = [
            label for label in history[place.run_id].get(place.row, ()) if label.claim_number == place.claim_number
        ]
        people = people_in_check(check, judged, on_claim)
        if people is None:
            outcomes["unlabelled"] += 1
        elif not people.is_settled:
            outcomes["tied"] += 1
        else:
            outcomes["compared"] += 1
            outcomes["blind"] += all(label.is_blind for label in labels_in_check(check, on_claim))
            if people.verdict is judged:
                outcomes["agreed"] += 1
            else:
                mistakes.append(Mistake(place=place, text=item.text, judged=judged, people=people.verdict))
    scores = _found_scores(store, check)
    return CheckResult(
        check=check,
        claims=outcomes["claims"],
        compared=outcomes["compared"],
        agreed=outcomes["agreed"],
        blind=outcomes["blind"],
        tied=outcomes["tied"],
        unlabelled=outcomes["unlabelled"],
        mistakes=tuple(mistakes),
        scores=scores,
        more=_more(store, check, scores),
    )


def _found_scores(store: Store, check: SpotCheck, *, half_width: float = HALF_WIDTH) -> tuple[FoundScore, ...]:
    found = []
    for run_id in check.run_ids:
        try:
            name = get_run(store, run_id).name
            correction = correct_by_check(store, run_id, check.spot_check_id, half_width=half_width)
        except NotFound:  # the run was deleted, or its draw no longer corrects a score
            continue
        found.append(FoundScore(correction=correction, run_id=run_id, run_name=name))
    return tuple(found)


def _more(store: Store, check: SpotCheck, scores: Sequence[FoundScore]) -> MoreLabels | None:
    estimates = [found.correction.score for found in scores if isinstance(found.correction.score, CorrectedScore)]
    if not estimates or len(estimates) < len(scores):
        return None
    for half_width in _TARGETS:
        if all(score.sampling_half_width <= half_width for score in estimates):
            continue
        needed = [found.correction.needed for found in _found_scores(store, check, half_width=half_width)]
        if labels := sum(filter(None, needed)):
            return MoreLabels(labels=labels, half_width=half_width)
    return None


def expected_half_width(store: Store, check: SpotCheck) -> float | None:
    """Return about half the final width of a random spot-check's interval; of several runs, the widest.

    It is None if a run was deleted.
    """
    return _widest(store, Counter(item.place.run_id for item in spot_checks.list_items(store.db, check.spot_check_id)))


def foreseen_half_width(store: Store, run_ids: Sequence[str], labels: int) -> float | None:
    """Return `expected_half_width` of a spot-check with this many labels that is not drawn yet."""
    return _widest(store, draws.share_labels(store, run_ids, labels))


def _widest(store: Store, labels: Mapping[str, float]) -> float | None:
    try:
        return draws.half_width_for(store, labels) if labels else None
    except FaithViewError:  # the run was judged again or deleted in the meantime
        return None
