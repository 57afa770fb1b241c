"""A judge's agreement with people on one run, as the JSON document that `faithview agreement --json` prints."""

from dataclasses import dataclass
from typing import Any

from faithview.services.container import Services
from faithview.services.judge_quality.judged_labels import judged_labels
from faithview.services.results.runs import get_summary
from faithview.services.review.corrected_score import Correction, correct_run, said_beside
from faithview.stats import judge_quality
from faithview.stats.judge_quality import JudgeFigures
from faithview.stats.prediction_powered import CorrectedScore, Estimate, NotEnoughLabels
from faithview.stats.shares import Share
from faithview.store.judge_quality import settled_claims
from faithview.wording.judge_rates import not_known

_RATES = ("accuracy", "sensitivity", "specificity", "precision")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementDocument:
    """The document and what its words need.

    `figures` are those behind it, `beside` the sentences beside the corrected score, and `reason` says why it has none;
    None where it has one.
    """

    document: dict[str, Any]
    figures: JudgeFigures
    beside: list[str]
    reason: str | None


def agreement_document(services: Services, reference: str) -> AgreementDocument:
    """Return a run's agreement with people's labels as a document.

    The figures are those of the page Judges. `basis` says what they rest on: "spot_check" is labels of a spot-check (or
    of all claims), each weighing 1 / its inclusion probability, and `used_claims` counts them. Without a spot-check
    ("flagged", "chosen") the figures are about the labelled claims alone, `sensitivity` and `specificity` are None, and
    `not_known` says why. `weighted` is true where the weights differ. `rates` has each share with its 95 % interval and
    the counts behind it. `confusion` has plain counts of labels, `confusion_shares` the weighted shares.

    Raises:
        NotFound: there is no such run.
    """
    summary = get_summary(services, reference)
    run_ids = [summary.run.run_id]
    settled = settled_claims.list_settled_claims(services.db, run_ids)
    missed = settled_claims.list_missed_claims(services.db, run_ids)
    figures = judge_quality.judge_figures(judged_labels(settled, missed))
    rates = figures.rates
    correction = correct_run(services, summary.run.run_id)
    document = {
        "labelled_claims": len(settled),
        "accuracy": None if rates is None else rates.accuracy.value,
        "cohen_kappa": figures.kappa.value,
        "confusion": {} if figures.confusion is None else figures.confusion.counts,
        "judge_faithfulness": summary.score.mean,
        "human_corrected": corrected_document(correction),
        "weighted": figures.is_weighted,
        "sensitivity": None if rates is None else rates.sensitivity.value,
        "specificity": None if rates is None else rates.specificity.value,
        "precision": None if rates is None else rates.precision.value,
        "missed_claims": figures.missed,
        "used_claims": figures.used,
        "basis": None if figures.basis is None else figures.basis.value,
        "not_known": not_known(figures.basis),
        "rates": {} if rates is None else {name: _share(getattr(rates, name)) for name in _RATES},
        "confusion_shares": {} if figures.confusion is None else figures.confusion.shares,
    }
    return AgreementDocument(
        document=document, figures=figures, beside=said_beside(correction), reason=why_not_corrected(correction)
    )


def _share(share: Share) -> dict[str, Any]:
    interval = share.interval
    return {
        "value": share.value,
        "ci": None if interval is None else [interval.low, interval.high],
        "counted": share.hits,
        "labelled": share.labels,
    }


def corrected_document(correction: Correction | None) -> dict[str, Any]:
    """Return the corrected score as a document; the estimate is None where there is none.

    `n` counts the labelled units, claims or answers as `unit` says; `labels` the claims on which people settled and
    `labelled_rows` the answers that they are part of. `tied` and `skipped` count drawn claims without a settled label,
    which the interval allows for. `lambda` says how much of the judge is used, in [0, 1]; at 0 the estimate is
    `labels_only`. `trust` says how often reviewers differ, and `target` how far the mean over answers can be.
    """
    score = None if correction is None else correction.score
    estimated = score if isinstance(score, CorrectedScore) else None
    document: dict[str, Any] = dict.fromkeys(("estimate", "ci", "method", "trust", "target"))
    if correction is not None and estimated is not None:
        errors = correction.errors
        document = {
            "estimate": estimated.corrected.score,
            "ci": _ends(estimated.corrected),
            "method": "ppi++" if estimated.tuning > 0 else "labels-only",
            "trust": {
                "reviewers": len(errors.reviewers),
                "in_common": errors.in_common,
                "differing": errors.differing,
                "single": errors.single,
                "count_as_truth": not errors.is_known,
            },
            "target": {"no_claims": correction.no_claims, "mean_over_answers_within": correction.answers_apart},
        }
    is_final = correction is not None and correction.is_final
    return {
        **document,
        "labelled_rows": 0 if correction is None else correction.labelled_rows,
        "interval": None if estimated is None else "fixed" if is_final else "anytime",
        "labels": 0 if correction is None else correction.labels,
        "unit": None if correction is None else str(correction.check.design["unit"]),
        "n": None if score is None else score.labelled,
        "tied": 0 if correction is None else correction.disagreements,
        "skipped": 0 if correction is None else correction.skipped,
        "lambda": None if estimated is None else estimated.tuning,
        "labels_only": None if estimated is None else estimated.labels_only.score,
        "labels_only_ci": None if estimated is None else _ends(estimated.labels_only),
    }


def _ends(estimate: Estimate) -> list[float]:
    return [estimate.interval.low, estimate.interval.high]


def why_not_corrected(correction: Correction | None) -> str | None:
    """Return a sentence saying why there is no corrected score; None where there is one."""
    if correction is None:
        return (
            "No spot-check was drawn from this run, so the judge's score cannot be corrected: labels given outside a "
            "spot-check are no random sample. Draw one on the Queue page or with `faithview spot-check draw`."
        )
    return correction.score.message if isinstance(correction.score, NotEnoughLabels) else None
