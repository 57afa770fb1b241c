"""How good a judge is, measured on reviewers' labels: confusion matrix, error rates and calibration.

Labels from a spot-check represent claims that were not drawn, so they weigh 1 / pi. The class of interest is
*unsupported*: every verdict except `supported`. A claim labelled "not a claim" is an extraction error: it counts
against the judge's accuracy, and is neither supported nor unsupported. A claim that a reviewer added because the judge
missed it counts against recall if it is not supported.

Recall and specificity are shares of the labels' classes, so they need claims that were picked independently of the
judge: from flagged claims alone recall is always 1. If a spot-check was drawn, all figures are computed
from its labels alone. If none was, recall and specificity are unknown, and the other figures are about the labelled
claims.

Of answers of labelled files the class of interest is *unfaithful* (`rates`, `auroc`, `f1`). Every figure is in [0, 1]
and None if the data cannot give it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.label import LabelKind
from faithview.stats.agreement import Agreement, Integers, kappa_of
from faithview.stats.intervals import CONFIDENCE
from faithview.stats.shares import Share, share

SUPPORTED = Verdict.SUPPORTED.value
_UNSUPPORTED = frozenset(verdict.value for verdict in Verdict) - {SUPPORTED}
# The judge's verdict on a claim that it missed.
MISSED = LabelKind.MISSED_CLAIM.value
_FEWEST_IN_BIN = 5  # with fewer labels an interval spans most of the scale
_UNKNOWN = Share(value=None, interval=None, labels=0, effective=0.0)


class Basis(StrEnum):
    """Which labels the figures are computed from, which decides what they are about.

    `SPOT_CHECK`: claims drawn with known probabilities, or all claims. `FLAGGED`: no claim was drawn, and only claims
    that the judge does not call supported have labels. `CHOSEN`: no claim was drawn.
    """

    SPOT_CHECK = "spot_check"
    FLAGGED = "flagged"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedLabel:
    """A claim with the judge's verdict and the reviewers'.

    `answer` identifies claims that are not independent of each other. `judge` is `MISSED` for a claim that a reviewer
    added. `weight` is 1 / pi for a label from a spot-check. `confidence` is the judge's, in [0, 1]; None if it gives
    none. `is_drawn` says that the claim was drawn at random, or that all claims were labelled.
    """

    answer: str
    judge: str
    people: str
    weight: float = 1.0
    confidence: float | None = None
    is_drawn: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """How often each of the judge's verdicts meets each of the reviewers'.

    `counts[judge][people]` are labels; `shares` are the same, weighted, as shares of all, with sum 1. Both have every
    verdict in `verdicts` on both sides.
    """

    verdicts: tuple[str, ...]
    counts: dict[str, dict[str, int]]
    shares: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRates:
    """How well the judge finds unsupported claims.

    `accuracy` is the share of claims with the same verdict of the four; `sensitivity` (recall) the share of the truly
    unsupported claims that the judge flags, where missed claims count as not flagged; `specificity` the share of the
    supported claims that it passes; `precision` the share of the flagged claims that are truly unsupported. The
    reviewers' labels are the truth.
    """

    accuracy: Share
    sensitivity: Share
    specificity: Share
    precision: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFigures:
    """A judge compared with reviewers' labels: one set of figures for every place that shows them.

    `confusion`, `rates` and `basis` are None without labels. `is_weighted` says whether the labels represent different
    numbers of claims, so the figures differ from plain counts. `used` counts the labelled claims behind the figures,
    and `missed` the claims that reviewers added and that count against recall. Without a spot-check the values of
    `rates.sensitivity` and `rates.specificity` are None.
    """

    confusion: Confusion | None
    rates: ErrorRates | None
    kappa: Agreement
    calibration: "Calibration | None"
    basis: Basis | None
    is_weighted: bool
    used: int
    missed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Claims whose confidence is in [low, high), or [low, 1].

    `confidence` is their mean confidence and `right` the share of them with the same verdict from reviewers.
    """

    low: float
    high: float
    confidence: float
    right: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How well the judge's confidence matches how often it is right.

    `bins` are in order, each with at least as many labels as asked for, if there are as many. `error` is the expected
    calibration error (Naeini, Cooper and Hauskrecht 2015): the mean distance of confidence and share right in these
    bins, in [0, 1]; None if no label has a confidence. `without` counts labels without a confidence.
    """

    bins: tuple[CalibrationBin, ...]
    error: float | None
    without: int


def judge_figures(labels: Sequence[JudgedLabel], *, level: float = CONFIDENCE) -> JudgeFigures:
    """Return how good a judge is by these labels, each weighted by 1 / pi; `Basis` says which of them count."""
    drawn = [label for label in labels if label.is_drawn]
    used = drawn if any(label.judge != MISSED for label in drawn) else labels
    claims = [label for label in used if label.judge != MISSED]
    basis = _basis(claims)
    is_random = basis is Basis.SPOT_CHECK
    rates = error_rates(used if is_random else claims, level=level) if claims else None
    if rates is not None and not is_random:
        rates = replace(rates, sensitivity=_UNKNOWN, specificity=_UNKNOWN)
    return JudgeFigures(
        confusion=confusion(claims) if claims else None,
        rates=rates,
        kappa=kappa(claims, level=level),
        calibration=calibration(claims, level=level) if claims else None,
        basis=basis,
        is_weighted=len({label.weight for label in used}) > 1 if is_random else False,
        used=len(claims),
        missed=sum(label.people in _UNSUPPORTED for label in used if label.judge == MISSED) if is_random else 0,
    )


def _basis(claims: Sequence[JudgedLabel]) -> Basis | None:
    if not claims:
        return None
    if claims[0].is_drawn:
        return Basis.SPOT_CHECK
    return Basis.CHOSEN if any(label.judge == SUPPORTED for label in claims) else Basis.FLAGGED


def confusion(labels: Sequence[JudgedLabel]) -> Confusion:
    """Return the confusion matrix over the verdicts; unknown ones (a reviewer's "not a claim") come last, by name."""
    known = [verdict.value for verdict in Verdict]
    others = sorted({v for label in labels for v in (label.judge, label.people)} - set(known))
    verdicts = (*known, *others)
    counts = {judge: dict.fromkeys(verdicts, 0) for judge in verdicts}
    shares = {judge: dict.fromkeys(verdicts, 0.0) for judge in verdicts}
    total = sum(label.weight for label in labels)
    for label in labels:
        counts[label.judge][label.people] += 1
        shares[label.judge][label.people] += label.weight / total
    return Confusion(verdicts=verdicts, counts=counts, shares=shares)


def kappa(labels: Sequence[JudgedLabel], *, level: float = CONFIDENCE) -> Agreement:
    """Return Cohen's kappa of judge and reviewers, weighted by 1 / pi, with a bootstrap interval over answers."""
    return kappa_of(
        [label.answer for label in labels],
        [label.judge for label in labels],
        [label.people for label in labels],
        weights=[label.weight for label in labels],
        level=level,
    )


def error_rates(labels: Sequence[JudgedLabel], *, level: float = CONFIDENCE) -> ErrorRates:
    """Return the judge's error rates with Wilson intervals, with answers as clusters.

    Sensitivity and specificity describe the claims' population only if the labels were drawn from it: see
    `judge_figures`.
    """
    answers = [label.answer for label in labels]
    weights = [label.weight for label in labels]
    found = np.array([label.judge != MISSED for label in labels], dtype=bool)
    flagged = np.array([label.judge not in (SUPPORTED, MISSED) for label in labels], dtype=bool)
    supported = np.array([label.people == SUPPORTED for label in labels], dtype=bool)
    unsupported = np.array([label.people in _UNSUPPORTED for label in labels], dtype=bool)
    same = [label.judge == label.people for label in labels]
    return ErrorRates(
        accuracy=share(same, answers=answers, weights=weights, among=found, level=level),
        sensitivity=share(flagged, answers=answers, weights=weights, among=unsupported, level=level),
        specificity=share(~flagged, answers=answers, weights=weights, among=supported & found, level=level),
        precision=share(unsupported, answers=answers, weights=weights, among=flagged, level=level),
    )


def calibration(
    labels: Sequence[JudgedLabel], *, bins: int = 10, fewest: int = _FEWEST_IN_BIN, level: float = CONFIDENCE
) -> Calibration:
    """Return how often the judge is right by its confidence, in bins of equal width.

    A bin with fewer than `fewest` labels is joined with the next one that has a label; the last with the one before.

    Raises:
        ValueError: there are no bins, or a confidence is not in [0, 1].
    """
    if bins < 1:
        raise ValueError(f"The number of bins is {bins}; it must be at least 1.")
    sure = [label for label in labels if label.confidence is not None]
    confidence = np.array([label.confidence for label in sure], dtype=np.float64)
    if not ((confidence >= 0) & (confidence <= 1)).all():
        raise ValueError("A confidence is not in [0, 1]; it must be a probability.")
    weights = np.array([label.weight for label in sure], dtype=np.float64)
    right = np.array([label.judge == label.people for label in sure], dtype=bool)
    answers = np.array([label.answer for label in sure], dtype=object).astype(str)
    at = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    filled = []
    error = 0.0
    for first, last in _joined_bins(at, fewest):
        inside = (at >= first) & (at <= last)
        mean = float(np.average(confidence[inside], weights=weights[inside]))
        rate = share(right[inside], answers=answers[inside], weights=weights[inside], level=level)
        filled.append(CalibrationBin(low=first / bins, high=(last + 1) / bins, confidence=mean, right=rate))
        error += float(weights[inside].sum()) * abs(mean - (rate.value or 0.0))
    return Calibration(
        bins=tuple(filled),
        error=error / float(weights.sum()) if sure else None,
        without=len(labels) - len(sure),
    )


def _joined_bins(at: Integers, fewest: int) -> list[tuple[int, int]]:
    """Return the first and the last number of the bins that are joined, in order, given each label's bin."""
    joined: list[tuple[int, int]] = []
    first, inside = -1, 0
    for number, count in zip(*np.unique(at, return_counts=True), strict=True):
        first = int(number) if first < 0 else first
        inside += int(count)
        if inside >= fewest:
            joined.append((first, int(number)))
            first, inside = -1, 0
    if inside:
        start = joined.pop()[0] if joined else first
        joined.append((start, int(at.max())))
    return joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How good a yes/no prediction of "unfaithful" is; each rate is in [0, 1], or None if undefined."""

    balanced_accuracy: float | None
    f1: float | None
    precision: float | None
    recall: float | None


def rates(actual: Sequence[bool], predicted: Sequence[bool]) -> Rates:
    """Return the rates of a prediction; both sequences say "is unfaithful".

    Balanced accuracy is the mean of the recalls of both classes and needs both to occur. Precision needs a positive
    prediction, recall a positive case; F1 = 2tp / (2tp + fp + fn) is 0 where no case is predicted right.
    """
    pairs = list(zip(actual, predicted, strict=True))
    tp = sum(a and p for a, p in pairs)
    fp = sum(p and not a for a, p in pairs)
    fn = sum(a and not p for a, p in pairs)
    tn = len(pairs) - tp - fp - fn
    recall = _ratio(tp, tp + fn)
    specificity = _ratio(tn, tn + fp)
    return Rates(
        balanced_accuracy=None if recall is None or specificity is None else (recall + specificity) / 2,
        f1=_ratio(2 * tp, 2 * tp + fp + fn),
        precision=_ratio(tp, tp + fp),
        recall=recall,
    )


def auroc(actual: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the probability that a positive case outranks a negative one, ties counted half (Mann and Whitney 1947).

    Returns:
        None if one of the classes does not occur.
    """
    positive = np.asarray(actual, dtype=bool)
    values = np.asarray(scores, dtype=np.float64)
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return None
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    # The mean rank of each group of ties, counted from 1.
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    above = ranks[positive].sum() - n_positive * (n_positive + 1) / 2
    return float(above / (n_positive * n_negative))


def f1(true_positive: int, false_positive: int, false_negative: int) -> float | None:
    """Return 2tp / (2tp + fp + fn); None if all three are 0."""
    return _ratio(2 * true_positive, 2 * true_positive + false_positive + false_negative)


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
