"""The result of a spot-check: agreement of reviewers and judge, the judge's mistakes by kind, the score, next steps.

It reveals the judge's verdicts, so a page shows it only when all claims are labelled. Before the first label, only the
expected width of the interval is known.

"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.label import Label
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.review import queue
from faithview.services.review.corrected_score import (
    HALF_WIDTH,
    Correction,
    correct_by_check,
    correct_run,
    score_list,
)
from faithview.services.review.spot_check_sample import labels_in_check, people_in_check
from faithview.services.review.spot_checks import width_for
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.stats.precision import half_width_for
from faithview.stats.spot_check import Unit
from faithview.store import revisions, spot_check_claims, spot_checks

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
    """The score of a run by a spot-check, or of its list of claims (`run_id` and `run_name` are then None)."""

    correction: Correction
    run_id: str | None = None
    run_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreLabels:
    """About how many more labels narrow the interval of each score to +- `half_width`; `is_all`: the whole population.

    `labels` counts over all runs.
    """

    labels: int
    half_width: float
    is_all: bool


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
    # Another spot-check of a run may have more labels.
    newest = revisions.newest_spot_check(store.db)
    return store.cache.get(
        "check result", spot_check_id, (states, drawn, newest), lambda: _compute_result(store, check)
    )


def _compute_result(store: Store, check: SpotCheck) -> CheckResult:
    claims, check_id = 0, check.spot_check_id
    labels: dict[str, dict[tuple[int, int | None], list[Label]]] = {}
    verdicts: dict[ClaimRef, Verdict] = {}
    for run_id in check.run_ids:
        labels[run_id] = spot_check_claims.list_labels_of_check(store.db, run_id, spot_check_id=check_id)
        for fact in spot_check_claims.list_claim_columns(store.db, run_id, spot_check_id=check_id, drawn_only=True):
            verdicts[ClaimRef(run_id=run_id, row=fact.row, claim_number=fact.number)] = Verdict(fact.verdict)
    compared = agreed = blind = tied = unlabelled = 0
    mistakes = []
    for item in spot_checks.list_items(store.db, check_id):
        place = queue.place_of(item)
        if place not in verdicts:
            continue
        claims += 1
        judged = verdicts[place]
        given = labels[place.run_id].get((place.row, place.claim_number), [])
        people = people_in_check(judged, given, spot_check_id=check_id)
        if people is None:
            unlabelled += 1
        elif not people.is_settled:
            tied += 1
        else:
            compared += 1
            agreed += people.verdict is judged
            blind += all(label.is_blind for label in labels_in_check(given, spot_check_id=check_id))
            if people.verdict is not judged:
                mistakes.append(Mistake(place=place, text=item.text, judged=judged, people=people.verdict))
    scores = _found_scores(store, check)
    return CheckResult(
        check=check,
        claims=claims,
        compared=compared,
        agreed=agreed,
        blind=blind,
        tied=tied,
        unlabelled=unlabelled,
        mistakes=tuple(mistakes),
        scores=scores,
        more=_more(store, check, scores),
    )


def _found_scores(store: Store, check: SpotCheck, *, half_width: float = HALF_WIDTH) -> tuple[FoundScore, ...]:
    if check.population is not None:
        try:
            return (FoundScore(correction=score_list(store, check.spot_check_id, half_width=half_width)),)
        except NotFound:  # its claims were deleted
            return ()
    found = []
    for run_id in check.run_ids:
        try:
            name = get_run(store, run_id).name
        except NotFound:  # the run was deleted
            continue
        correction = correct_run(store, run_id, half_width=half_width)
        if correction is None or correction.check.spot_check_id != check.spot_check_id:
            correction = correct_by_check(store, run_id, check.spot_check_id, half_width=half_width)
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
        missing = [part for part in needed if part is not None and part.labels]
        if missing:
            return MoreLabels(
                labels=sum(part.labels for part in missing),
                half_width=half_width,
                is_all=all(part.is_all for part in missing),
            )
    return None


def expected_half_width(store: Store, check: SpotCheck) -> float | None:
    """Return about half the final width of the spot-check's interval; of several runs, the widest.

    It is 0 if every claim was drawn, and None if a run was deleted.
    """
    if check.population is not None:
        state = spot_checks.get_list_state(store.db, check.spot_check_id)
        judge = np.arange(state.claims) < state.supported
        return half_width_for(np.ones(len(judge)), judge, state.drawn)
    drawn = Counter(item.drawn.run_id for item in spot_checks.list_items(store.db, check.spot_check_id))
    return _widest(store, drawn, Unit(str(check.design["unit"])))


def foreseen_half_width(store: Store, run_ids: Sequence[str], labels: int, *, unit: Unit) -> float | None:
    """Return `expected_half_width` of a spot-check with this many labels that is not drawn yet.

    Labels are shared among the runs as `spot_checks.draw` shares them: by their claims.
    """
    runs = [get_run(store, reference).run_id for reference in dict.fromkeys(run_ids)]
    claims = spot_checks.count_claims_of_runs(store.db, runs)
    total = sum(claims.values())
    if not total:
        return None
    return _widest(store, {run_id: labels * number / total for run_id, number in claims.items()}, unit)


def _widest(store: Store, drawn: Mapping[str, float], unit: Unit) -> float | None:
    """Return the width of the run whose interval is the widest, given the labels in each run."""
    try:
        return max((width_for(store, run_id, labels, unit=unit) for run_id, labels in drawn.items()), default=None)
    except FaithViewError:  # the run was judged again or deleted in the meantime
        return None
