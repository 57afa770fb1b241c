"""A run's mean and its interval, against tables worked out by hand and a plain second implementation."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.intervals import student_quantile, wilson_interval
from faithview.stats.run_score import Cluster, mean_interval, run_score


def test_a_run_s_mean_is_over_answers_and_its_bounds_count_the_unscored() -> None:
    # Answers 1, 0.5 (one question, two answers) and 0, with two unscored: (1 + 0.5 + 0) / 3; 1.5 / 5 and 3.5 / 5.
    score = run_score([Cluster(answers=2, total=1.5), Cluster(answers=1, total=0.0)], unscored=2)
    assert score.mean == pytest.approx(0.5)
    assert score.bounds is not None
    assert (score.bounds.low, score.bounds.high) == pytest.approx((0.3, 0.7))
    assert (score.judged, score.unscored) == (3, 2)


def test_without_a_judged_answer_there_is_no_number() -> None:
    score = run_score([], unscored=4)
    assert (score.mean, score.interval, score.bounds, score.unscored) == (None, None, None, 4)


def test_from_one_question_no_spread_is_estimated() -> None:
    assert mean_interval([Cluster(answers=5, total=4.0)]) is None


def test_a_run_without_spread_gets_wilson_s_interval_over_its_questions() -> None:
    t_39, t_1 = student_quantile(0.95, 39), student_quantile(0.95, 1)
    assert mean_interval([Cluster(answers=1, total=1.0, count=40)]) == wilson_interval(1.0, 40, z=t_39)
    # Clusters of different sizes and the same mean have no spread either.
    unequal = [Cluster(answers=1, total=1.0), Cluster(answers=3, total=3.0)]
    assert mean_interval(unequal) == wilson_interval(1.0, 2, z=t_1)


def test_answers_right_or_wrong_as_a_whole_count_once_each() -> None:
    # 18 right, 2 wrong: V = 20 / 19 * (18 * 0.1^2 + 2 * 0.9^2) / 400 = 0.09 / 19, so theta (1 - theta) / V = 19.
    interval = mean_interval([Cluster(answers=1, total=1.0, count=18), Cluster(answers=1, total=0.0, count=2)])
    expected = wilson_interval(0.9, 19, z=student_quantile(0.95, 19))
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_partly_right_answers_count_more_as_far_as_enough_of_them_were_seen() -> None:
    # 16 right, 4 half right: mean 0.9, V = 20 / 19 * (16 * 0.1^2 + 4 * 0.4^2) / 400 = 0.04 / 19; wholly right or wrong
    # it would be 0.09 / 19. The ratio 4 / 9 from 4 imperfect answers is shrunk to (4 * 4 / 9 + 1) / 5 = 5 / 9.
    interval = mean_interval([Cluster(answers=1, total=1.0, count=16), Cluster(answers=1, total=0.5, count=4)])
    expected = wilson_interval(0.9, 19 * 9 / 5, z=student_quantile(0.95, 19))
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_answers_to_one_question_are_not_independent() -> None:
    apart = mean_interval([Cluster(answers=1, total=1.0, count=36), Cluster(answers=1, total=0.0, count=4)])
    together = mean_interval([Cluster(answers=4, total=4.0, count=9), Cluster(answers=4, total=0.0, count=1)])
    assert apart is not None
    assert together is not None
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def _clusters() -> st.SearchStrategy[list[Cluster]]:
    scores = st.lists(st.fractions(0, 1, max_denominator=12).map(float), min_size=1, max_size=4)
    cluster = st.tuples(scores, st.integers(1, 5)).map(
        lambda p: Cluster(answers=len(p[0]), total=sum(p[0]), count=p[1])
    )
    return st.lists(cluster, min_size=1, max_size=10)


@given(clusters=_clusters(), unscored=st.integers(0, 20), random=st.randoms())
def test_every_run_s_figures_are_ordered_and_do_not_know_the_order(
    clusters: list[Cluster], unscored: int, random: Random
) -> None:
    score = run_score(clusters, unscored=unscored)
    assert score.mean is not None
    assert score.bounds is not None
    assert 0 <= score.bounds.low <= score.mean + 1e-12
    assert score.mean <= score.bounds.high + 1e-12
    assert score.bounds.high <= 1 + 1e-12
    if score.interval is not None:
        assert 0 <= score.interval.low <= score.interval.high <= 1
        assert score.interval.low - 1e-9 <= score.mean <= score.interval.high + 1e-9
    shuffled = list(clusters)
    random.shuffle(shuffled)
    assert run_score(shuffled, unscored=unscored) == score


def test_answers_drawn_with_different_chances_count_with_one_over_them() -> None:
    # Nine right answers at 0.5 and one wrong at 0.1: (9 * 2) / (9 * 2 + 10); one failed answer at 0.1 weighs 10.
    clusters = [Cluster(answers=1, total=2.0, weight=2.0, count=9), Cluster(answers=1, total=0.0, weight=10.0)]
    score = run_score(clusters, unscored=1, unscored_weight=10.0)
    assert score.mean == pytest.approx(18 / 28)
    assert score.bounds is not None
    assert (score.bounds.low, score.bounds.high) == pytest.approx((18 / 38, 28 / 38))
    assert (score.judged, score.unscored) == (10, 1)


def test_partly_right_answers_of_different_weights_worked_by_hand() -> None:
    # Ten right answers of weight 1, five of weight 3 and half right: mean 17.5 / 25 = 0.7. Squared residuals are
    # 10 * 0.3^2 + 5 * (1.5 - 2.1)^2 = 2.7. Kish's effect is 15 * (10 + 45) / 25^2 = 1.32.
    clusters = [
        Cluster(answers=1, total=1.0, weight=1.0, count=10),
        Cluster(answers=1, total=1.5, weight=3.0, count=5),
    ]
    ratio = (15 / 14 * 2.7 / 625) / (1.32 * 0.21 / 14)
    mixed = 5 / 1.32
    ratio = (mixed * ratio + 1) / (mixed + 1)
    expected = wilson_interval(0.7, 14 / 1.32 / ratio, z=student_quantile(0.95, 15 / 1.32 - 1))
    interval = mean_interval(clusters)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
