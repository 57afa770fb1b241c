"""The result of a spot-check: agreement of reviewers and judge, the judge's mistakes by kind, the score, next steps.

It reveals the judge's verdicts, so a page shows it only when all claims are labelled.
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.review.corrected_score import (
    Correction,
    correct_by_check,
    labels_in_check,
    labels_of_claims,
    people_in_check,
)
from faithview.stats.corrected_score import CorrectedScore
from faithview.store import revisions, spot_checks


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
class CheckResult:
    """The result of a spot-check.

    `compared` counts the settled claims, `agreed` those of them with the judge's verdict, `blind` those that every
    reviewer labelled blind. `tied` counts claims on which reviewers disagree, `unlabelled` those without a label.
    `mistakes` are in the order of the queue. `scores` are of its runs, except deleted ones. About `needed` more labels,
    over all runs, narrow the interval of each score to +- `half_width`; 0 if more labels cannot help or a score is
    missing.
    """

    check: SpotCheck
    claims: int
    compared: int
    agreed: int
    blind: int
    tied: int
    unlabelled: int
    mistakes: tuple[Mistake, ...]
    scores: tuple[Correction, ...]
    needed: int
    half_width: float


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
    scores = []
    outcomes = Counter[str]()
    mistakes: dict[int, Mistake] = {}
    items = {item.place: item for item in spot_checks.list_items(store.db, check.spot_check_id)}
    for run_id in check.run_ids:
        claims = [c for c, _ in spot_checks.list_drawn_claims(store.db, run_id, spot_check_id=check.spot_check_id)]
        for claim, labels in zip(claims, labels_of_claims(store, run_id, claims), strict=True):
            judged, people = Verdict(claim.verdict), people_in_check(check, Verdict(claim.verdict), labels)
            if people is None or not people.is_settled:
                outcomes["unlabelled" if people is None else "tied"] += 1
                continue
            outcomes["compared"] += 1
            outcomes["blind"] += all(label.is_blind for label in labels_in_check(check, labels))
            if people.verdict is not judged:
                item = items[ClaimRef(run_id=run_id, row=claim.row, claim_number=claim.number)]
                found = Mistake(place=item.place, text=item.text, judged=judged, people=people.verdict)
                mistakes[item.position] = found
        try:
            scores.append(correct_by_check(store, run_id, check))
        except NotFound:  # the run was deleted, or its draw no longer corrects a score
            continue
    is_known = all(isinstance(found.score, CorrectedScore) for found in scores)
    half_width = max((found.half_width for found in scores if found.needed), default=0.0)
    return CheckResult(
        check=check,
        claims=outcomes["compared"] + outcomes["tied"] + outcomes["unlabelled"],
        compared=outcomes["compared"],
        agreed=outcomes["compared"] - len(mistakes),
        blind=outcomes["blind"],
        tied=outcomes["tied"],
        unlabelled=outcomes["unlabelled"],
        mistakes=tuple(mistakes[position] for position in sorted(mistakes)),
        scores=tuple(scores),
        needed=sum(found.needed for found in scores if found.half_width == half_width) if is_known else 0,
        half_width=half_width,
    )
