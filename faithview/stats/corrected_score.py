"""A run's score corrected by reviewers' labels of a spot-check (prediction-powered inference).

The target is this run's own mean, so the only randomness is which claims were drawn. A claim of an answer with m claims
weighs 1 / (A m) in a run of A answers, so the run's score is the sum of weight times score. In each stratum, with F the
judge's mean over all claims, f its scores and y the reviewers' of the n labelled of N claims, the estimate is

    theta = lambda F + mean(y - lambda f),      V = (1 - n / N) s^2 / n,

prediction-powered inference with the lambda in [0, 1] that leaves the least variance (PPI++; Angelopoulos, Duchi and
Zrnic 2023, arXiv:2311.01453); lambda = 0 are the labels alone. The spread s is that of the residuals and of two more
claims, one right and one wrong (Agresti and Coull 1998), so it is never 0. Strata add up by their weights.
The interval is Wilson's (1927) with Student's quantile for theta (1 - theta) / V labels, theta moved towards one half
by the same two claims: it stays in [0, 1] and is skewed near 0 and 1.

Claims of unequal chance or weight count by their weight divided by the probability of their draw (Hájek 1971). Claims
that reviewers label "not a claim" are not in the population: the score is then a ratio, linearised (Särndal, Swensson
and Wretman 1992, 5.5). Claims that were skipped, or on which reviewers are tied, are not a random part of those drawn:
the interval reaches from its lower end if all of them were wrong to its upper end if all were right (Manski 2003).

`tests/performance/coverage.py` measures on people's labels how often the interval holds the truth.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile, wilson_interval

Floats = NDArray[np.float64]

_NO_SPREAD = 1e-12  # smaller differences of scores are rounding
LEAST_LABELLED = 2  # in a stratum: one claim gives no estimate of the spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """All claims of one stratum, drawn or not.

    `claims` is their number; `weight` the sum of their weights; `judged` the sum of weight times the judge's score.
    """

    name: str
    claims: int
    weight: float
    judged: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheckSample:
    """The data of an estimate: the strata, and the arrays of the drawn claims, in any order.

    `stratum` is the position in `strata`; `pi` the inclusion probability in (0, 1]; `weight` as in the module's text;
    `judge` and `people` are 1 for supported and 0 for not, `people` nan for a claim that was skipped or on which
    reviewers are tied. `is_claim` is False for what reviewers call no claim: it is not part of the population.
    """

    strata: tuple[Stratum, ...]
    stratum: NDArray[np.int64]
    pi: Floats
    weight: Floats
    judge: Floats
    people: Floats
    is_claim: NDArray[np.bool_]

    @property
    def raw_judge(self) -> float:
        """The judge's own mean over the whole run."""
        return min(1.0, math.fsum(stratum.judged for stratum in self.strata))


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A run's score estimated from labels.

    `score` and `interval` are in [0, 1]. `variance` is that of the score, 0 if every claim is labelled.
    """

    score: float
    interval: Interval
    variance: float

    @property
    def half_width(self) -> float:
        """Half the interval's width."""
        return (self.interval.high - self.interval.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownLabels:
    """How far claims that were skipped, or on which reviewers are tied, could move a corrected score.

    `if_wrong` and `if_right` are the scores if all of them were wrong, and right. `sampling` is the interval if they
    were like the labelled ones, which is unlikely because reviewers skip claims that are hard to judge.
    """

    if_wrong: float
    if_right: float
    sampling: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedScore:
    """A run's score three ways: by the judge, by the labels alone, and by both.

    `tuning` is the mean lambda, how much of the judge is used, in [0, 1]. `labelled` counts the claims with labels and
    `drawn` the claims of the spot-check. With `unknown` labels the intervals reach from the lower end if all of those
    were wrong to the upper end if all were right.
    """

    judge: float
    labels_only: Estimate
    corrected: Estimate
    tuning: float
    labelled: int
    drawn: int
    unknown: UnknownLabels | None = None

    @property
    def sampling_half_width(self) -> float:
        """Half the width of the part of the interval that more labels can narrow: the sampling interval."""
        interval = self.corrected.interval if self.unknown is None else self.unknown.sampling
        return (interval.high - interval.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NotEnoughLabels:
    """Why there is no estimate. `needed` is how many more claims are to be labelled; `message` is a sentence."""

    judge: float
    labelled: int
    needed: int
    message: str


def corrected_score(check: SpotCheckSample, *, level: float = CONFIDENCE) -> CorrectedScore | NotEnoughLabels:
    """Estimate the run's score from a spot-check.

    Args:
        check: the run's strata and the claims drawn.
        level: the interval's confidence, in (0, 1).

    Returns:
        NotEnoughLabels if a stratum has fewer than two labelled claims and is not completely labelled.
    """
    for position, stratum in enumerate(check.strata):
        labelled = int((~np.isnan(check.people[check.stratum == position])).sum())
        missing = min(LEAST_LABELLED, stratum.claims) - labelled
        if missing > 0:
            where = f"Stratum {stratum.name!r}" if len(check.strata) > 1 else "The spot-check"
            claims = f"{labelled} labelled claim{'' if labelled == 1 else 's'}"
            return NotEnoughLabels(
                judge=check.raw_judge,
                labelled=labelled,
                needed=missing,
                message=f"{where} has {claims}, and an estimate needs at least {LEAST_LABELLED}; label {missing} more.",
            )
    middle = _estimate(check, level)
    is_unknown = np.isnan(check.people)
    if not is_unknown.any():
        return middle
    worst, best = (
        _estimate(replace(check, people=np.where(is_unknown, right, check.people)), level) for right in (0.0, 1.0)
    )
    return replace(
        middle,
        labels_only=_widened(middle.labels_only, worst.labels_only, best.labels_only),
        corrected=_widened(middle.corrected, worst.corrected, best.corrected),
        unknown=UnknownLabels(
            if_wrong=worst.corrected.score, if_right=best.corrected.score, sampling=middle.corrected.interval
        ),
    )


def _widened(middle: Estimate, worst: Estimate, best: Estimate) -> Estimate:
    ends = [estimate.interval for estimate in (worst, middle, best)]
    return replace(middle, interval=Interval(min(end.low for end in ends), max(end.high for end in ends)))


def _estimate(check: SpotCheckSample, level: float) -> CorrectedScore:
    labelled = ~np.isnan(check.people)
    sizes, plain, tuned, slopes = [], [], [], []
    for position, stratum in enumerate(check.strata):
        inside = check.stratum == position
        have = inside & labelled
        n = int(have.sum())
        if n == 0:
            continue
        people, judge = check.people[have], check.judge[have]
        count = check.weight[have] / check.pi[have]
        count *= n / count.sum()
        real = count * check.is_claim[have]
        sizes.append(stratum.weight * real.mean())
        values = _linearised(people, real)
        own = _linearised(judge, count)
        unlabelled = 0.0 if n == stratum.claims else 1 - float(check.pi[have].mean()) * n / int(inside.sum())
        spread = float(own.var(ddof=1)) if n > 2 else 0.0
        slope = clip(float(np.cov(values, own)[0, 1]) / spread) if spread > _NO_SPREAD else 0.0
        mean = stratum.judged / stratum.weight
        plain.append(_part(values, own, 0.0, mean, unlabelled))
        tuned.append(_part(values, own, slope, mean, unlabelled))
        slopes.append(slope)
    share = np.array(sizes) / sum(sizes) if sum(sizes) > 0 else np.full(len(sizes), 1 / len(sizes))
    quantile = student_quantile(level, max(1, int(labelled.sum()) - len(share)))
    labels_only, corrected = (_total(parts, share, int(labelled.sum()), quantile) for parts in (plain, tuned))
    is_better = corrected.variance < labels_only.variance
    return CorrectedScore(
        judge=check.raw_judge,
        labels_only=labels_only,
        corrected=corrected if is_better else labels_only,
        tuning=float(share @ np.array(slopes)) if is_better else 0.0,
        labelled=int(labelled.sum()),
        drawn=len(check.pi),
    )


def _linearised(scores: Floats, size: Floats) -> Floats:
    """Return values whose plain mean and spread are those of the ratio of size * scores to size."""
    whole = float(size.mean())
    if whole <= 0:
        return scores
    ratio = float(size @ scores) / float(size.sum())
    return np.asarray(ratio + size * (scores - ratio) / whole)


def _part(values: Floats, judge: Floats, slope: float, mean: float, unlabelled: float) -> tuple[float, float]:
    """Return a stratum's estimate and its variance."""
    residuals = values - slope * judge
    estimate = clip(slope * mean + float(residuals.mean()))
    middle = slope * float(judge.mean())
    spread = float(np.append(residuals, [1 - middle, -middle]).var(ddof=1))
    return estimate, unlabelled * spread / len(values)


def _total(parts: list[tuple[float, float]], share: Floats, n: int, quantile: float) -> Estimate:
    means, variances = np.array(parts).T
    score, variance = clip(float(share @ means)), float(share**2 @ variances)
    if variance <= 0:
        return Estimate(score=score, interval=Interval(score, score), variance=0.0)
    moved = (n * score + 1) / (n + 2)
    interval = wilson_interval(score, moved * (1 - moved) / variance, z=quantile)
    return Estimate(score=score, interval=interval, variance=variance)


def about_logged(score: CorrectedScore, *, rate: float, answers: int) -> CorrectedScore:
    """Turn a corrected score of the judged answers into one of all logged answers.

    Only a share of these was judged, so the variances of both draws add up (double sampling; Särndal, Swensson and
    Wretman 1992, chapter 9); the spread among answers is that of answers that are entirely right or wrong.

    Args:
        score: the score of the judged answers.
        rate: the share of the logged answers that was drawn, in (0, 1].
        answers: how many answers were judged.
    """
    if rate >= 1 or answers < LEAST_LABELLED:
        return score
    drawn = wilson_interval(score.corrected.score, answers / (1 - rate), z=student_quantile(CONFIDENCE, answers - 1))

    def wider(middle: float, ends: Interval) -> Interval:
        below = math.hypot(max(0.0, middle - ends.low), max(0.0, middle - drawn.low))
        above = math.hypot(max(0.0, ends.high - middle), max(0.0, drawn.high - middle))
        return Interval(clip(middle - below), clip(middle + above))

    unknown = score.unknown
    if unknown is not None:
        unknown = replace(unknown, sampling=wider(score.corrected.score, unknown.sampling))
    labels_only, corrected = (
        replace(one, interval=wider(one.score, one.interval)) for one in (score.labels_only, score.corrected)
    )
    return replace(score, labels_only=labels_only, corrected=corrected, unknown=unknown)
