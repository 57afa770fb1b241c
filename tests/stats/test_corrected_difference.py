"""Corrected scores compared: a worked example, a second implementation, and what holds over many draws."""

import pytest

from faithview.domain.scoring import Interval
from faithview.stats.corrected_difference import (
    CorrectedDifference,
    compare_corrected,
)
from faithview.stats.corrected_score import CorrectedScore, Estimate


def corrected(score: float, low: float, high: float, *, judge: float = 0.5) -> CorrectedScore:
    found = Estimate(score=score, interval=Interval(low, high), variance=0.0)
    return CorrectedScore(judge=judge, labels_only=found, corrected=found, tuning=0.5, labelled=50, drawn=50)


def test_a_difference_worked_by_hand() -> None:
    found = compare_corrected(corrected(0.9, 0.86, 0.93, judge=0.95), corrected(0.8, 0.76, 0.83, judge=0.9))
    assert found.difference == pytest.approx(-0.1)
    assert found.judge == pytest.approx(-0.05)
    # below: sqrt(0.04^2 + 0.03^2), above: sqrt(0.03^2 + 0.04^2)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.15, -0.05))
    assert found.is_clear


def test_a_difference_that_is_not_clear_worked_by_hand() -> None:
    found = compare_corrected(corrected(0.5, 0.44, 0.58), corrected(0.55, 0.47, 0.61))
    # below: sqrt(0.08^2 + 0.08^2), above: sqrt(0.06^2 + 0.06^2)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.05 - 0.113137, 0.05 + 0.084853), abs=1e-6)
    assert not found.is_clear


def test_the_interval_is_statsmodels_newcombes() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion", reason="statsmodels is not installed")
    limits = [proportion.proportion_confint(count, 60, method="wilson") for count in (57, 50)]
    baseline, candidate = (corrected(c / 60, *limit) for c, limit in zip((57, 50), limits, strict=True))
    found = compare_corrected(baseline, candidate).interval
    expected = proportion.confint_proportions_2indep(50, 60, 57, 60, compare="diff", method="newcomb")
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("low", "high", "is_clear"), [(0.0, 0.4, False), (0.1, 0.4, True), (-0.4, 0.0, False), (-0.4, -0.1, True)]
)
def test_a_difference_is_clear_where_its_interval_leaves_out_0(low: float, high: float, is_clear: bool) -> None:
    found = CorrectedDifference(baseline=0.5, candidate=0.5, difference=0.0, interval=Interval(low, high), judge=0.0)
    assert found.is_clear is is_clear
