"""Two runs' corrected scores compared.

Each run's corrected score has an interval of its own, skewed where the score is near 1. The interval of the difference
is put together from the distances of both scores to their limits, the method of variance estimates recovery (Newcombe
1998, method 10; Zou and Donner 2008, "Construction of confidence limits about effect measures"), so that it keeps the
skew and never leaves [-1, 1]:

    low = d - sqrt((candidate - its low)^2 + (the baseline's high - baseline)^2),      high likewise.

The two spot-checks are taken to be independent draws. Where labels were carried over from one run to the other, or the
same questions were drawn, the errors of the two scores go together as a rule, and the true interval is narrower than
this one: on the safe side. Only if the questions that people put right in one run were those they put wrong in the
other would it be too narrow. The target is the difference of the runs' own means, over all their judged answers and not
over pairs only.
"""

from dataclasses import dataclass

from faithview.domain.scoring import Interval
from faithview.stats.prediction_powered import CorrectedScore, Estimate, NotEnoughLabels


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedDifference:
    """How two runs' corrected scores differ, candidate - baseline, in [-1, 1].

    `judge` is the difference of the judge's own means, for the reader to hold against it. `interval` is of the level
    that the two scores were estimated at.
    """

    baseline: float
    candidate: float
    difference: float
    interval: Interval
    judge: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval.low > 0 or self.interval.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCorrectedDifference:
    """Why two runs' corrected scores cannot be compared. `message` is a sentence or two for the page."""

    message: str


def compare_corrected(
    baseline: CorrectedScore | NotEnoughLabels | None, candidate: CorrectedScore | NotEnoughLabels | None
) -> CorrectedDifference | NoCorrectedDifference:
    """Compare two corrected scores, both estimated at the same level; None stands for a run without a spot-check."""
    if isinstance(baseline, CorrectedScore) and isinstance(candidate, CorrectedScore):
        return _difference(baseline, candidate)
    lacking = [
        _reason(name, score)
        for name, score in (("baseline", baseline), ("candidate", candidate))
        if not isinstance(score, CorrectedScore)
    ]
    return NoCorrectedDifference(message=" ".join(lacking))


def difference_of_estimates(baseline: Estimate, candidate: Estimate) -> Interval:
    """Return the interval of candidate - baseline for two estimates from independent draws, in [-1, 1]."""
    middle = candidate.score - baseline.score
    below = _reach(candidate.score - candidate.interval.low, baseline.interval.high - baseline.score)
    above = _reach(candidate.interval.high - candidate.score, baseline.score - baseline.interval.low)
    return Interval(max(-1.0, middle - below), min(1.0, middle + above))


def _difference(baseline: CorrectedScore, candidate: CorrectedScore) -> CorrectedDifference:
    return CorrectedDifference(
        baseline=baseline.corrected.score,
        candidate=candidate.corrected.score,
        difference=candidate.corrected.score - baseline.corrected.score,
        interval=difference_of_estimates(baseline.corrected, candidate.corrected),
        judge=candidate.judge - baseline.judge,
    )


def _reason(name: str, score: NotEnoughLabels | None) -> str:
    if score is None:
        return f"The {name} has no spot-check, so its score cannot be corrected; draw one and label it."
    return f"The {name}'s score cannot be corrected yet. {score.message}"


def _reach(one: float, other: float) -> float:
    return float((max(0.0, one) ** 2 + max(0.0, other) ** 2) ** 0.5)
