"""Corrected scores beyond a single spot-check: several spot-checks pooled, or all logged answers.

**Pooled.** The spot-checks of one run were drawn independently of each other. Each spot-check estimates the same mean,
so their estimates are averaged, weighted by their numbers of labelled units. Weights from the estimated
variances would lean towards the spot-check that happened to see fewer mistakes, whose variance looks smaller. The
interval comes from the intervals of the parts by the method of variance estimates recovery (MOVER; Zou and Donner 2008,
"Construction of confidence limits about effect measures"):

    low = theta - sqrt(sum_k w_k^2 (theta_k - low_k)^2),     high = theta + sqrt(sum_k w_k^2 (high_k - theta_k)^2)

It keeps each part's skew, and stays wide for parts with missing labels or with labelling still in progress. Claims that
two spot-checks drew count in both, as if different claims had been drawn.

**All logged answers.** Only a random sample of them was judged. The answers of a sampled window of live traffic are the
first phase of a sample: each logged answer was drawn with probability f. The labels of a spot-check of them are the
second (double sampling; Särndal, Swensson and Wretman 1992, chapter 9). The estimate is the same, and the variances of
both phases add up:

    V = V_labels + (1 - f) S^2 / n

with n answers judged. The spread S in the first phase is known only to reviewers; theta (1 - theta), that of answers
that are entirely right or wrong, is its upper bound and is used instead. The interval combines the one about the judged
answers with Wilson's for n / (1 - f) answers by the method of variance estimates recovery (MOVER; Zou and Donner 2008),
so it stays in [0, 1] and keeps the skew of both. With f = 1 nothing changes.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from faithview.domain.scoring import Interval
from faithview.stats.corrected_score import CorrectedScore, Estimate, UnknownLabels
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile, wilson_interval


def pool_scores(scores: Sequence[CorrectedScore]) -> CorrectedScore:
    """Return the pooled score of one or more spot-checks of the same answers.

    If every unit of the run is labelled in a spot-check, its score is known and returned unchanged.

    Raises:
        ValueError: there is no score to pool.
    """
    if not scores:
        raise ValueError("There is no corrected score to pool; give at least one.")
    known = [score for score in scores if math.isinf(score.corrected.effective)]
    if known or len(scores) == 1:
        return (known or list(scores))[0]
    total = sum(score.labelled for score in scores)
    weights = [score.labelled / total for score in scores]
    unknown = None
    if any(score.unknown is not None for score in scores):
        sampling = [score.corrected.interval if score.unknown is None else score.unknown.sampling for score in scores]
        unknown = UnknownLabels(
            if_wrong=_mean(weights, [s.corrected.score if s.unknown is None else s.unknown.if_wrong for s in scores]),
            if_right=_mean(weights, [s.corrected.score if s.unknown is None else s.unknown.if_right for s in scores]),
            sampling=_interval(weights, [score.corrected.score for score in scores], sampling),
        )
    return CorrectedScore(
        judge=scores[0].judge,
        labels_only=_pool(weights, [score.labels_only for score in scores]),
        corrected=_pool(weights, [score.corrected for score in scores]),
        tuning=_mean(weights, [score.tuning for score in scores]),
        labelled=sum(score.labelled for score in scores),
        drawn=sum(score.drawn for score in scores),
        degrees=sum(score.degrees for score in scores),
        unknown=unknown,
    )


def _pool(weights: Sequence[float], parts: Sequence[Estimate]) -> Estimate:
    scores = [part.score for part in parts]
    return Estimate(
        score=_mean(weights, scores),
        interval=_interval(weights, scores, [part.interval for part in parts]),
        variance=math.fsum(weight**2 * part.variance for weight, part in zip(weights, parts, strict=True)),
        effective=math.fsum(part.effective for part in parts),
    )


def _mean(weights: Sequence[float], values: Sequence[float]) -> float:
    return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))


def _interval(weights: Sequence[float], scores: Sequence[float], intervals: Sequence[Interval]) -> Interval:
    middle = _mean(weights, scores)
    below = [w * (s - i.low) for w, s, i in zip(weights, scores, intervals, strict=True)]
    above = [w * (i.high - s) for w, s, i in zip(weights, scores, intervals, strict=True)]
    return Interval(clip(middle - math.hypot(*below)), clip(middle + math.hypot(*above)))


_LEAST_ANSWERS = 2


def about_logged(score: CorrectedScore, *, rate: float, answers: int) -> CorrectedScore:
    """Turn a corrected score of the judged answers into one of all logged answers.

    Args:
        score: the score of the judged answers.
        rate: the share of the logged answers that was drawn, in (0, 1].
        answers: how many answers were judged.
    """
    if rate >= 1 or answers < _LEAST_ANSWERS:
        return score
    unknown = score.unknown
    if unknown is not None:
        sampling = _put_together(score.corrected.score, unknown.sampling, rate=rate, answers=answers)
        unknown = UnknownLabels(if_wrong=unknown.if_wrong, if_right=unknown.if_right, sampling=sampling)
    return replace(
        score,
        labels_only=_about_logged(score.labels_only, rate=rate, answers=answers),
        corrected=_about_logged(score.corrected, rate=rate, answers=answers),
        unknown=unknown,
    )


def _about_logged(estimate: Estimate, *, rate: float, answers: int) -> Estimate:
    share_out = (1 - rate) / answers
    alone = 0.0 if math.isinf(estimate.effective) else 1 / estimate.effective
    return Estimate(
        score=estimate.score,
        interval=_put_together(estimate.score, estimate.interval, rate=rate, answers=answers),
        variance=estimate.variance + share_out * estimate.score * (1 - estimate.score),
        effective=1 / (alone + share_out),
    )


def _put_together(score: float, labels: Interval, *, rate: float, answers: int) -> Interval:
    quantile = student_quantile(CONFIDENCE, answers - 1)
    drawn = wilson_interval(score, answers / (1 - rate), z=quantile)
    return Interval(
        clip(score - math.hypot(max(0.0, score - labels.low), max(0.0, score - drawn.low))),
        clip(score + math.hypot(max(0.0, labels.high - score), max(0.0, drawn.high - score))),
    )
