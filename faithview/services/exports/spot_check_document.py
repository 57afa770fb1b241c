"""Spot-checks as the JSON documents that `faithview spot-check` prints."""

from faithview.documents.spot_checks import (
    DrawnDocument,
    DrawnItem,
    ListedSpotCheck,
    ListScore,
    SpotCheckDocument,
    SpotCheckRun,
    SpotChecksDocument,
)
from faithview.domain.errors import NotFound
from faithview.domain.spot_check import UNITS, SpotCheck
from faithview.services.container import Services
from faithview.services.exports.agreement_document import corrected_document, why_not_corrected
from faithview.services.results.runs import get_run
from faithview.services.review import queue
from faithview.services.review.checks.listed_score import score_list
from faithview.services.review.corrected_score import Correction, correct_by_check, said_beside
from faithview.services.review.spot_check_design import Strata
from faithview.stats.spot_check import Unit

UNIT_OF = dict(zip(UNITS, (Unit.CLAIM, Unit.ANSWER), strict=True))


def drawn_document(services: Services, spot_check_id: int) -> DrawnDocument:
    """Return a spot-check with every claim that it drew, in the order of the queue, without the judge's verdicts.

    Raises:
        NotFound: there is no such spot-check.
    """
    check = queue.get_spot_check(services, spot_check_id)
    return DrawnDocument.of(check, **_design(check), items=_items(services, spot_check_id))


def spot_check_document(services: Services, spot_check_id: int) -> SpotCheckDocument:
    """Return a spot-check with its progress and, for each of its runs, the corrected score or why there is none.

    For a spot-check of listed claims it is instead the share of the list that people call supported, as `list_score`.

    Raises:
        NotFound: there is no such spot-check.
    """
    progress = queue.get_queue_progress(services, spot_check_id)
    check = queue.get_spot_check(services, spot_check_id)
    is_list = check.population is not None
    return SpotCheckDocument.of(
        check,
        **_design(check),
        items=_items(services, spot_check_id),
        progress=progress,
        runs=[] if is_list else [_run(services, i, spot_check_id) for i in check.run_ids],
        list_score=_list_score(services, spot_check_id) if is_list else None,
    )


def list_document(services: Services) -> SpotChecksDocument:
    """Return all spot-checks with their progress, newest first."""
    return SpotChecksDocument(
        spot_checks=[
            ListedSpotCheck.of(
                check, **_design(check), progress=queue.get_queue_progress(services, check.spot_check_id)
            )
            for check in queue.list_spot_checks(services)
        ]
    )


def _design(check: SpotCheck) -> dict[str, object]:
    design = check.design
    is_stratified = design.get("strata", Strata.NONE.value) != Strata.NONE.value
    return {
        "unit": next(word for word, unit in UNIT_OF.items() if unit.value == design["unit"]),
        "design": "uncertain" if design.get("prefers_uncertain") else "stratified" if is_stratified else "random",
        "seed": design.get("seed"),
    }


def _items(services: Services, spot_check_id: int) -> list[DrawnItem]:
    return [
        DrawnItem.of(item, claim_id=f"{item.drawn.run_id}-{item.drawn.row}-{item.drawn.claim_number}")
        for item in queue.list_items(services, spot_check_id)
    ]


def _list_score(services: Services, spot_check_id: int) -> ListScore:
    try:
        correction = score_list(services, spot_check_id)
    except NotFound as error:
        return ListScore(claims=0, human_corrected=corrected_document(None), reason=str(error), beside=[])
    return ListScore.of(correction, claims=correction.answers, **_scored(correction))


def _run(services: Services, run_id: str, spot_check_id: int) -> SpotCheckRun:
    try:
        name, correction = get_run(services, run_id).name, correct_by_check(services, run_id, spot_check_id)
    except NotFound:
        reason = "This run was deleted."
        return SpotCheckRun(
            run_id=run_id, name=None, human_corrected=corrected_document(None), reason=reason, beside=[]
        )
    return SpotCheckRun.of(correction, run_id=run_id, name=name, **_scored(correction))


def _scored(correction: Correction) -> dict[str, object]:
    return {
        "human_corrected": corrected_document(correction),
        "reason": why_not_corrected(correction),
        "beside": said_beside(correction),
    }
