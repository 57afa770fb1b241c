"""A run's mean and its interval, against tables worked out by hand and a plain second implementation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithview.stats.run_score import Cluster, mean_interval, run_score
from faithview.stats.wilson import wilson_interval


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
    assert mean_interval([Cluster(answers=1, total=1.0, count=40)]) == wilson_interval(1.0, 40)
    # Clusters of different sizes and the same mean have no spread either.
    assert mean_interval([Cluster(answers=1, total=1.0), Cluster(answers=3, total=3.0)]) == wilson_interval(1.0, 2)


def _plain_bootstrap(clusters: list[Cluster], resamples: int) -> tuple[float, float]:
    """Draw whole clusters one by one, with replacement."""
    each = [(c.answers, c.total) for c in clusters for _ in range(c.count)]
    answers, totals = np.array([a for a, _ in each]), np.array([t for _, t in each])
    draws = np.random.default_rng(1).integers(0, len(each), size=(resamples, len(each)))
    means = totals[draws].sum(axis=1) / answers[draws].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


@pytest.mark.parametrize("seed", range(4))
def test_interval_is_that_of_a_plain_bootstrap_over_questions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clusters = []
    for _ in range(60):
        answers = int(rng.integers(1, 4))
        clusters.append(Cluster(answers=answers, total=float(rng.choice([0, 0.5, 1], answers).sum())))
    clusters.append(Cluster(answers=1, total=1.0, count=30))
    interval = mean_interval(clusters)
    assert interval is not None
    low, high = _plain_bootstrap(clusters, 20_000)
    tolerance = 0.08 * (high - low)  # the Monte Carlo error of 2,000 resamples, twice
    assert interval.low == pytest.approx(low, abs=tolerance)
    assert interval.high == pytest.approx(high, abs=tolerance)


def _clusters() -> st.SearchStrategy[list[Cluster]]:
    scores = st.lists(st.fractions(0, 1, max_denominator=12).map(float), min_size=1, max_size=4)
    cluster = st.tuples(scores, st.integers(1, 5)).map(
        lambda p: Cluster(answers=len(p[0]), total=sum(p[0]), count=p[1])
    )
    return st.lists(cluster, min_size=1, max_size=10)


@settings(max_examples=60, deadline=None)
@given(clusters=_clusters(), unscored=st.integers(0, 20), random=st.randoms())
def test_every_run_s_figures_are_ordered_and_do_not_know_the_order(
    clusters: list[Cluster], unscored: int, random: object
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
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert run_score(shuffled, unscored=unscored) == score


def test_clusters_handed_over_as_one_or_one_by_one_give_the_same_figures() -> None:
    together = run_score([Cluster(answers=1, total=0.1, count=10), Cluster(answers=1, total=0.7)], unscored=0)
    apart = run_score([*[Cluster(answers=1, total=0.1)] * 10, Cluster(answers=1, total=0.7)], unscored=0)
    assert together == apart


def test_a_95_percent_interval_holds_the_truth_about_19_times_in_20() -> None:
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(150):
        scores = rng.beta(4, 1, size=80)  # skewed towards 1, as real runs are; its mean is 0.8
        interval = mean_interval([Cluster(answers=1, total=float(score)) for score in scores])
        assert interval is not None
        hits += interval.low <= 0.8 <= interval.high
    # 95 % nominal; a percentile bootstrap falls a little short on 80 skewed scores, and 150 trials have a standard
    # error of 2 points.
    assert 0.89 <= hits / 150 <= 0.99
