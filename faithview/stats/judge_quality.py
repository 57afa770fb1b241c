"""How good a judge is, measured on reviewers' labels: confusion table, recall and precision, kappa, calibration.

Labels of a spot-check stand for claims that were not drawn, so they weigh 1 / pi. The class of interest is
*unsupported*: every verdict except `supported`. A claim labelled "not a claim" is an extraction error: it counts
against the judge's accuracy, and is neither supported nor unsupported. A claim that a reviewer added because the judge
missed it counts against recall if it is not supported.

Recall is a share of the labels' classes, so it needs claims that were picked independently of the judge: from flagged
claims alone it is always 1. If a spot-check was drawn, all figures are computed from its labels alone. If none was,
recall is unknown, and the other figures are about the labelled claims.

Of answers of labelled files the class of interest is *unfaithful* (`rates`, `auroc`). Every figure is in [0, 1] and
None if the data cannot give it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from faithview.domain.claim import Verdict
from faithview.domain.label import LabelKind
from faithview.stats.agreement import Estimate, kappa, share

_UNSUPPORTED = [verdict.value for verdict in Verdict if verdict is not Verdict.SUPPORTED]
# The judge's verdict on a claim that it missed.
MISSED = LabelKind.MISSED_CLAIM.value
_BINS = 5  # with more, most have too few labels to say anything


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedLabel:
    """A claim with the judge's verdict and the reviewers'.

    `cluster` is what claims that are not independent have in common. `judge` is `MISSED` for a claim that a reviewer
    added. `weight` is 1 / pi for a label from a spot-check. `confidence` is the judge's, in [0, 1]; None if it gives
    none. `is_drawn` says that the claim was drawn at random, or that all claims were labelled.
    """

    cluster: str
    judge: str
    people: str
    weight: float = 1.0
    confidence: float | None = None
    is_drawn: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Claims whose stated confidence is in [low, high), or [low, 1]: its mean, and how often the judge is right."""

    low: float
    high: float
    confidence: float
    right: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFigures:
    """A judge compared with reviewers' labels: one set of figures for every place that shows them.

    `confusion[judge][people]` counts labels, with every verdict on both sides; it is empty without labels. `accuracy`
    is the share of claims with the same verdict. `sensitivity` is recall for unsupported claims, `specificity` recall
    for supported ones, and `precision` the share of the flagged claims that are truly unsupported. `calibration` has
    the bins that hold a label. `is_drawn` says whether the labels are of a spot-check; if not, `sensitivity` and
    `specificity` are unknown. `is_weighted` says whether the labels stand for different numbers of claims, so the
    figures differ from plain counts. `used` counts the labelled claims behind the figures, and `missed` the claims that
    reviewers added and that count against recall.
    """

    confusion: dict[str, dict[str, int]]
    accuracy: Estimate
    sensitivity: Estimate
    specificity: Estimate
    precision: Estimate
    kappa: Estimate
    calibration: tuple[CalibrationBin, ...]
    is_drawn: bool
    is_weighted: bool
    used: int
    missed: int


def judge_figures(labels: Sequence[JudgedLabel]) -> JudgeFigures:
    """Return how good a judge is by these labels; if a spot-check drew some of them, by those alone."""
    drawn = [label for label in labels if label.is_drawn]
    is_drawn = any(label.judge != MISSED for label in drawn)
    claims = [label for label in (drawn if is_drawn else labels) if label.judge != MISSED]
    # Claims that reviewers added stand for others only where answers were drawn.
    used = [*claims, *(label for label in drawn if is_drawn and label.judge == MISSED)]
    judge, people, clusters = (
        np.array([getattr(label, name) for label in used], dtype=object).astype(str)
        for name in ("judge", "people", "cluster")
    )
    weights = np.array([label.weight for label in used], dtype=np.float64)
    found, unsupported, supported = judge != MISSED, np.isin(people, _UNSUPPORTED), people == Verdict.SUPPORTED
    flagged = found & (judge != Verdict.SUPPORTED)
    right = judge == people

    def among(inside: NDArray[np.bool_], hits: NDArray[np.bool_]) -> Estimate:
        return share(hits[inside], clusters=clusters[inside], weights=weights[inside])

    return JudgeFigures(
        confusion=_confusion(claims),
        accuracy=among(found, right),
        sensitivity=among(unsupported, flagged) if is_drawn else Estimate(),
        specificity=among(supported & found, ~flagged) if is_drawn else Estimate(),
        precision=among(flagged, unsupported),
        kappa=kappa(judge[found], people[found], clusters=clusters[found], weights=weights[found]),
        calibration=_calibration(claims),
        is_drawn=is_drawn,
        is_weighted=is_drawn and len(set(weights)) > 1,
        used=len(claims),
        missed=int((unsupported & ~found).sum()),
    )


def _confusion(claims: Sequence[JudgedLabel]) -> dict[str, dict[str, int]]:
    """Return the counts by the judge's verdict and the reviewers'; unknown ones ("not a claim") come last, by name."""
    if not claims:
        return {}
    known = [verdict.value for verdict in Verdict]
    verdicts = [*known, *sorted({v for label in claims for v in (label.judge, label.people)} - set(known))]
    counts = {judge: dict.fromkeys(verdicts, 0) for judge in verdicts}
    for label in claims:
        counts[label.judge][label.people] += 1
    return counts


def _calibration(claims: Sequence[JudgedLabel]) -> tuple[CalibrationBin, ...]:
    """Return how often the judge is right by the confidence that it states, in bins of equal width."""
    bins: dict[int, list[tuple[float, JudgedLabel]]] = {}
    for label in claims:
        if label.confidence is not None:
            bins.setdefault(min(int(label.confidence * _BINS), _BINS - 1), []).append((label.confidence, label))
    return tuple(
        CalibrationBin(
            low=at / _BINS,
            high=(at + 1) / _BINS,
            confidence=float(np.average([c for c, _ in inside], weights=[label.weight for _, label in inside])),
            right=share(
                [label.judge == label.people for _, label in inside],
                clusters=[label.cluster for _, label in inside],
                weights=[label.weight for _, label in inside],
            ),
        )
        for at, inside in sorted(bins.items())
    )


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
    tp, fp, fn = pairs.count((True, True)), pairs.count((False, True)), pairs.count((True, False))
    recall, specificity = _ratio(tp, tp + fn), _ratio(len(pairs) - tp - fp - fn, len(pairs) - tp - fn)
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
    from scipy.stats import rankdata  # here, so `import faithview` stays quick

    positive = np.asarray(actual, dtype=bool)
    hits = int(positive.sum())
    others = len(positive) - hits
    if not hits or not others:
        return None
    return float((rankdata(scores)[positive].sum() - hits * (hits + 1) / 2) / (hits * others))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
