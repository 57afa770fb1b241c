"""A run's score corrected by reviewers' labels of a spot-check (prediction-powered inference).

The target is this run's own mean, so the only randomness is which units were drawn. In each stratum, with F the judge's
mean over all units, f its scores and y the reviewers' of the n labelled of N units, the estimate is

    theta = lambda F + mean(y - lambda f),      V = (1 - n / N) s^2 / n,

prediction-powered inference with the lambda in [0, 1] that leaves the least variance (PPI++; Angelopoulos, Duchi and
Zrnic 2023, arXiv:2311.01453); lambda = 0 are the labels alone. The spread s is that of the residuals and of two more
units, one right and one wrong (Agresti and Coull 1998), so it is never 0. Strata add up by their weights.
The interval is Wilson's (1927) with Student's quantile for theta (1 - theta) / V labels, theta moved towards one half
by the same two units: it stays in [0, 1] and is skewed near 0 and 1.

Units of unequal chance or weight count by their weight divided by the probability of their draw (Hájek 1971). Claims
that reviewers label "not a claim" are not in the population: the score is then a ratio, linearised (Särndal, Swensson
and Wretman 1992, 5.5). Claims that were skipped, or on which reviewers are tied, are not a random part of those drawn:
the interval reaches from its lower end if all of them were wrong to its upper end if all were right (Manski 2003).

`tests/performance/coverage.py` measures on people's labels how often the interval holds the truth.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from faithview.domain.scoring import Interval
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile, wilson_interval
from faithview.stats.spot_check import Floats, SpotCheckSample

_NO_SPREAD = 1e-12  # smaller differences of scores are rounding
LEAST_LABELLED = 2  # in a stratum: one unit gives no estimate of the spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A run's score estimated from labels.

    `score` and `interval` are in [0, 1]. `variance` is that of the score, 0 if every unit is labelled.
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

    @classmethod
    def none(cls, estimate: Estimate) -> "UnknownLabels":
        """Return those of an estimate without any."""
        return cls(if_wrong=estimate.score, if_right=estimate.score, sampling=estimate.interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedScore:
    """A run's score three ways: by the judge, by the labels alone, and by both.

    `tuning` is the mean lambda, how much of the judge is used, in [0, 1]. `labelled` counts the units with labels and
    `drawn` the units of the spot-check. With `unknown` labels the intervals reach from the lower end if all of those
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
    """Why there is no estimate. `needed` is how many more units are to be labelled; `message` is a sentence."""

    judge: float
    labelled: int
    needed: int
    message: str


def corrected_score(check: SpotCheckSample, *, level: float = CONFIDENCE) -> CorrectedScore | NotEnoughLabels:
    """Estimate the run's score from a spot-check.

    Args:
        check: the run's strata and the units drawn.
        level: the interval's confidence, in (0, 1).

    Returns:
        NotEnoughLabels if a stratum has fewer than two labelled units and is not completely labelled.
    """
    for position, stratum in enumerate(check.strata):
        labelled = int((~np.isnan(check.people[check.stratum == position])).sum())
        missing = min(LEAST_LABELLED, stratum.units) - labelled
        if missing > 0:
            where = f"Stratum {stratum.name!r}" if len(check.strata) > 1 else "The spot-check"
            units = f"{labelled} labelled {check.unit.value}{'' if labelled == 1 else 's'}"
            return NotEnoughLabels(
                judge=check.raw_judge,
                labelled=labelled,
                needed=missing,
                message=f"{where} has {units}, and an estimate needs at least {LEAST_LABELLED}; label {missing} more.",
            )
    middle = _estimate(check, level)
    if not (check.worst < check.best).any():
        return middle
    is_claim = check.is_claim | (check.worst < check.best)
    worst = _estimate(replace(check, people=check.worst, is_claim=is_claim), level)
    best = _estimate(replace(check, people=check.best, is_claim=is_claim), level)
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
        unlabelled = 0.0 if n == stratum.units else 1 - float(check.pi[have].mean()) * n / int(inside.sum())
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


def pool_scores(scores: Sequence[CorrectedScore]) -> CorrectedScore:
    """Return the mean of the scores of independent spot-checks of the same answers, by their numbers of labels.

    The distances of the scores to the ends of their intervals add up in squares (Zou and Donner 2008). A spot-check
    that covers the whole run is exact, and stands alone.
    """
    exact = [score for score in scores if score.corrected.variance == 0]
    if exact or len(scores) == 1:
        return (exact or list(scores))[0]
    total = sum(score.labelled for score in scores)
    shares = [score.labelled / total for score in scores]

    def joined(estimates: Sequence[Estimate]) -> Estimate:
        middle = sum(share * one.score for share, one in zip(shares, estimates, strict=True))
        below = [share * (one.score - one.interval.low) for share, one in zip(shares, estimates, strict=True)]
        above = [share * (one.interval.high - one.score) for share, one in zip(shares, estimates, strict=True)]
        return Estimate(
            score=middle,
            interval=Interval(clip(middle - math.hypot(*below)), clip(middle + math.hypot(*above))),
            variance=sum(share**2 * one.variance for share, one in zip(shares, estimates, strict=True)),
        )

    corrected = joined([score.corrected for score in scores])
    unknown = [score.unknown or UnknownLabels.none(score.corrected) for score in scores]
    sampling = joined([replace(s.corrected, interval=u.sampling) for s, u in zip(scores, unknown, strict=True)])
    return CorrectedScore(
        judge=scores[0].judge,
        labels_only=joined([score.labels_only for score in scores]),
        corrected=corrected,
        tuning=sum(share * score.tuning for share, score in zip(shares, scores, strict=True)),
        labelled=total,
        drawn=sum(score.drawn for score in scores),
        unknown=UnknownLabels(
            if_wrong=sum(share * one.if_wrong for share, one in zip(shares, unknown, strict=True)),
            if_right=sum(share * one.if_right for share, one in zip(shares, unknown, strict=True)),
            sampling=sampling.interval,
        )
        if any(score.unknown for score in scores)
        else None,
    )


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
