"""Which parts of a run are called lower than the run: exact against a binomial, and rarely by chance."""

import numpy as np
import pytest
from scipy.stats import binom

from faithview.stats.multiple_tests import low_part_p_values
from faithview.stats.run_score import Cluster, run_score
from tests.performance import slices


def _right(right: int, answers: int) -> list[Cluster]:
    return [
        Cluster(answers=1, total=1.0, count=right),
        Cluster(answers=1, total=0.0, count=answers - right),
    ]


def test_of_answers_right_or_wrong_as_a_whole_p_is_a_binomial_tail() -> None:
    # 360 of 400 are right, and 16 of 25 in one part: its interval is far below the mean.
    whole = run_score(_right(360, 400), unscored=0)
    (alone,) = low_part_p_values(whole, [run_score(_right(16, 25), unscored=0)])
    # One answer of the run is worth (n - 1) / n, since its variance is estimated.
    assert alone == pytest.approx(binom.cdf(16, 25, 0.9), rel=0.1)


def test_p_allows_for_the_number_of_parts() -> None:
    whole = run_score(_right(360, 400), unscored=0)
    low, rest = run_score(_right(18, 25), unscored=0), run_score(_right(23, 25), unscored=0)
    (alone,) = low_part_p_values(whole, [low])
    among = low_part_p_values(whole, [low, *[rest] * 15])
    assert alone is not None
    assert alone < 0.05
    assert among[0] == pytest.approx(16 * alone)
    assert min(p for p in among if p is not None) > 0.05


def test_a_part_without_a_score_has_no_p_and_a_run_without_an_interval_none_at_all() -> None:
    empty, part = run_score([], unscored=3), run_score(_right(1, 5), unscored=0)
    assert low_part_p_values(run_score(_right(360, 400), unscored=0), [empty, part])[0] is None
    assert low_part_p_values(run_score([Cluster(answers=9, total=3.0)], unscored=0), [part]) == (None,)
    assert low_part_p_values(empty, [part]) == (None,)


def test_a_run_whose_answers_all_score_alike_names_no_part() -> None:
    whole = run_score(_right(40, 40), unscored=0)
    (p,) = low_part_p_values(whole, [run_score(_right(20, 20), unscored=0)])
    assert p == 1.0
    (p,) = low_part_p_values(run_score(_right(0, 40), unscored=0), [run_score(_right(0, 20), unscored=0)])
    assert p == 1.0


@pytest.mark.parametrize("segments", [10, 40])
def test_a_run_whose_segments_are_alike_seldom_names_a_weakest(segments: int) -> None:
    # Each own interval against the mean named one in 13 % of the runs with 10 segments, and in 53 % with 40.
    rng = np.random.default_rng(7)
    found = sum(slices.segment_alarms(setting, segments, 1, 25, rng) for setting in slices.ALIKE)
    assert found <= 8  # of 100: at a share of 5 % more come up in 6 % of the cases, and the seed is fixed
