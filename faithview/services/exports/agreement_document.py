"""A judge's agreement with people on one run, as the JSON document that `faithview agreement --json` prints."""

from dataclasses import dataclass
from typing import Any

from faithview.services.container import Services
from faithview.services.judge_quality.judged_labels import judged_labels
from faithview.services.results.runs import get_summary
from faithview.services.review.corrected_score import Correction, correct_run, said_beside
from faithview.stats import judge_quality
from faithview.stats.judge_quality import JudgeFigures
from faithview.stats.prediction_powered import NotEnoughLabels
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
    """Return the corrected score as a document; the estimate is None where there is none."""
    rows = 0 if correction is None else correction.labelled_rows
    if correction is None or isinstance(correction.score, NotEnoughLabels):
        nothing = {"estimate": None, "ci": None, "method": None, "labelled_rows": rows, "interval": None}
        return {**nothing, "labels": None, "target": None}
    score = correction.score
    interval = score.corrected.interval
    return {
        "estimate": score.corrected.score,
        "ci": [interval.low, interval.high],
        "method": "ppi++" if score.tuning > 0 else "labels-only",
        "labelled_rows": rows,
        "interval": "fixed" if correction.is_final else "anytime",
        "labels": {
            "reviewers": len(correction.errors.reviewers),
            "in_common": correction.errors.in_common,
            "differing": correction.errors.differing,
            "single": correction.errors.single,
            "count_as_truth": not correction.errors.is_known,
        },
        "target": {"no_claims": correction.no_claims, "mean_over_answers_within": correction.answers_apart},
    }


def why_not_corrected(correction: Correction | None) -> str | None:
    """Return a sentence saying why there is no corrected score; None where there is one."""
    if correction is None:
        return (
            "No spot-check was drawn from this run, so the judge's score cannot be corrected: labels given outside a "
            "spot-check are no random sample. Draw one on the Queue page or with `faithview spot-check draw`."
        )
    return correction.score.message if isinstance(correction.score, NotEnoughLabels) else None
