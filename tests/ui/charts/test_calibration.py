"""The calibration chart shows how much each of its dots rests on."""

from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Calibration, CalibrationBin
from faithview.stats.shares import Share
from faithview.ui.charts.chart_colours import LIGHT
from faithview.ui.judges.accuracy import calibration_figure


def _bin(labels: int, *, confidence: float = 0.9) -> CalibrationBin:
    right = Share(value=0.5, interval=Interval(0.2, 0.8), labels=labels, effective=labels)
    return CalibrationBin(low=0.0, high=1.0, confidence=confidence, right=right)


def test_a_dots_area_is_its_labels_and_no_line_joins_them() -> None:
    bins = (_bin(4, confidence=0.6), _bin(5, confidence=0.7), _bin(80))
    figure = calibration_figure(Calibration(bins=bins, error=0.1, without=0), theme=LIGHT)
    dots = figure.data[1]
    assert dots.mode == "markers"
    assert (list(dots.marker.size), dots.marker.sizemode) == ([4, 5, 80], "area")
    assert dots.marker.color == LIGHT.accent
    assert dots.text[0] == "stated 0.60, right 0.50 (0.20–0.80, n 4)"
