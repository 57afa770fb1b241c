"""A corrected score about all answers that were logged, where only a random share of them was judged.

The answers of a sampled window of live traffic are the first phase of a sample: each logged answer was drawn with
probability f. The labels of a spot-check of them are the second (double sampling; Särndal, Swensson and Wretman 1992,
chapter 9). The estimate is the same, and the variances of both phases add up:

    V = V_labels + (1 - f) S^2 / n

with n answers judged. Of the first phase only people's verdicts would tell the spread S; theta (1 - theta), that of
answers right or wrong as a whole, is the most it can be and stands in for it. The interval puts the one about the
judged answers together with Wilson's for n / (1 - f) answers by the method of variance estimates recovery (MOVER; Zou
and Donner 2008), so that it stays in [0, 1] and skewed as both are. With f = 1 nothing changes.
"""

import math
from dataclasses import replace

from faithview.domain.scoring import Interval
from faithview.stats.conventions import CONFIDENCE
from faithview.stats.prediction_powered import CorrectedScore, Estimate, UnknownLabels
from faithview.stats.student import clip, student_quantile
from faithview.stats.wilson import wilson_interval

_LEAST_ANSWERS = 2


def about_logged(score: CorrectedScore, *, rate: float, answers: int) -> CorrectedScore:
    """Return a corrected score of the judged answers as one of all logged answers.

    Args:
        score: about the judged answers.
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
