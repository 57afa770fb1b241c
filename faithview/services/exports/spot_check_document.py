"""Spot-checks as the JSON documents that `faithview spot-check` prints."""

from types import MappingProxyType
from typing import Any

from faithview.domain.errors import NotFound
from faithview.domain.spot_check import UNITS, QueueItem, QueueProgress, SpotCheck
from faithview.services.container import Services
from faithview.services.exports.agreement_document import corrected_document, why_not_corrected
from faithview.services.results.runs import get_run
from faithview.services.review import queue
from faithview.services.review.checks.listed_score import score_list
from faithview.services.review.corrected_score import Correction, correct_by_check, said_beside
from faithview.services.review.spot_check_design import Strata
from faithview.stats.spot_check import Unit

UNIT_OF = dict(zip(UNITS, (Unit.CLAIM, Unit.ANSWER), strict=True))
_NOTHING = MappingProxyType({"labelled": 0, "disagreements": 0, "skipped": 0})


def drawn_document(services: Services, spot_check_id: int) -> dict[str, Any]:
    """Return a spot-check with every claim that it drew, in the order of the queue, without the judge's verdicts.

    Raises:
        NotFound: there is no such spot-check.
    """
    check = queue.get_spot_check(services, spot_check_id)
    return {**_check(check), "items": [_item(item) for item in queue.list_items(services, spot_check_id)]}


def spot_check_document(services: Services, spot_check_id: int) -> dict[str, Any]:
    """Return a spot-check with its progress and, for each of its runs, the corrected score or why there is none.

    For a spot-check of listed claims it is instead the share of the list that people call supported, as `list_score`.

    Raises:
        NotFound: there is no such spot-check.
    """
    progress = queue.get_queue_progress(services, spot_check_id)
    drawn = drawn_document(services, spot_check_id)
    if drawn["population"] is not None:
        return {**drawn, **_progress(progress), "runs": [], "list_score": _list_score(services, spot_check_id)}
    return {**drawn, **_progress(progress), "runs": [_run(services, i, spot_check_id) for i in drawn["run_ids"]]}


def list_document(services: Services) -> list[dict[str, Any]]:
    """Return all spot-checks with their progress, newest first."""
    return [
        {**_check(check), **_progress(queue.get_queue_progress(services, check.spot_check_id))}
        for check in queue.list_spot_checks(services)
    ]


def _check(check: SpotCheck) -> dict[str, Any]:
    design = check.design
    is_stratified = design.get("strata", Strata.NONE.value) != Strata.NONE.value
    return {
        "spot_check_id": check.spot_check_id,
        "run_ids": list(check.run_ids),
        "unit": next(word for word, unit in UNIT_OF.items() if unit.value == design["unit"]),
        "design": "uncertain" if design.get("prefers_uncertain") else "stratified" if is_stratified else "random",
        "seed": design.get("seed"),
        "name": check.name,
        "blind": check.is_blind,
        "created_at": check.created_at.isoformat(),
        "created_by": check.created_by,
        "reviewers_per_item": check.reviewers_per_item,
        "population": check.population,
    }


def _item(item: QueueItem) -> dict[str, Any]:
    drawn = item.drawn
    return {
        "claim_id": f"{drawn.run_id}-{drawn.row}-{drawn.claim_number}",
        "run_id": drawn.run_id,
        "key": item.key,
        "inclusion_probability": drawn.inclusion_probability,
        "text": item.text,
    }


def _progress(progress: QueueProgress) -> dict[str, Any]:
    return {"claims": progress.items, "labelled": progress.done, "by_reviewer": dict(progress.by_reviewer)}


def _list_score(services: Services, spot_check_id: int) -> dict[str, Any]:
    try:
        correction = score_list(services, spot_check_id)
    except NotFound as error:
        return {
            "claims": 0,
            **_NOTHING,
            "human_corrected": corrected_document(None),
            "reason": str(error),
            "beside": [],
        }
    return {"claims": correction.answers, **_scored(correction)}


def _run(services: Services, run_id: str, spot_check_id: int) -> dict[str, Any]:
    try:
        name, correction = get_run(services, run_id).name, correct_by_check(services, run_id, spot_check_id)
    except NotFound:
        return {
            "run_id": run_id,
            "name": None,
            **_NOTHING,
            "human_corrected": corrected_document(None),
            "reason": "This run was deleted.",
            "beside": [],
        }
    return {"run_id": run_id, "name": name, **_scored(correction)}


def _scored(correction: Correction) -> dict[str, Any]:
    return {
        "labelled": correction.labels,
        "disagreements": correction.disagreements,
        "skipped": correction.skipped,
        "human_corrected": corrected_document(correction),
        "reason": why_not_corrected(correction),
        "beside": said_beside(correction),
    }
