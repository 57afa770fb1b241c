"""A run's score corrected by reviewers' labels of a spot-check (prediction-powered inference).

The target is this run's own mean, so the only randomness is which units were drawn. With a the units' weights, f the
judge's score, y the reviewers' and pi the inclusion probability,

    theta = sum_all a lambda f  +  sum_drawn (a / pi) (y - lambda f)

is the difference estimator of survey sampling (Särndal, Swensson and Wretman 1992, chapter 6), which is
prediction-powered inference for lambda = 1 (Angelopoulos et al. 2023) and the labels alone for lambda = 0. As in PPI++
(Angelopoulos, Duchi and Zrnic 2023) lambda in [0, 1] is the one with the least estimated variance. It stays 0 unless
the interval gets shorter, so a useless judge does no harm. Weights and variances are those of `spot_check`.

The interval is Wilson's (1927), so it stays in [0, 1] and is skewed near 0 and 1, with Student's quantile, on

    n_effective = theta_0 (1 - theta_0) / V_0  *  V_0 / V

labels, where theta_0 and V_0 are the labels-only estimate and its variance: the first factor is how many plain labels
the spot-check is worth, the second how much the judge adds. These refinements matter for small samples, small runs
and missing labels:

- Answers that are partly right vary less than answers that are entirely right or wrong, which makes n_effective larger
  than the number of answers. How much less is estimated from the few imperfect answers (or from those that are not
  entirely wrong, if they are fewer); with d of them the estimate counts d times against one unit without that
  advantage. Scores of 0 and 1 drawn at random are unaffected, and so, nearly, is a sample with many imperfect answers.
- The labelled part of a run is known. The Studentised mean of n of N units drawn without replacement has the skewness
  -(2 - n/N) / sqrt(1 - n/N) * skewness / sqrt(n), where Wilson's interval on n_effective would allow for
  -2 sqrt(1 - n/N) * skewness / sqrt(n). Taking Wilson's interval for the part U = 2 u / (1 + u) of the run, where u is
  the unlabelled share, corrects this. For a large run U is 1.
- Claims that were skipped, or on which reviewers are tied, are not a random part of those drawn. The interval reaches
  from its lower end if all of them were wrong to its upper end if all were right (Manski 2003, "Partial Identification
  of Probability Distributions", chapter 1).
- If reviewers disagree on claims that several of them labelled, labels of one reviewer could be wrong as often, and the
  interval is widened accordingly (see `label_errors`).
- Claims that reviewers label "not a claim" are not in the population: the score is a ratio, linearised (see
  `spot_check`). With claims drawn singly the real number of claims in an answer is unknown, so answers are weighted
  by their share of real claims; `answers_apart` bounds the distance from the mean over answers.
- If the labels show no spread, or no disagreement with the judge at all, an estimated variance of 0 says only that the
  sample is small: Wilson's interval for that many labels replaces the first, and the variance is at least that of one
  unit of disagreement in the second case. Strata without spread, next to others with some, get the variance of half an
  exception in all their labels (`Survey.hidden_variance`).

Measured on human labels by tests/performance/coverage.py.
"""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from faithview.domain.scoring import Interval
from faithview.stats.anytime import half_way_variance, look_quantile
from faithview.stats.intervals import CONFIDENCE, clip, student_quantile, wilson_interval
from faithview.stats.spot_check import Booleans, Floats, SpotCheckSample, Survey, Unit

# The prior for the spread among answers counts as this many units, entirely right or wrong.
_PRIOR_UNITS = 1.0

_NO_SPREAD = 1e-12  # of a variance of 1: smaller differences of scores are rounding

LEAST_LABELLED = 2  # in a stratum: one unit gives no estimate of the spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A run's score estimated from labels.

    `score` and `interval` are in [0, 1]. `variance` is that of the score, 0 if every unit is labelled. `effective` is
    the number of labelled answers, entirely right or wrong and drawn from an infinite run, that would give the same
    precision; infinite if every unit is labelled.
    """

    score: float
    interval: Interval
    variance: float
    effective: float

    @property
    def half_width(self) -> float:
        """Half the interval's width."""
        return (self.interval.high - self.interval.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSpread:
    """How much less units vary than if each were entirely right or wrong.

    `ratio` is the observed variance divided by that one, and `mixed` the number of units it is estimated from: those
    that are not perfect, or those that are not entirely wrong, if they are fewer.
    """

    ratio: float
    mixed: float

    def of(self, times: float) -> float:
        """Return the expected ratio if `times` as many units were labelled; 1 is the present number.

        It is shrunk towards 1 by one unit (see the module), less so with more units.
        """
        mixed = times * self.mixed
        return max(self.ratio, (mixed * self.ratio + _PRIOR_UNITS) / (mixed + _PRIOR_UNITS))


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

    `tuning` is lambda, how much of the judge is used, in [0, 1]. `labelled` counts the units with labels and `drawn`
    the units of the spot-check. `degrees` are Student's degrees of freedom. With `unknown` labels the intervals reach
    from the lower end if all of those were wrong to the upper end if all were right.
    """

    judge: float
    labels_only: Estimate
    corrected: Estimate
    tuning: float
    labelled: int
    drawn: int
    degrees: float
    unknown: UnknownLabels | None = None

    @property
    def sampling_half_width(self) -> float:
        """Half the width of the part of the interval that more labels can narrow: the sampling interval."""
        interval = self.corrected.interval if self.unknown is None else self.unknown.sampling
        return (interval.high - interval.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NotEnoughLabels:
    """Why there is no estimate: a stratum with too few labelled units. `message` is a sentence for users."""

    judge: float
    stratum: str
    labelled: int
    needed: int
    message: str


def corrected_score(
    check: SpotCheckSample, *, level: float = CONFIDENCE, tuning: float | None = None, is_final: bool = True
) -> CorrectedScore | NotEnoughLabels:
    """Estimate the run's score from a spot-check.

    Args:
        check: the run's strata and the units drawn.
        level: the interval's confidence, in (0, 1).
        tuning: a fixed lambda in [0, 1]; None chooses it as the module describes.
        is_final: whether the spot-check is finished. If not, the intervals are wide enough to be valid at every look
            until then (see `anytime`).

    Returns:
        NotEnoughLabels if a stratum has fewer than two labelled units and is not completely labelled.

    Raises:
        ValueError: `level` or `tuning` is out of its range.
    """
    if not 0 < level < 1:
        raise ValueError(f"The confidence is {level!r}; it must be between 0 and 1, for example 0.95.")
    if tuning is not None and not 0 <= tuning <= 1:
        raise ValueError(f"The tuning is {tuning!r}; it must be in [0, 1], or None to choose it automatically.")
    estimate = partial(_estimate, level=level, tuning=tuning, is_final=is_final)
    middle = estimate(check)
    if isinstance(middle, NotEnoughLabels) or not check.has_unknown or check.worst is None or check.best is None:
        return middle
    whole = replace(check, is_claim=_with_unknown(check), labelled_share=None)
    worst = estimate(replace(whole, people=check.worst))
    best = estimate(replace(whole, people=check.best))
    if isinstance(worst, NotEnoughLabels) or isinstance(best, NotEnoughLabels):
        return middle
    return replace(
        middle,
        labels_only=_widened(middle.labels_only, worst.labels_only, best.labels_only),
        corrected=_widened(middle.corrected, worst.corrected, best.corrected),
        unknown=UnknownLabels(
            if_wrong=worst.corrected.score, if_right=best.corrected.score, sampling=middle.corrected.interval
        ),
    )


def answers_apart(check: SpotCheckSample, score: float) -> float:
    """Return an approximate upper bound of the distance of a score of singly drawn claims from the mean over answers.

    An answer with share p of real claims counts p times in the ratio "supported claims / claims", and once in the mean
    over answers. They differ by cov(p, answer's score) / mean(p), and a covariance is at most the product of the
    standard deviations, which for shares of means p and theta are at most sqrt(p (1 - p)) and sqrt(theta (1 - theta)).
    It shrinks with the unlabelled share of the run. It is 0 if reviewers call everything a claim, and for whole
    answers.
    """
    if check.unit is not Unit.CLAIM or check.is_claim is None or check.is_claim.all():
        return 0.0
    survey = Survey(check)
    labelled = ~np.isnan(check.people)
    real = survey.mean(check.is_claim[labelled].astype(np.float64))
    if not 0 < real < 1:
        return 0.0
    return math.sqrt(score * (1 - score) * (1 - real) / real) * (1 - survey.known)


def _with_unknown(check: SpotCheckSample) -> Booleans | None:
    """Return which units have a claim if all unknown ones do."""
    if check.is_claim is None or check.worst is None or check.best is None:
        return None
    return np.asarray(check.is_claim | (check.worst < check.best))


def _widened(middle: Estimate, worst: Estimate, best: Estimate) -> Estimate:
    ends = (worst.interval, middle.interval, best.interval)
    return replace(middle, interval=Interval(min(end.low for end in ends), max(end.high for end in ends)))


def _estimate(
    check: SpotCheckSample, *, level: float, tuning: float | None, is_final: bool
) -> CorrectedScore | NotEnoughLabels:
    survey = Survey(check)
    refusal = _find_refusal(check, survey)
    if refusal is not None:
        return refusal
    quantile = student_quantile(level, survey.degrees)
    if not is_final and survey.unit_variance > 0:
        information = half_way_variance(check) / survey.unit_variance
        quantile = look_quantile(information, degrees=survey.degrees, level=level)
    estimator = _Estimator(survey, judge=check.raw_judge, quantile=quantile, is_final=is_final)
    labels_only = estimator.estimate(0.0)
    slope = estimator.best_slope() if tuning is None else tuning
    corrected = estimator.estimate(slope, is_fitted=tuning is None)
    if tuning is None and corrected.half_width >= labels_only.half_width:
        slope, corrected = 0.0, labels_only
    return CorrectedScore(
        judge=check.raw_judge,
        labels_only=labels_only,
        corrected=corrected,
        tuning=slope,
        labelled=len(survey.people),
        drawn=len(check.pi),
        degrees=survey.degrees,
    )


def foreseen_labels(check: SpotCheckSample, *, times: float) -> float:
    """Return the expected `Estimate.effective` of the corrected score if more units are labelled.

    Two of the refinements that widen a small sample's interval wear off: the uncertainty about how imperfect answers
    vary (`UnitSpread`), and the weight of single labels in lambda (`Survey.regression_variance`).

    Args:
        check: the spot-check so far, with enough labels for an estimate.
        times: the factor on the units labelled now, 1 or more; it may exceed the run.
    """
    survey = Survey(check)
    estimator = _Estimator(survey, judge=check.raw_judge, quantile=1.0, is_final=True)
    return estimator.foreseen(times)


def wilson_of_rest(score: float, *, labels: float, part: float, base: float, quantile: float) -> Interval:
    """Return Wilson's interval for base + part * p, where p is a share estimated from `labels` labels.

    Args:
        score: the estimate of the whole, in [0, 1].
        labels: the effective number of labels behind p; infinite gives the score itself.
        part: the weight of p in the whole, in [0, 1].
        base: the known part, in [0, 1 - part].
        quantile: Student's, for the interval's level.
    """
    if part <= 0 or math.isinf(labels):
        return Interval(score, score)
    inner = wilson_interval(clip((score - base) / part), labels, z=quantile)
    return Interval(clip(base + part * inner.low), clip(base + part * inner.high))


def uncertain_part(known: float) -> float:
    """Return the uncertain share of a run if the share `known` is labelled (see the module)."""
    return 2 * (1 - known) / (2 - known)


def student_quantiles(level: float, degrees: Floats) -> Floats:
    """Return `student_quantile` for each of many degrees of freedom."""
    from scipy.special import stdtrit  # here, so `import faithview` stays quick

    return np.asarray(stdtrit(degrees, (1 + level) / 2), dtype=np.float64)


class _Estimator:
    def __init__(self, survey: Survey, *, judge: float, quantile: float, is_final: bool) -> None:
        self._survey = survey
        self._judge = judge
        self._quantile = quantile
        # At some of many looks disagreement happens to be rare: allowed for as in a score interval of a rate.
        self._unseen = 0.0 if is_final else quantile**2 / 4 * survey.disagreement_variance
        self._part = uncertain_part(survey.known)
        self._base = survey.known_score * (1 - self._part) / survey.known
        self._plain_score = self._possible(survey.mean(survey.people))
        self._hidden = survey.hidden_variance
        self._plain_variance = survey.covariance(survey.people, survey.people) + self._hidden
        inner = clip((self._plain_score - self._base) / self._part) if self._part > 0 else 0.0
        # The variance if every unit were entirely right or wrong, and the observed ratio to it.
        most = inner * (1 - inner) * survey.unit_variance
        spread = UnitSpread(ratio=1.0, mixed=0)
        self._reference = self._plain_variance
        if self._plain_variance <= _NO_SPREAD * survey.unit_variance or most == 0:
            count = _ratio(1.0, survey.unit_variance)
            smoothed = (inner * count + 0.5) / (count + 1) if math.isfinite(count) else 0.5
            self._reference = smoothed * (1 - smoothed) * survey.unit_variance
        else:
            mixed = min(int((survey.scores < 1).sum()), int((survey.scores > 0).sum()))
            spread = UnitSpread(ratio=self._plain_variance / most, mixed=mixed)
        self._spread = spread
        self._labels = _ratio(1.0, survey.unit_variance * spread.of(1.0))

    def best_slope(self) -> float:
        """Return lambda, the regression coefficient of reviewers' scores on the judge's, clipped to [0, 1]."""
        spread = self._survey.covariance(self._survey.judge, self._survey.judge)
        if min(spread, self._plain_variance) <= _NO_SPREAD * self._survey.unit_variance:
            return 0.0
        return clip(self._survey.covariance(self._survey.people, self._survey.judge) / spread)

    def estimate(self, slope: float, *, is_fitted: bool = False) -> Estimate:
        """Estimate the score with this lambda; `is_fitted` if it was fitted to the same labels."""
        survey = self._survey
        residuals = survey.people - slope * survey.judge
        score = self._possible(slope * self._judge + survey.mean(residuals))
        variance, gain = self._plain_variance, 1.0
        if slope > 0:
            variance = (
                survey.regression_variance(survey.people, survey.judge, slope)
                if is_fitted
                else survey.covariance(residuals, residuals)
            )
            variance = max(variance + self._hidden, survey.disagreement_variance) + self._unseen
            gain = _ratio(self._reference, variance)
        labels = self._labels * gain
        interval = wilson_of_rest(
            score, labels=labels * self._part**2, part=self._part, base=self._base, quantile=self._quantile
        )
        return Estimate(score=score, interval=interval, variance=variance, effective=labels)

    def foreseen(self, times: float) -> float:
        """Return the effective number of labels for `foreseen_labels`."""
        survey, slope = self._survey, self.best_slope()
        plain = self._labels * times * self._spread.of(1.0) / self._spread.of(times)
        if slope == 0:
            return plain
        variance = survey.regression_variance(survey.people, survey.judge, slope, times=times)
        variance = max(variance + self._hidden, survey.disagreement_variance / times)
        return plain * max(1.0, _ratio(self._reference, variance))

    def _possible(self, score: float) -> float:
        """Clip an estimate to the range that the labelled part allows: the rest is between 0 and 1."""
        low = self._survey.known_score
        return min(low + max(0.0, 1 - self._survey.known), max(low, score))


def _find_refusal(check: SpotCheckSample, survey: Survey) -> NotEnoughLabels | None:
    for stratum, labelled, by_chance in zip(check.strata, survey.labelled, survey.by_chance, strict=True):
        missing = 0
        if labelled < stratum.units:
            missing = max(0, min(LEAST_LABELLED, stratum.units) - int(labelled), LEAST_LABELLED - int(by_chance))
            missing = min(missing, stratum.units - int(labelled))
        if missing:
            where = f"Stratum {stratum.name!r}" if len(check.strata) > 1 else "The spot-check"
            labelled_units = f"{labelled} labelled {check.unit.value if labelled == 1 else check.unit.value + 's'}"
            return NotEnoughLabels(
                judge=check.raw_judge,
                stratum=stratum.name,
                labelled=int(labelled),
                needed=missing,
                message=f"{where} has {labelled_units}, and an estimate needs at least {LEAST_LABELLED}; "
                f"label {missing} more.",
            )
    return None


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.inf
