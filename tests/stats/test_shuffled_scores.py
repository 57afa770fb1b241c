"""What slices would score by chance: the scale for numbers of claims, and the normal scale for skewed losses."""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.sparse import csr_array
from scipy.stats import gamma, hypergeom, norm
from scipy.stats import skew as skewness

from faithview.stats import slices as slice_stats
from faithview.stats.slices import deviations, from_skewed, slice_strengths, to_skewed


def test_more_claims_spread_less() -> None:
    rng = np.random.default_rng(1)
    claims = np.repeat([1, 2, 4, 10], 5_000)
    scores = rng.binomial(claims, 0.8) / claims
    spread = deviations(scores - scores.mean(), claims)
    for number in (1, 2, 4, 10):
        assert spread[claims == number][0] == pytest.approx((0.8 * 0.2 / number) ** 0.5, rel=0.06)


def test_the_spread_is_fitted_by_least_squares_without_negative_parts() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        claims = rng.integers(1, rng.integers(2, 7), 40)
        residuals = rng.normal(0, 1, 40) * rng.random() * claims ** rng.uniform(-1, 0.5)
        (floor, part), _ = nnls(np.column_stack([np.ones(40), 1 / claims]), residuals**2)
        fitted = np.maximum(floor + part / claims, 0.05 * (residuals**2).mean())
        assert deviations(residuals, claims) ** 2 == pytest.approx(fitted)


@pytest.mark.parametrize(("answers", "low", "size"), [(60, 8, 15), (120, 7, 30), (400, 37, 90)])
def test_equal_losses_are_ties_whatever_order_they_are_added_in(answers: int, low: int, size: int) -> None:
    # Scores of 0 and 1 and one slice: its p-value is that of Fisher's exact test, in which ties count.
    rng = np.random.default_rng(answers)
    losses, inside = np.zeros(answers), np.zeros(answers, dtype=bool)
    losses[rng.choice(answers, low, replace=False)] = 1
    inside[rng.choice(answers, size, replace=False)] = True
    strengths = slice_strengths(
        losses, np.ones(answers, int), np.arange(answers), csr_array(inside[np.newaxis]), shuffles=4_000, seed=8
    )
    assert strengths is not None
    exact = hypergeom(answers, low, size).sf(losses[inside].sum() - 1)
    assert strengths.adjusted[0] == pytest.approx(exact, abs=0.03)


@pytest.mark.parametrize("skew", [0.3, 1.0, 2.0])
def test_a_gamma_variable_becomes_nearly_normal(skew: float) -> None:
    shape = 4 / skew**2
    for share in (0.9, 0.99, 0.9999):
        deviate = (gamma.ppf(share, shape) - shape) / shape**0.5
        assert from_skewed(deviate, skew) == pytest.approx(norm.ppf(share), rel=0.03)


def test_back_from_the_normal_scale() -> None:
    for skew in (-0.8, 0.5, 2.0):
        assert from_skewed(to_skewed(3.0, skew), skew) == pytest.approx(3.0)
    assert to_skewed(3.0, 0.0) == 3.0


def test_small_and_large_slices_of_skewed_scores_compete_evenly() -> None:
    # 30 small and 30 large slices: each kind should hold the strongest about as often.
    rng = np.random.default_rng(2)
    slices = np.array([rng.random(300) < share for share in [0.04] * 30 + [0.3] * 30])
    losses = 1 - rng.binomial(3, rng.beta(3.8, 0.2, 300)) / 3
    strengths = slice_strengths(losses, np.full(300, 3), np.arange(300), csr_array(slices), shuffles=600, seed=3)
    assert strengths is not None
    is_small = strengths.shuffled.argmax(axis=0) < 30
    assert 0.3 < is_small.mean() < 0.75


def test_losses_that_are_all_the_same_say_nothing() -> None:
    members = csr_array(np.ones((1, 5), dtype=bool))
    assert slice_strengths(np.zeros(5), np.ones(5, int), np.arange(5), members, shuffles=9, seed=1) is None


def test_a_total_is_brought_to_the_normal_scale_by_the_others_mean_spread_and_skewness() -> None:
    totals = np.random.default_rng(4).gamma(2.0, 1.5, (2, 40))
    totals[1] -= 9
    found = slice_stats._on_normal_scale(totals)
    for row, strengths in zip(totals, found, strict=True):
        for at, total in enumerate(row):
            others = np.delete(row, at)
            deviate = (total - others.mean()) / others.std()
            assert strengths[at] == pytest.approx(from_skewed(deviate, skewness(others)), rel=1e-4, abs=1e-5)


def test_totals_without_skewness_are_only_standardised() -> None:
    # Without 0 the others are 2 and -2, three of each: mean 0, standard deviation 2, skewness 0.
    found = slice_stats._on_normal_scale(np.array([[1.0, 2.0, -2.0, 2.0, -2.0, 2.0, -2.0]]))
    assert found[0, 0] == pytest.approx(0.5)


def test_p_values_that_allow_for_all_slices_worked_by_hand() -> None:
    # Three slices, the run itself and three shuffles. The strongest slice, the second, competes with all: 3.0 is
    # reached by the run and once by the third slice. The next, the first, competes with itself and the third: 2.0 is
    # reached by the run and twice. The last competes with itself alone: 1.0 is reached by the run and once, but its
    # p-value is not below that of a stronger one.
    strengths = np.array([[2.0, 2.5, 0.1, 0.2], [3.0, 0.4, 0.5, 0.6], [1.0, 0.0, 3.5, 0.3]], dtype=np.float32)
    assert slice_stats._step_down(strengths).tolist() == [0.75, 0.5, 0.75]


def test_strengths_that_differ_by_rounding_are_ties() -> None:
    strengths = np.array([[2.0, 1.99995, 1.999, 0.0]], dtype=np.float32)
    assert slice_stats._step_down(strengths).tolist() == [0.5]


def test_a_run_is_above_its_critical_strength_as_seldom_as_was_asked_for() -> None:
    members = csr_array(np.arange(60) % 5 == np.arange(5)[:, np.newaxis])
    losses = np.random.default_rng(1).random(60)
    found = slice_strengths(losses, np.ones(60, int), np.arange(60), members, shuffles=199, seed=2)
    assert found is not None
    assert found.shuffled.shape == (5, 200)
    assert (found.shuffled.max(axis=0) > found.critical(0.9)).sum() == 20


def test_answers_change_places_within_their_question_and_whole_questions_with_others_of_their_size() -> None:
    # Questions 0 and 3 have two answers each, 1 and 2 one each; questions stand mixed.
    questions = np.array([3, 0, 1, 0, 3, 2])
    blocks = slice_stats._blocks(questions)
    assert sorted(block.shape for block in blocks) == [(2, 1), (2, 2)]
    rng = np.random.default_rng(0)
    drawn = {tuple(slice_stats._shuffle(blocks, 6, rng).tolist()) for _ in range(400)}
    assert len(drawn) == 2 * 2 * 2 * 2  # either order of the single ones, of the pairs, and within each pair
    for source in drawn:
        assert {source[2], source[5]} == {2, 5}
        assert {questions[source[0]], questions[source[4]]} in ({0}, {3})


def test_a_slice_is_as_strong_as_its_losses_are_among_all_ways_to_shuffle_them() -> None:
    # 1,001 ways to draw four of fourteen answers; the slice holds the four largest of the equally spaced losses.
    losses = np.arange(14) / 13
    inside = csr_array((np.arange(14) >= 10)[np.newaxis])
    found = slice_strengths(losses, np.full(14, 2), np.arange(14), inside, shuffles=3_000, seed=1)
    assert found is not None
    # Sum 11.5 / 13 * 4 against 2 of 4 expected; its variance is 4 * (10 / 13) * s^2 of 14 equally spaced losses.
    spread = (4 * (10 / 13) * np.var(losses)) ** 0.5
    assert found.observed[0] == pytest.approx((46 / 13 - 2) / spread, rel=0.05)
    assert found.adjusted[0] == pytest.approx(1 / 1001, abs=2e-3)


def test_the_spread_of_four_answers_is_fitted_too() -> None:
    # 1 / m is 1/2 and 1, and the squares are 0.16 and 0.25: 0.07 + 0.18 / m fits both.
    found = deviations(np.array([0.4, -0.4, 0.5, -0.5]), np.array([2, 2, 1, 1]))
    assert found == pytest.approx([0.4, 0.4, 0.5, 0.5])


@pytest.mark.parametrize("shuffles", [1, 5, 6, 7, 10])
def test_shuffles_are_the_same_however_many_are_drawn_at_a_time(shuffles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    members = csr_array(np.arange(30) % 5 == np.arange(5)[:, np.newaxis])
    losses, claims = np.random.default_rng(3).random(30), np.arange(30) % 4 + 1

    def draw() -> np.ndarray:
        found = slice_strengths(losses, claims, np.arange(30), members, shuffles=shuffles, seed=1)
        assert found is not None
        return found.shuffled

    monkeypatch.setattr(slice_stats, "_BLOCK", 5)
    in_blocks = draw()
    monkeypatch.undo()
    assert in_blocks.shape == (5, shuffles + 1)
    assert in_blocks == pytest.approx(draw(), abs=1e-4)


def test_all_answers_together_depart_from_the_mean_in_no_shuffle() -> None:
    rng = np.random.default_rng(2)
    found = slice_strengths(
        rng.random(60), rng.integers(1, 9, 60), np.arange(60), csr_array(np.ones((1, 60))), shuffles=99, seed=1
    )
    assert found is not None
    assert np.abs(found.shuffled).max() < 0.1
