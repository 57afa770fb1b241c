"""A judge's agreement with people on one run, as the JSON document that `faithview agreement --json` prints."""

from dataclasses import dataclass

from faithview.documents.agreement import (
    AgreementDocument,
    CorrectedTarget,
    HumanCorrected,
    LabelledShare,
    ReviewerTrust,
)
from faithview.services.container import Services
from faithview.services.judge_quality.judged_labels import judged_labels
from faithview.services.results.runs import get_summary
from faithview.services.review.corrected_score import Correction, correct_run, said_beside
from faithview.stats import judge_quality
from faithview.stats.judge_quality import JudgeFigures
from faithview.stats.prediction_powered import CorrectedScore, NotEnoughLabels
from faithview.store.judge_quality import settled_claims
from faithview.wording.judge_rates import not_known

_RATES = ("accuracy", "sensitivity", "specificity", "precision")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A run's agreement with people's labels as a document, and what its words need.

    `figures` are those behind it, `beside` the sentences beside the corrected score, and `reason` says why it has none;
    None where it has one.
    """

    document: AgreementDocument
    figures: JudgeFigures
    beside: list[str]
    reason: str | None


def agreement_document(services: Services, reference: str) -> Agreement:
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
    correction = correct_run(services, summary.run.run_id)
    rates = figures.rates
    shares = {} if rates is None else {name: LabelledShare.of(getattr(rates, name)) for name in _RATES}
    document = AgreementDocument.of(
        figures,
        labelled_claims=len(settled),
        confusion={} if figures.confusion is None else figures.confusion.counts,
        confusion_shares={} if figures.confusion is None else figures.confusion.shares,
        judge_faithfulness=summary.score.mean,
        human_corrected=corrected_document(correction),
        not_known=not_known(figures.basis),
        rates=shares,
        **{name: share.value for name, share in shares.items()},
    )
    return Agreement(
        document=document, figures=figures, beside=said_beside(correction), reason=why_not_corrected(correction)
    )


def corrected_document(correction: Correction | None) -> HumanCorrected:
    """Return the corrected score as a document; the estimate is None where there is none.

    `n` counts the labelled units, claims or answers as `unit` says; `labels` the claims on which people settled and
    `labelled_rows` the answers that they are part of. `tied` and `skipped` count drawn claims without a settled label,
    which the interval allows for. `lambda` says how much of the judge is used, in [0, 1]; at 0 the estimate is
    `labels_only`. `trust` says how often reviewers differ, and `target` how far the mean over answers can be.
    """
    if correction is None:
        return HumanCorrected()
    score, errors = correction.score, correction.errors
    counts = {"unit": str(correction.check.design["unit"]), "n": score.labelled}
    if not isinstance(score, CorrectedScore):
        return HumanCorrected.of(correction, **counts)
    return HumanCorrected.of(
        correction,
        **counts,
        estimate=score.corrected.score,
        ci=score.corrected.interval,
        method="ppi++" if score.tuning > 0 else "labels-only",
        trust=ReviewerTrust.of(errors, reviewers=len(errors.reviewers), count_as_truth=not errors.is_known),
        target=CorrectedTarget(no_claims=correction.no_claims, mean_over_answers_within=correction.answers_apart),
        interval="fixed" if correction.is_final else "anytime",
        tuning=score.tuning,
        labels_only=score.labels_only.score,
        labels_only_ci=score.labels_only.interval,
    )


def why_not_corrected(correction: Correction | None) -> str | None:
    """Return a sentence saying why there is no corrected score; None where there is one."""
    if correction is None:
        return (
            "No spot-check was drawn from this run, so the judge's score cannot be corrected: labels given outside a "
            "spot-check are no random sample. Draw one on the Queue page or with `faithview spot-check draw`."
        )
    return correction.score.message if isinstance(correction.score, NotEnoughLabels) else None
