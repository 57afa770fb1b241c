"""Corrected scores compared: a worked example, a second implementation, and what holds over many draws."""

import pytest

from faithview.domain.scoring import Interval
from faithview.stats.corrected_difference import (
    CorrectedDifference,
    NoCorrectedDifference,
    compare_corrected,
    difference_of_estimates,
)
from faithview.stats.corrected_score import CorrectedScore, Estimate, NotEnoughLabels


def estimate(score: float, low: float, high: float) -> Estimate:
    return Estimate(score=score, interval=Interval(low, high), variance=0.0)


def corrected(score: float, low: float, high: float, *, judge: float) -> CorrectedScore:
    found = estimate(score, low, high)
    return CorrectedScore(judge=judge, labels_only=found, corrected=found, tuning=0.5, labelled=50, drawn=50)


def few() -> NotEnoughLabels:
    return NotEnoughLabels(judge=0.9, labelled=1, needed=1, message="The spot-check has 1; label 1 more.")


def test_a_difference_worked_by_hand() -> None:
    found = compare_corrected(corrected(0.9, 0.86, 0.93, judge=0.95), corrected(0.8, 0.76, 0.83, judge=0.9))
    assert isinstance(found, CorrectedDifference)
    assert found.difference == pytest.approx(-0.1)
    assert found.judge == pytest.approx(-0.05)
    # below: sqrt(0.04^2 + 0.03^2), above: sqrt(0.03^2 + 0.04^2)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.15, -0.05))
    assert found.is_clear


def test_the_interval_is_statsmodels_newcombes() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion", reason="statsmodels is not installed")
    limits = [proportion.proportion_confint(count, 60, method="wilson") for count in (57, 50)]
    baseline, candidate = (estimate(c / 60, *limit) for c, limit in zip((57, 50), limits, strict=True))
    found = difference_of_estimates(baseline, candidate)
    expected = proportion.confint_proportions_2indep(50, 60, 57, 60, compare="diff", method="newcomb")
    assert (found.low, found.high) == pytest.approx(expected)


def test_the_other_way_round_is_the_mirror_image() -> None:
    one, other = estimate(0.95, 0.85, 0.98), estimate(0.7, 0.5, 0.8)
    there, back = difference_of_estimates(one, other), difference_of_estimates(other, one)
    assert (there.low, there.high) == (-back.high, -back.low)


def test_the_interval_stays_between_minus_one_and_one() -> None:
    found = difference_of_estimates(estimate(1.0, 0.1, 1.0), estimate(0.0, 0.0, 0.9))
    assert found.low == -1.0


@pytest.mark.parametrize(
    ("baseline", "candidate", "words"),
    [
        (None, corrected(0.9, 0.8, 0.95, judge=0.9), "The baseline has no spot-check"),
        (corrected(0.9, 0.8, 0.95, judge=0.9), few(), "The candidate's score cannot be corrected yet. The spot-check"),
    ],
)
def test_labels_in_one_run_only_give_a_reason_and_no_number(
    baseline: CorrectedScore | None, candidate: CorrectedScore | NotEnoughLabels, words: str
) -> None:
    found = compare_corrected(baseline, candidate)
    assert isinstance(found, NoCorrectedDifference)
    assert found.message.startswith(words)


def test_what_both_runs_lack_is_said_of_both() -> None:
    found = compare_corrected(few(), None)
    assert isinstance(found, NoCorrectedDifference)
    assert "baseline's score" in found.message
    assert "candidate has no spot-check" in found.message


@pytest.mark.parametrize(
    ("low", "high", "is_clear"), [(0.0, 0.4, False), (0.1, 0.4, True), (-0.4, 0.0, False), (-0.4, -0.1, True)]
)
def test_a_difference_is_clear_where_its_interval_leaves_out_0(low: float, high: float, is_clear: bool) -> None:
    found = CorrectedDifference(baseline=0.5, candidate=0.5, difference=0.0, interval=Interval(low, high), judge=0.0)
    assert found.is_clear is is_clear
