"""A judge against reviewers' labels, and the score corrected by them."""

from typing import Literal

from faithview.documents.base import Count, Document, Ends, Number, Part, Share, entry


class ReviewerTrust(Part):
    """How often reviewers differ."""

    reviewers: Count = entry("Reviewers who labelled.")
    in_common: Count = entry("Claims that several reviewers labelled.")
    differing: Count = entry("Claims in common on which they differ.")
    single: Count = entry("Claims with one reviewer's label.")
    count_as_truth: bool = entry("Whether labels count as true because their errors are unknown.")


class CorrectedTarget(Part):
    """How far the mean over answers can be from the mean over claims."""

    no_claims: Count = entry("Answers without claims.")
    mean_over_answers_within: Number | None = entry("How far the two means can be apart.")


class HumanCorrected(Part):
    """The score corrected by a spot-check's labels."""

    estimate: Share | None = entry("The corrected score; null if there is none.", default=None)
    ci: Ends | None = entry("Its 95% interval.", default=None)
    method: Literal["ppi++", "labels-only"] | None = entry("How it is estimated.", default=None)
    trust: ReviewerTrust | None = entry("How often reviewers differ.", default=None)
    target: CorrectedTarget | None = entry(
        "How far the mean over answers can be from the mean over claims.", default=None
    )
    labelled_rows: Count = entry("The answers that the labelled claims are part of.", default=0)
    interval: Literal["fixed", "anytime"] | None = entry(
        '"anytime" while claims are still being labelled; such an interval is wider.', default=None
    )
    labels: Count = entry("Claims with an agreed label.", default=0)
    unit: str | None = entry("The unit that was drawn: claims or answers.", default=None)
    n: Count | None = entry("The labelled units.", default=None)
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
    accuracy: Share | None = entry("The share of labels that agree with the judge.", default=None)
    cohen_kappa: Number | None = entry("Cohen's kappa: 1 is full agreement, 0 is agreement by chance.", "kappa.value")
    confusion: dict[str, dict[str, Count]] = entry("Labels by the judge's verdict, then by the reviewers'.")
    judge_faithfulness: Share | None = entry("The judge's own score.")
    human_corrected: HumanCorrected = entry("The corrected score.")
    weighted: bool = entry("Whether each label is weighted by 1 / its inclusion probability.", "is_weighted")
    sensitivity: Share | None = entry("The share of unsupported claims that the judge finds.", default=None)
    specificity: Share | None = entry("The share of supported claims that the judge calls supported.", default=None)
    precision: Share | None = entry("Of the claims that the judge calls unsupported, the share that are.", default=None)
    missed_claims: Count = entry("Claims that the judge missed.", "missed")
    used_claims: Count = entry("The labelled claims behind the figures.", "used")
    basis: str | None = entry('What the labels are: "spot_check", "flagged" or "chosen"; null without labels.')
    not_known: str | None = entry("Why some figures are unknown.")
    rates: dict[str, LabelledShare] = entry("Each share with its interval and the counts behind it.")
    confusion_shares: dict[str, dict[str, Share]] = entry("`confusion` as weighted shares of all labels.")
