"""JSON documents that need several records: agreement and spot-checks."""

from collections.abc import Mapping
from typing import Any

from faithview.domain.errors import NotFound
from faithview.domain.scoring import Interval
from faithview.domain.spot_check import Design, SpotCheck
from faithview.services.container import Store
from faithview.services.judge_quality.scorecards import measure_judge
from faithview.services.results import get_summary
from faithview.services.review.corrected_score import Correction, correct_by_check, correct_run
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.stats.judge_quality import JudgeFigures
from faithview.store import spot_checks
from faithview.store.schema.runs import public_claim_id
from faithview.wording.judge_rates import not_known


def agreement_document(store: Store, reference: str) -> tuple[dict[str, Any], JudgeFigures, str | None]:
    """Return a run's agreement with reviewers' labels, the figures behind it, and why it has no corrected score.

    The figures are those of the page Judges. If a spot-check was labelled they use its labels alone, each weighted by
    1 / its inclusion probability, and `used_claims` counts them. If none was, they describe the labelled claims alone,
    `sensitivity` and `specificity` are None, and `not_known` says why. `weighted` is true if the weights differ.
    `rates` has each share with its 95% interval and the counts behind it. `confusion` has plain counts of labels.

    Raises:
        NotFound: there is no such run.
    """
    summary = get_summary(store, reference)
    settled, figures = measure_judge(store, [summary.run.run_id])
    correction = correct_run(store, summary.run.run_id)
    rates = {name: getattr(figures, name) for name in ("accuracy", "sensitivity", "specificity", "precision")}
    document = {
        "labelled_claims": len(settled),
        "accuracy": figures.accuracy.value,
        "cohen_kappa": figures.kappa.value,
        "confusion": figures.confusion,
        "judge_faithfulness": summary.score.mean,
        "human_corrected": _corrected(correction),
        "weighted": figures.is_weighted,
        "sensitivity": figures.sensitivity.value,
        "specificity": figures.specificity.value,
        "precision": figures.precision.value,
        "missed_claims": figures.missed,
        "used_claims": figures.used,
        "not_known": not_known(figures),
        "rates": {
            name: {"value": rate.value, "ci": _ends(rate.interval), "counted": rate.hits, "labelled": rate.labels}
            for name, rate in rates.items()
            if figures.used
        },
    }
    return document, figures, _why_not_corrected(correction)


def _corrected(correction: Correction | None) -> dict[str, Any]:
    """Return the corrected score, with None as estimate if there is none.

    `n` counts the labelled claims that the estimate uses; `labels` the claims with a settled verdict and
    `labelled_rows` the answers that they are part of. `tied` and `skipped` count drawn claims without a settled label,
    which the interval allows for. `lambda` says how far the estimate relies on the judge, in [0, 1]; at 0 it equals
    `labels_only`.
    """
    score = None if correction is None else correction.score
    found = score if isinstance(score, CorrectedScore) else None
    method = None
    if correction is not None and found is not None:
        is_balanced = correction.check.design.get("design") == Design.BALANCED
        method = "ppi++" if found.tuning > 0 else "stratified" if is_balanced else "labels-only"
    return {
        "estimate": None if found is None else found.corrected.score,
        "ci": None if found is None else _ends(found.corrected.interval),
        "method": method,
        "labelled_rows": 0 if correction is None else correction.labelled_rows,
        "labels": 0 if correction is None else correction.labels,
        "n": None if score is None else score.labelled,
        "tied": 0 if correction is None else correction.disagreements,
        "skipped": 0 if correction is None else correction.skipped,
        "lambda": None if found is None else found.tuning,
        "labels_only": None if found is None else found.labels_only.score,
        "labels_only_ci": None if found is None else _ends(found.labels_only.interval),
    }


def _why_not_corrected(correction: Correction | None) -> str | None:
    """Return a sentence saying why there is no corrected score, or None."""
    if correction is None:
        return (
            "No spot-check was drawn from this run, so the judge's score cannot be corrected: labels given outside a "
            "spot-check are not a random sample. Draw one on the page Review or with `faithview spot-check draw`."
        )
    return correction.score.message if isinstance(correction.score, NotEnoughLabels) else None


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def drawn_document(store: Store, spot_check_id: int) -> dict[str, Any]:
    """Return a spot-check with every claim that it drew, in the order of the queue, without the judge's verdicts.

    Raises:
        NotFound: there is no such spot-check.
    """
    items = [
        {
            "claim_id": public_claim_id(item.place.run_id, item.place.row, item.place.claim_number),
            "run_id": item.place.run_id,
            "key": item.key,
            "inclusion_probability": item.inclusion_probability,
            "text": item.text,
        }
        for item in spot_checks.list_items(store.db, spot_check_id)
    ]
    return {**_spot_check(spot_checks.get_spot_check(store.db, spot_check_id)), "items": items}


def spot_check_document(store: Store, spot_check_id: int) -> dict[str, Any]:
    """Return a spot-check with its progress and, for each of its runs, the corrected score or why there is none.

    Raises:
        NotFound: there is no such spot-check.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    runs = [_spot_check_run(store, run_id, check) for run_id in check.run_ids]
    return {**drawn_document(store, spot_check_id), **_progress(store, spot_check_id), "runs": runs}


def list_document(store: Store) -> dict[str, Any]:
    """Return all spot-checks with their progress, newest first."""
    checks = spot_checks.list_spot_checks(store.db)
    listed = [{**_spot_check(check), **_progress(store, check.spot_check_id)} for check in checks]
    return {"spot_checks": listed}


def _spot_check(check: SpotCheck) -> dict[str, Any]:
    return {
        "spot_check_id": check.spot_check_id,
        "run_ids": list(check.run_ids),
        "design": check.design["design"],
        "seed": check.design.get("seed"),
        "name": check.name,
        "blind": check.is_blind,
        "created_at": check.created_at.isoformat(),
        "created_by": check.created_by,
        "reviewers_per_item": check.reviewers_per_item,
    }


def _progress(store: Store, spot_check_id: int) -> Mapping[str, Any]:
    progress = spot_checks.get_queue_progress(store.db, spot_check_id)
    return {"claims": progress.items, "labelled": progress.done, "by_reviewer": dict(progress.by_reviewer)}


def _spot_check_run(store: Store, run_id: str, check: SpotCheck) -> dict[str, Any]:
    """Return the corrected score of one of its runs; a run that was deleted, or has no label of it, has none."""
    correction: Correction | None = None
    try:
        correction = correct_by_check(store, run_id, check)
        reason = _why_not_corrected(correction)
    except NotFound as error:
        reason = str(error)
    return {
        "run_id": run_id,
        "name": None if correction is None else correction.run_name,
        "labelled": 0 if correction is None else correction.labels,
        "disagreements": 0 if correction is None else correction.disagreements,
        "skipped": 0 if correction is None else correction.skipped,
        "human_corrected": _corrected(correction),
        "reason": reason,
    }
