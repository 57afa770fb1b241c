"""What slices would score by chance: the scale for numbers of claims, and the normal scale for skewed losses."""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.sparse import csr_array
from scipy.stats import gamma, hypergeom, norm

from faithview.stats.slices.shuffled_scores import deviations, from_skewed, slice_strengths, to_skewed


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
