"""What is said where a corrected score is not shown."""

from faithview.domain.scoring import Interval
from faithview.wording.corrected_score import too_wide


def test_where_more_labels_would_not_help_nobody_is_asked_for_them() -> None:
    interval = Interval(0.5, 0.9)
    few = too_wide(interval, labels=8, more=40, half_width=0.1, sampling_half_width=0.2)
    assert few.startswith("Too few labels")
    tied = too_wide(interval, labels=200, more=0, half_width=0.1, sampling_half_width=0.05)
    assert tied.startswith("Labels that are missing or differ leave the corrected score between 0.50 and 0.90.")
