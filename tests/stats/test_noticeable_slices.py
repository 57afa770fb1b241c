"""How much lower a slice has to score to be noticed: right about four times in five."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from faithview.stats.slices import find_low_slices, noticeable_sizes, to_skewed


def test_larger_slices_show_smaller_differences() -> None:
    rng = np.random.default_rng(1)
    scores = rng.binomial(3, 0.95, 200) / 3
    sizes = noticeable_sizes(scores, np.arange(200), critical=3.2, fewest=8)
    assert [item.questions for item in sizes] == [10, 20, 50]
    differences = [item.difference or 1.0 for item in sizes]
    assert differences == sorted(differences, reverse=True)


def test_a_slice_that_cannot_be_low_enough_is_said_to_be_missed() -> None:
    scores = np.array([0.0] * 50 + [0.1] * 4)
    assert noticeable_sizes(scores, np.arange(54), critical=4, fewest=8)[0].difference is None
    assert noticeable_sizes(np.ones(50), np.arange(50), critical=4, fewest=8)[0].difference is None


def test_such_a_slice_is_found_about_four_times_in_five() -> None:
    rng = np.random.default_rng(2)
    slices = np.array([rng.random(300) < share for share in rng.uniform(0.05, 0.3, 40)])
    slices[0] = np.arange(300) < 30
    members, claims, questions = csr_array(slices), np.full(300, 3), np.arange(300)

    def search(lower: float) -> tuple[bool, float]:
        chance = np.where(slices[0], 0.92 - lower, 0.92)
        found = find_low_slices(rng.binomial(3, chance) / 3, claims, questions, members, shuffles=199)
        said = next((item.difference for item in found.noticeable if item.questions == 30), None)
        return any(low.number == 0 for low in found.slices), said or 0.0

    said = float(np.mean([search(0.0)[1] for _ in range(10)]))
    assert 0.1 < said < 0.35
    hits = sum(search(said)[0] for _ in range(60))
    assert hits / 60 == pytest.approx(0.8, abs=0.17)


@pytest.mark.parametrize(
    ("wrong", "skew", "ratio"),
    # Scores of 1, and 10 of 100 at 0: variance 0.09, skewness of the losses 0.8 / 0.3, as large as 0.9 * 0.1 allows.
    # Or 20 at 0.5: variance 0.04, 4 / 9 of what the mean allows, and skewness 0.6 / 0.4.
    [([0.0] * 10, 0.8 / 0.3, 1.0), ([0.5] * 20, 0.6 / 0.4, 4 / 9)],
)
def test_the_difference_that_would_be_noticed_is_that_of_the_test_and_of_its_power(
    wrong: list[float], skew: float, ratio: float
) -> None:
    scores, variance = np.array(wrong + [1.0] * (100 - len(wrong))), ratio * 0.09
    # Two answers to each question, as good as each other.
    found = noticeable_sizes(np.repeat(scores, 2), np.repeat(np.arange(100), 2), critical=2.0, fewest=8)
    assert [item.questions for item in found] == [8, 10, 25]
    for size, item in zip((8, 10, 25), found, strict=True):
        assert item.difference is not None
        # The mean of `size` questions drawn from 100 without replacement is less skewed, the more of them are drawn.
        skew_of_mean = skew * (100 - 2 * size) / (100 * (100 - size) * size) ** 0.5
        needed = to_skewed(2.0, skew_of_mean) * (variance * 100 / (size * (100 - size))) ** 0.5
        lower = 0.9 - item.difference
        error = (ratio * lower * (1 - lower) / size + variance / (100 - size)) ** 0.5
        assert item.difference == pytest.approx(needed + 0.841621 * error, abs=1e-9)


def test_a_slice_leaves_enough_questions_outside() -> None:
    scores = np.array([0.0, 1.0, 1.0, 1.0] * 4)
    assert [item.questions for item in noticeable_sizes(scores, np.arange(16), critical=2, fewest=8)] == [8]
    assert noticeable_sizes(scores[1:], np.arange(15), critical=2, fewest=8) == ()


def test_a_difference_of_the_whole_mean_is_still_one() -> None:
    # Half of 400 questions wrong: a slice of 20 is noticed where it lies lower by far less than the mean, and where the
    # mean is 0.05 a slice of 20 scores 0 at most.
    half = noticeable_sizes(np.array([0.0, 1.0] * 200), np.arange(400), critical=2, fewest=8)
    assert half[0].difference is not None
    assert half[0].difference < 0.5
    low = noticeable_sizes(np.array([0.0] * 380 + [1.0] * 20), np.arange(400), critical=2, fewest=8)
    assert low[0].difference is None
