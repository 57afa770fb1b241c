"""Two runs' corrected scores compared.

Each run's corrected score has its own interval, skewed if the score is near 1. The interval of the difference is
computed from both (`independent_difference`).

The two spot-checks are assumed to be independent draws. If labels were carried over from one run to the other, or the
same questions were drawn, the errors of the two scores are usually correlated and the true interval is narrower than
this one, which is the safe side. It would be too narrow only if reviewers corrected the judge in opposite directions on
the same questions. The target is the difference of the runs' own means, over all their judged answers and not over
pairs only.
"""

from dataclasses import dataclass

from faithview.domain.scoring import Interval
from faithview.stats.corrected_score import CorrectedScore, Estimate, NotEnoughLabels
from faithview.stats.intervals import independent_difference


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedDifference:
    """How two runs' corrected scores differ, candidate - baseline, in [-1, 1].

    `judge` is the difference of the judge's own means, for comparison. `interval` has the confidence level of the two
    scores.
    """

    baseline: float
    candidate: float
    difference: float
    interval: Interval
    judge: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.interval.low > 0 or self.interval.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCorrectedDifference:
    """Why two runs' corrected scores cannot be compared. `message` is a sentence or two for the page."""

    message: str


def compare_corrected(
    baseline: CorrectedScore | NotEnoughLabels | None,
    candidate: CorrectedScore | NotEnoughLabels | None,
) -> CorrectedDifference | NoCorrectedDifference:
    """Compare two corrected scores, both estimated at the same level.

    Args:
        baseline: the score of the earlier run; None for a run without a spot-check.
        candidate: the score of the later run, likewise.
    """
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
    return independent_difference(candidate.score, candidate.interval, baseline.score, baseline.interval)


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
