"""Paired comparison: worked examples, scipy and statsmodels as second opinions, and what must hold for any pairs."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.judge_noise import answers_moved, noise_half_width
from faithview.stats.paired import (
    PairedDifference,
    compare_pairs,
    compare_segments,
    difference_interval,
    sign_flip_test,
)

Floats = NDArray[np.float64]

score = st.tuples(st.integers(0, 6), st.integers(1, 6)).map(lambda p: min(p) / p[1] if p[1] else 1.0)
pairs = st.lists(st.tuples(score, score, st.integers(0, 5)), min_size=1, max_size=30)


def compare(baseline: list[float], candidate: list[float], clusters: list[int] | None = None) -> PairedDifference:
    return compare_pairs(
        np.array(baseline), np.array(candidate), np.array(range(len(baseline)) if clusters is None else clusters)
    )


def known(interval: Interval | None) -> Interval:
    assert interval is not None
    return interval


def known_mean(found: PairedDifference) -> float:
    assert found.mean is not None
    return found.mean


def clustered(seed: int, number: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    of = np.sort(rng.integers(0, number // 2, number))
    level = rng.beta(8, 1, number)[of]
    return rng.binomial(8, level) / 8, rng.binomial(8, level) / 8, of


def test_means_and_counts_of_a_comparison_worked_by_hand() -> None:
    found = compare([1.0, 1.0, 0.5, 0.75], [0.5, 1.0, 0.75, 0.25])
    assert (found.baseline, found.candidate, found.mean) == (0.8125, 0.625, -0.1875)
    assert (found.pairs, found.clusters) == (4, 4)
    assert (found.regressed, found.improved, found.unchanged) == (2, 1, 1)


def test_the_exact_p_value_of_three_changes_worked_by_hand() -> None:
    # The sums 0.5, 0.25, 0.5 with all signs: |-0.5 + 0.25 - 0.5| = 0.75 is reached by 4 of the 8 ways.
    assert compare([1.0, 1.0, 0.5, 0.75], [0.5, 1.0, 0.75, 0.25]).p_value == 0.5


def test_the_exact_p_value_of_two_questions_with_several_answers_worked_by_hand() -> None:
    # Of the sums -1.5, 1 and 0 the last has no sign to flip; |-1.5 + 1| = 0.5 is reached by all 4 ways.
    assert sign_flip_test(np.array([-1.5, 1.0, 0.0])) == 1.0
    # |-1.5 - 1| is reached by 2 of them.
    assert sign_flip_test(np.array([-1.5, -1.0, 0.0])) == 0.5


def test_the_interval_of_one_loss_in_eight_worked_by_hand() -> None:
    # With one question gained and one lost there are 10 of mean -1 / 10 and sum of squares 3; their variance is
    # (3 - 10 / 100) / 9, the error of the mean its root over 10. Student's quantile with 9 degrees is 2.2622.
    found = known(difference_interval(np.array([-1.0] + [0.0] * 7), np.ones(8)))
    reach = 2.2622 * (2.9 / 9 / 10) ** 0.5
    assert (found.low, found.high) == pytest.approx((-0.1 - reach, -0.1 + reach), abs=1e-4)


def test_the_interval_of_questions_of_several_sizes_worked_by_hand() -> None:
    # Sums -1, 0 and 0.5 of 1, 2 and 3 pairs; the two added questions have 2 pairs: ten pairs of mean -0.5 / 10. The
    # residuals -0.95, 0.1, 0.65, 2.1 and -1.9 have the sum of squares 9.355. Student's quantile with 4 degrees of
    # freedom is 2.7764.
    found = known(difference_interval(np.array([-1.0, 0.0, 0.5]), np.array([1.0, 2.0, 3.0])))
    reach = 2.7764 * (9.355 * 5 / 4) ** 0.5 / 10
    assert (found.low, found.high) == pytest.approx((-0.05 - reach, -0.05 + reach), abs=1e-4)


def test_one_question_shows_no_spread() -> None:
    assert difference_interval(np.array([0.5]), np.ones(1)) is None


def test_the_detectable_difference_is_that_of_the_textbook() -> None:
    before, after = np.array([1.0, 1.0, 0.5, 0.75, 0.25] * 2), np.array([0.5, 1.0, 0.75, 0.25, 0.5] * 2)
    assert compare(list(before), list(after)).detectable == pytest.approx(
        2.80 * np.std(after - before, ddof=1) / 10**0.5
    )


def test_what_fewer_than_ten_pairs_would_show_is_not_said() -> None:
    before, after = [1.0, 1.0, 0.5, 0.75, 0.25, 1.0, 1.0, 1.0, 0.5], [0.5, 1.0, 0.75, 0.25, 0.5, 1.0, 1.0, 1.0, 0.5]
    assert compare(before, after).detectable is None
    assert compare([*before, 1.0], [*after, 1.0]).detectable is not None


def test_without_pairs_there_is_nothing_to_say() -> None:
    found = compare([], [])
    assert found.pairs == 0
    assert (found.mean, found.interval, found.p_value, found.detectable) == (None, None, None, None)


def test_rounding_is_no_change() -> None:
    found = compare([0.1 + 0.2, 0.7], [0.3, 0.1 * 7])
    assert (found.unchanged, found.mean, found.p_value) == (2, 0.0, 1.0)


def test_answers_to_one_question_are_not_taken_for_independent() -> None:
    before, after = [1.0] * 40, [0.5] * 8 + [1.0] * 32
    apart, together = compare(before, after), compare(before, after, [at // 8 for at in range(40)])
    assert apart.p_value is not None
    assert apart.p_value < 0.02
    assert together.p_value == 1.0
    assert known(apart.interval).high < known(together.interval).high


def test_a_score_that_is_none_or_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"A score is nan; scores must be in \[0, 1\]"):
        compare([1.0, math.nan], [1.0, 1.0])
    with pytest.raises(ValueError, match="2 baseline scores, 1 candidate scores"):
        compare([1.0, 1.0], [1.0])


@pytest.mark.parametrize("seed", range(2))
def test_the_p_value_is_scipys(seed: int) -> None:
    before, after, _ = clustered(seed, 40)
    after = np.clip(after - 0.04, 0, 1)
    found = compare(list(before), list(after))
    expected = (
        pytest.importorskip("scipy.stats")
        .permutation_test(
            (before, after), lambda a, b: (b - a).mean(), permutation_type="samples", n_resamples=40_000, rng=seed
        )
        .pvalue
    )
    assert found.p_value == pytest.approx(expected, abs=0.015)


def test_the_exact_p_value_is_scipys() -> None:
    before, after, _ = clustered(5, 12)
    expected = (
        pytest.importorskip("scipy.stats")
        .permutation_test((before, after), lambda a, b: (b - a).mean(), permutation_type="samples", n_resamples=np.inf)
        .pvalue
    )
    assert compare(list(before), list(after)).p_value == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(2))
def test_with_many_changes_the_interval_is_scipys_bootstrap_over_questions(seed: int) -> None:
    before, after, of = clustered(seed, 1_500)
    sums, sizes = (part[np.unique(of)] for part in (np.bincount(of, after - before), np.bincount(of)))
    expected = (
        pytest.importorskip("scipy.stats")
        .bootstrap((sums, sizes), lambda s, m, axis: s.sum(axis) / m.sum(axis), paired=True, method="percentile", rng=1)
        .confidence_interval
    )
    found = known(compare_pairs(before, after, of).interval)
    width = expected.high - expected.low
    # The two added questions widen it a little.
    assert found.low == pytest.approx(expected.low, abs=0.1 * width)
    assert found.high == pytest.approx(expected.high, abs=0.1 * width)


def test_the_spread_over_questions_is_statsmodels_cluster_robust_one() -> None:
    api = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed")
    before, after, of = clustered(2, 300)
    fit = api.OLS(after - before, np.ones(len(of))).fit(cov_type="cluster", cov_kwds={"groups": of})
    questions = len(np.unique(of))
    # statsmodels scales by (n - 1) / (n - 1) * K / (K - 1) for one coefficient, as here
    found = compare_pairs(before, after, of)
    assert found.clusters == questions
    assert found.mean == pytest.approx(float(fit.params[0]))
    assert found.detectable == pytest.approx(2.80 * float(fit.bse[0]), rel=1e-6)


@given(rows=pairs)
def test_comparing_the_other_way_round_turns_every_figure_round(rows: list[tuple[float, float, int]]) -> None:
    before, after, of = (list(column) for column in zip(*rows, strict=True))
    there, back = compare(before, after, of), compare(after, before, of)
    assert (there.regressed, there.improved) == (back.improved, back.regressed)
    assert there.p_value == back.p_value
    assert back.mean is not None
    assert there.mean == -back.mean
    if there.interval is not None:
        turned = known(back.interval)
        assert (there.interval.low, there.interval.high) == pytest.approx((-turned.high, -turned.low), abs=1e-12)


@given(rows=pairs, rng=st.randoms(use_true_random=False))
def test_neither_the_order_of_pairs_nor_the_numbers_of_questions_matter(
    rows: list[tuple[float, float, int]], rng: random.Random
) -> None:
    before, after, of = (list(column) for column in zip(*rows, strict=True))
    shuffled = rng.sample(rows, len(rows))
    other = compare([r[0] for r in shuffled], [r[1] for r in shuffled], [-17 * r[2] for r in shuffled])
    found = compare(before, after, of)
    assert found.p_value == other.p_value
    assert found.mean == other.mean
    if found.interval is not None:
        again = known(other.interval)
        assert (found.interval.low, found.interval.high) == pytest.approx((again.low, again.high), abs=1e-9)


@given(rows=pairs)
def test_the_interval_holds_the_difference_and_lies_between_minus_one_and_one(
    rows: list[tuple[float, float, int]],
) -> None:
    before, after, of = (list(column) for column in zip(*rows, strict=True))
    found = compare(before, after, of)
    if found.interval is not None:
        assert found.mean is not None
        assert -1 <= found.interval.low <= found.mean + 1e-9
        assert found.mean - 1e-9 <= found.interval.high <= 1


def test_segments_share_the_difference_out() -> None:
    before = np.array([1.0, 1.0, 1.0, 1.0, 0.5, 0.5])
    after = np.array([0.5, 0.5, 1.0, 1.0, 0.5, 0.7])
    found = compare_segments(["b", "b", "a", "a", None, None], before, after, np.arange(6))
    assert [s.segment for s in found] == ["a", "b", None]
    login, billing, none = found
    assert billing.difference == -0.5
    assert billing.contribution == pytest.approx(-1 / 6)
    assert none.contribution == pytest.approx(0.2 / 6)
    assert billing.share_of_delta == pytest.approx(1 / 0.8)
    assert none.share_of_delta == pytest.approx(-0.2 / 0.8)
    assert login.share_of_delta == 0


@given(rows=pairs, names=st.lists(st.sampled_from(["a", "b", "c", None]), min_size=30, max_size=30))
def test_the_segments_contributions_add_up_to_the_difference(
    rows: list[tuple[float, float, int]], names: list[str | None]
) -> None:
    before, after, of = (np.array(column) for column in zip(*rows, strict=True))
    found = compare_segments(names[: len(rows)], before, after, of)
    whole = compare_pairs(before, after, of)
    assert sum(s.contribution for s in found) == pytest.approx(whole.mean, abs=1e-12)
    assert sum(s.rows for s in found) == whole.pairs
    if found[0].share_of_delta is not None:
        assert sum(s.share_of_delta or 0.0 for s in found) == pytest.approx(1, abs=1e-12 / abs(whole.mean or 1))
    assert all((s.p_value_adjusted or 0.0) >= (s.p_value or 0.0) for s in found)


def test_the_noise_of_a_judge_worked_by_hand() -> None:
    # Four answers judged twice; one differs by 0.5, so its variance is 0.125 and that of a difference 2 * 0.125 / 16.
    scores = np.array([[1.0, 1.0, 0.5, 0.0], [1.0, 0.5, 0.5, 0.0]])
    assert answers_moved(scores) == 0.25
    assert noise_half_width(scores, 4) == pytest.approx(1.959964 * (2 * 0.125) ** 0.5 / 4)


def test_the_noise_of_three_judgings_with_a_gap_worked_by_hand() -> None:
    # The first answer's three scores have the variance 1 / 3 and differ in 2 of 3 pairs; the second's two are equal.
    scores = np.array([[1.0, 1.0], [0.0, np.nan], [1.0, 1.0]])
    assert answers_moved(scores) == pytest.approx(1 / 3)
    assert noise_half_width(scores, 2) == pytest.approx(1.959964 * (2 * (1 / 6) / 2) ** 0.5)
