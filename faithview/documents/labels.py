"""Labels by reviewers, a judge's agreement with them, and the score corrected by them."""

from typing import Literal

from faithview.documents.base import Count, Document, Ends, Number, Part, Share, Time, entry
from faithview.domain.claim import Verdict
from faithview.domain.label import LabelRole


class LabelRow(Part):
    """A label, as `faithview labels import` reads it."""

    claim_id: str = entry('The claim\'s id; it ends in "-missed" for a claim that the judge missed.')
    verdict: Verdict | Literal["not_a_claim"] = entry("The reviewer's verdict.")
    reviewer: str = entry("The reviewer's name.")
    at: Time = entry("When it was given.")
    note: str | None = entry("The reason.")
    corrected_text: str | None = entry("What the claim should say.")
    blind: bool = entry("Whether the judge's verdict was hidden until the label was given.", "is_blind")
    role: LabelRole = entry("The role in which it was given.")
    inclusion_probability: Share | None = entry(
        "The probability with which the claim was drawn; null outside a spot-check."
    )
    given_on: str | None = entry("The id of the equal claim on which it was given; null if it was this one.")
    start: Count | None = entry("For a missed claim: where it begins in the answer.", "span.start", default=None)
    end: Count | None = entry("Where it ends; that code point is not part of it.", "span.end", default=None)
    counts: bool = entry("Whether it counts; false for a label given after a blind one.")
    seconds: Number | None = entry("How long the reviewer took, in seconds.", low=0)
    spot_check: str | None = entry("The spot-check that it was given in.")


class LabelsDocument(Document):
    """The labels of a run that count."""

    labels: list[LabelRow] = entry("The labels, by answer and claim.")


class LabelImportDocument(Document):
    """The result of importing a file of labels."""

    added: Count = entry("Labels that were stored.")
    known: Count = entry("Labels that were already stored.")
    problems: Count = entry("Rows that were left out.", "problem_count")


class HumanCorrected(Part):
    """The score corrected by a spot-check's labels."""

    estimate: Share | None = entry("The corrected score; null if there is none.", default=None)
    ci: Ends | None = entry("Its 95% interval.", default=None)
    method: Literal["ppi++", "stratified", "labels-only"] | None = entry(
        "How it is estimated: from the labels and the judge, from labels of flagged and of supported claims apart, or "
        "from the labels alone.",
        default=None,
    )
    labelled_rows: Count = entry("The answers that the labelled claims are part of.", default=0)
    labels: Count = entry("Claims with an agreed label.", default=0)
    n: Count | None = entry("The labelled claims that the estimate uses.", default=None)
    tied: Count = entry(
        "Drawn claims on which reviewers differ; the interval allows for them.", "disagreements", default=0
    )
    skipped: Count = entry("Drawn claims that reviewers skipped; the interval allows for them.", default=0)
    tuning: Share | None = entry(
        "How much of the judge the estimate uses; at 0 it is `labels_only`.", name="lambda", default=None
    )
    labels_only: Share | None = entry("The estimate from labels alone.", default=None)
    labels_only_ci: Ends | None = entry("Its 95% interval.", default=None)


class LabelledShare(Part):
    """A share with its counts."""

    value: Share | None = entry("The share.")
    ci: Ends | None = entry("Its 95% interval.", "interval")
    counted: Number = entry("The labels that count for it.", "hits")
    labelled: Number = entry("All labels.", "labels")


class AgreementDocument(Document):
    """A judge's agreement with reviewers on one run."""

    labelled_claims: Count = entry("Claims with a label.")
    accuracy: Share | None = entry("The share of labels that agree with the judge.", "accuracy.value")
    cohen_kappa: Number | None = entry("Cohen's kappa: 1 is full agreement, 0 is agreement by chance.", "kappa.value")
    confusion: dict[str, dict[str, Count]] = entry("Labels by the judge's verdict, then by the reviewers'.")
    judge_faithfulness: Share | None = entry("The judge's own score.")
    human_corrected: HumanCorrected = entry("The corrected score.")
    weighted: bool = entry("Whether each label is weighted by 1 / its inclusion probability.", "is_weighted")
    sensitivity: Share | None = entry("The share of unsupported claims that the judge finds.", "sensitivity.value")
    specificity: Share | None = entry(
        "The share of supported claims that the judge calls supported.", "specificity.value"
    )
    precision: Share | None = entry(
        "Of the claims that the judge calls unsupported, the share that are.", "precision.value"
    )
    missed_claims: Count = entry("Claims that the judge missed.", "missed")
    used_claims: Count = entry("The labelled claims behind the figures.", "used")
    not_known: str | None = entry("Why some figures are unknown.")
    rates: dict[str, LabelledShare] = entry("Each share with its interval and the counts behind it.")
