"""A judge's agreement with people on one run, as the JSON document that `faithview agreement --json` prints."""

from dataclasses import dataclass
from typing import Any

from faithview.services.container import Services
from faithview.services.judge_quality.judged_labels import judged_labels
from faithview.services.results.runs import get_summary
from faithview.services.review.corrected_score import Correction, correct_run
from faithview.stats import judge_quality
from faithview.stats.prediction_powered import CorrectedScore, Estimate, NotEnoughLabels
from faithview.store.judge_quality import settled_claims


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementDocument:
    """The document, and a sentence saying why it has no corrected score; None where it has one."""

    document: dict[str, Any]
    reason: str | None


def agreement_document(services: Services, reference: str) -> AgreementDocument:
    """Return a run's agreement with people's labels as a document.

    Labels of a spot-check weigh 1 / their inclusion probability, as on the page Judges; `weighted` is true where the
    weights differ. `confusion` has plain counts of labels, `confusion_shares` the weighted shares.

    Raises:
        NotFound: there is no such run.
    """
    summary = get_summary(services, reference)
    labels = judged_labels(settled_claims.list_settled_claims(services.db, [summary.run.run_id]))
    figures = judge_quality.judge_figures(labels)
    correction = correct_run(services, summary.run.run_id)
    document = {
        "labelled_claims": len(labels),
        "accuracy": None if figures.rates is None else figures.rates.accuracy.value,
        "cohen_kappa": figures.kappa.value,
        "confusion": {} if figures.confusion is None else figures.confusion.counts,
        "judge_faithfulness": summary.score.mean,
        "human_corrected": corrected_document(correction),
        "weighted": figures.is_weighted,
        "sensitivity": None if figures.rates is None else figures.rates.sensitivity.value,
        "specificity": None if figures.rates is None else figures.rates.specificity.value,
        "confusion_shares": {} if figures.confusion is None else figures.confusion.shares,
    }
    return AgreementDocument(document=document, reason=why_not_corrected(correction))


def corrected_document(correction: Correction | None) -> dict[str, Any]:
    """Return the corrected score as a document; the estimate is None where there is none.

    `n` counts the labelled units, claims or answers as `unit` says; `labels` the claims on which people settled and
    `labelled_rows` the answers that they are part of. `tied` and `skipped` count drawn claims without a settled label,
    which the interval allows for. `lambda` says how much of the judge is used, in [0, 1]; at 0 the estimate is
    `labels_only`.
    """
    score = None if correction is None else correction.score
    estimated = score if isinstance(score, CorrectedScore) else None
    document: dict[str, Any] = dict.fromkeys(("estimate", "ci", "method"))
    if estimated is not None:
        document = {
            "estimate": estimated.corrected.score,
            "ci": _ends(estimated.corrected),
            "method": "ppi++" if estimated.tuning > 0 else "labels-only",
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
