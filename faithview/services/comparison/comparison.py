"""What comparing two runs gives: the difference, where it is, which claims made it, and why."""

from dataclasses import dataclass

from faithview.domain.comparison import CauseShare, Change, Pairing
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparison.cautions import Caution
from faithview.services.comparison.judge_noise import JudgeNoise
from faithview.services.review.checks.label_balance import LabelBalance
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference
from faithview.stats.paired import McNemar, PairedDifference, SegmentDifference

__all__ = ["SEGMENT_ALPHA", "Comparison"]

# A segment's move is told where the whole did not move only below this p: the whole was tested at 5 % before.
SEGMENT_ALPHA = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs compared on the answers that both have.

    `difference`, `faithful`, `segments` and `causes` use the pairs that have a score on both sides (`pairing.scored`).
    The `causes` add up to `difference.mean`, the largest loss first. `changes` are the pairs in which anything changed,
    the worst regression first; pairs without any change are only counted.

    `view` says whose verdicts these figures go by, the judge's or people's. Single answers have no corrected score, so
    a comparison that was asked for the corrected view has `View.REVIEWED` here; `corrected` then compares the two runs'
    corrected scores, or says what is missing. In other views it is None.

    `labels` says how the two runs are labelled, None for the judge's view. Where they are not labelled alike, labels
    alone may make the difference, so there is neither interval nor p (`LabelBalance`).
    """

    baseline: Run
    candidate: Run
    view: View
    cautions: tuple[Caution, ...]
    pairing: Pairing
    difference: PairedDifference
    faithful: McNemar
    segments: tuple[SegmentDifference, ...]
    causes: tuple[CauseShare, ...]
    changes: tuple[Change, ...]
    noise: JudgeNoise | None
    labels: LabelBalance | None = None
    corrected: CorrectedDifference | NoCorrectedDifference | None = None

    @property
    def asked(self) -> View:
        """The view that was asked for; `View.CORRECTED` where `corrected` is there."""
        return self.view if self.corrected is None else View.CORRECTED

    @property
    def is_significant(self) -> bool:
        """Whether chance alone rarely makes a difference this large, under the verdicts of `view`."""
        return self.difference.is_significant

    @property
    def has_balanced_labels(self) -> bool:
        """Whether labels alone cannot make the difference."""
        return self.labels is None or self.labels.is_balanced

    @property
    def moved_apart(self) -> tuple[SegmentDifference, ...]:
        """The segments that moved significantly although the whole did not, the largest move first.

        Segments that moved in opposite directions hide each other at the 5 % level. A single one has to be surer
        (`SEGMENT_ALPHA`), because the whole was tested before. None where no test is made.
        """
        if self.is_significant:
            return ()
        moved = [segment for segment in self.segments if segment.is_significant]
        if not (any(s.difference < 0 for s in moved) and any(s.difference > 0 for s in moved)):
            moved = [s for s in moved if s.p_value_adjusted is not None and s.p_value_adjusted < SEGMENT_ALPHA]
        return tuple(sorted(moved, key=lambda segment: (-abs(segment.difference), segment.segment or "")))

    @property
    def is_judge_noise(self) -> bool:
        """Whether judging the same answers again moves the score as much as this."""
        return (
            self.noise is not None
            and self.difference.mean is not None
            and abs(self.difference.mean) <= self.noise.half_width
        )

    @property
    def is_regression(self) -> bool:
        """Whether the candidate is worse by more than chance and the judge's own noise explain.

        In the corrected view this is about the corrected scores, and False where they cannot be compared.
        """
        if self.corrected is not None:
            return isinstance(self.corrected, CorrectedDifference) and self.corrected.interval.high < 0
        return self.is_significant and not self.is_judge_noise and (self.difference.mean or 0.0) < 0
