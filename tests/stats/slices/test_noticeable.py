"""How much lower a slice has to score to be noticed: right about four times in five."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from faithview.stats.slices.noticeable import noticeable_sizes
from faithview.stats.slices.search import find_low_slices


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
