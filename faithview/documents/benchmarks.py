"""A judge measured on a labelled file."""

from typing import ClassVar

from faithview.documents.base import Count, Document, Number, Part, Share, WithOptional, entry
from faithview.domain.claim import Verdict


class JudgeRates(Part):
    """How well a judge finds unfaithful answers; null if there is too little data."""

    balanced_accuracy: Share | None = entry("The mean of recall on unfaithful and on faithful answers.")
    f1_unfaithful: Share | None = entry("F1 of finding unfaithful answers.")
    precision_unfaithful: Share | None = entry("Of the answers called unfaithful, the share that are.")
    recall_unfaithful: Share | None = entry("The share of unfaithful answers that are called so.")
    auroc: Share | None = entry("How well the judge's score ranks answers; 0.5 is chance.")
    claim_auroc: Share | None = entry("How well its scores rank claims against labelled spans; null without spans.")
    span_f1: Share | None = entry("F1 of the flagged characters; null without spans.")


class _Bench(Part):
    judge: str = entry("The judge's name.")
    file: str = entry("The file.")
    rows: Count = entry("Its rows.")
    failed: Count = entry("Rows that could not be judged; the figures leave them out.")


class MistakenClaim(Part):
    """A claim of an answer that was classified wrongly."""

    text: str = entry("The claim.")
    verdict: Verdict = entry("The judge's verdict.")
    explanation: str = entry("The judge's reason.")


class Mistake(Part):
    """An answer that was classified wrongly."""

    key: str = entry("The row's id.")
    what: str = entry("The problem.")
    score: Share = entry("The judge's score; 1 is faithful.")
    claims: list[MistakenClaim] = entry("Its least supported claims.")


class _Timing(WithOptional):
    left_out: ClassVar[frozenset[str]] = frozenset({"companions", "mistakes"})

    seconds: Number = entry("How long judging took, in seconds.", low=0)
    answers_per_second: Number | None = entry("Answers per second.", low=0)
    tasks: dict[str, JudgeRates] = entry("The figures by task.")
    macro: JudgeRates = entry("The mean of the tasks.")
    companions: dict[str, Share | None] | None = entry("Means of the relevance metrics, if requested.", default=None)
    mistakes: list[Mistake] | None = entry("The worst mistakes, with --explain.", default=None)


class BenchDocument(_Timing, JudgeRates, _Bench, Document):
    """A judge as shipped, measured against labels; "positive" is unfaithful."""


class FitDocument(Document):
    """The embedded judge fitted to labels."""

    model: str = entry("The file of the fitted model.")
    files: dict[str, dict[str, Number | None]] = entry(
        "The figures of each file, judged by fits that have not seen it."
    )
