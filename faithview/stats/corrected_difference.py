"""Two runs' corrected scores compared.

Each run's corrected score has its own interval, skewed if the score is near 1. The interval of the difference is
computed from both (`independent_difference`).

The two spot-checks are assumed to be independent draws. If the same questions were drawn, the errors of the two scores
are usually correlated and the true interval is narrower than this one, which is the safe side. It would be too narrow
only if reviewers corrected the judge in opposite directions on the same questions. The target is the difference of the
runs' own means, over all their judged answers and not over pairs only.
"""

from dataclasses import dataclass

from faithview.domain.scoring import Interval
from faithview.stats.corrected_score import CorrectedScore
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


def compare_corrected(baseline: CorrectedScore, candidate: CorrectedScore) -> CorrectedDifference:
    """Compare the corrected scores of two runs, from independent draws and at the same level."""
    before, after = baseline.corrected, candidate.corrected
    return CorrectedDifference(
        baseline=before.score,
        candidate=after.score,
        difference=after.score - before.score,
        interval=independent_difference(after.score, after.interval, before.score, before.interval),
        judge=candidate.judge - baseline.judge,
    )
