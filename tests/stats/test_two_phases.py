"""Corrected scores of sampled windows: nothing changes at rate 1, and else the interval holds the logged mean."""

import math

import numpy as np
import pytest

from faithview.domain.scoring import Interval
from faithview.stats.combined_scores import about_logged
from faithview.stats.corrected_score import CorrectedScore, Estimate
from faithview.stats.intervals import student_quantile, wilson_interval


def _score(mean: float, interval: Interval, *, effective: float = 80.0) -> CorrectedScore:
    estimate = Estimate(score=mean, interval=interval, variance=0.001, effective=effective)
    return CorrectedScore(
        judge=mean, labels_only=estimate, corrected=estimate, tuning=0.5, labelled=50, drawn=50, degrees=49.0
    )


def test_where_all_logged_answers_were_judged_nothing_changes() -> None:
    score = _score(0.9, Interval(0.8, 0.96))
    assert about_logged(score, rate=1.0, answers=200) is score


def test_one_answer_says_nothing_of_the_rest_and_two_do() -> None:
    score = _score(0.9, Interval(0.8, 0.96))
    assert about_logged(score, rate=0.5, answers=1) is score
    assert about_logged(score, rate=0.5, answers=2).corrected.interval.low < 0.8


def test_what_the_draw_leaves_open_counts_as_so_many_answers_fewer() -> None:
    logged = about_logged(_score(0.9, Interval(0.8, 0.96), effective=80.0), rate=0.2, answers=100)
    assert logged.corrected.effective == pytest.approx(1 / (1 / 80 + 0.8 / 100))


def test_labels_on_every_judged_answer_leave_what_the_draw_leaves_open() -> None:
    # Known exactly for the judged answers: all that is left is Wilson's interval for 100 / (1 - 0.2) answers.
    known = about_logged(_score(0.9, Interval(0.9, 0.9), effective=math.inf), rate=0.2, answers=100)
    expected = wilson_interval(0.9, 125, z=student_quantile(0.95, 99))
    assert (known.corrected.interval.low, known.corrected.interval.high) == pytest.approx((expected.low, expected.high))
    assert known.corrected.effective == pytest.approx(125)
    assert known.corrected.variance == pytest.approx(0.001 + 0.8 / 100 * 0.9 * 0.1)


def test_distances_add_up_as_the_sides_of_a_right_angle() -> None:
    wide = about_logged(_score(0.5, Interval(0.4, 0.6)), rate=0.5, answers=50).corrected.interval
    drawn = wilson_interval(0.5, 100, z=student_quantile(0.95, 49))
    assert wide.low == pytest.approx(0.5 - math.hypot(0.1, 0.5 - drawn.low))
    assert wide.high == pytest.approx(0.5 + math.hypot(0.1, drawn.high - 0.5))


def test_the_interval_holds_the_mean_of_what_was_logged() -> None:
    rng = np.random.default_rng(16)
    held = ignored = 0
    days = 600
    for _ in range(days):
        logged = rng.random(3_000) < 0.9
        drawn = logged[rng.random(3_000) < 0.05].astype(float)
        # Half of the judged answers are labelled; the judge knows nothing.
        labels = rng.permutation(drawn)[: len(drawn) // 2]
        mean = float(labels.mean())
        of_judged = wilson_interval(mean, len(labels) / (1 - len(labels) / len(drawn)))
        score = _score(mean, of_judged)
        interval = about_logged(score, rate=0.05, answers=len(drawn)).corrected.interval
        truth = float(logged.mean())
        held += interval.low <= truth <= interval.high
        ignored += of_judged.low <= truth <= of_judged.high
    assert held / days >= 0.93
    assert ignored / days < 0.90  # what the draw leaves open cannot be left out
