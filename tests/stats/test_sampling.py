"""Drawing claims: the chances are what is stored, and a larger draw has the smaller one in it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.sampling import draw, inclusion_probabilities


def test_chances_follow_size_and_what_is_too_large_is_certain() -> None:
    # 3 of sizes 6, 1, 1, 1, 1: the first is certain, the others share 2.
    assert inclusion_probabilities([6, 1, 1, 1, 1], 3) == pytest.approx([1, 0.5, 0.5, 0.5, 0.5])
    # Three answers of one claim and one of four: answers are equally likely.
    assert inclusion_probabilities([0.25] * 3 + [0.0625] * 4, 2) == pytest.approx([0.5] * 3 + [0.125] * 4)


def test_units_are_drawn_about_as_often_as_the_probabilities_say() -> None:
    weight = 1 / np.repeat([1, 2, 3, 5], [10, 20, 30, 50])
    for number in (12, 40, 80):
        pi = inclusion_probabilities(weight, number)
        times = np.zeros(len(weight))
        for seed in range(4_000):
            times[draw(weight, number, seed=seed)] += 1
        for size in set(weight):
            same = weight == size
            assert times[same].mean() / 4_000 == pytest.approx(pi[same].mean(), rel=0.05)


@given(
    weights=st.lists(st.floats(0.01, 100), min_size=2, max_size=60),
    size=st.integers(1, 40),
    more=st.integers(0, 30),
    seed=st.integers(0, 2**32),
)
def test_a_larger_draw_of_the_same_seed_begins_with_the_smaller_one(
    weights: list[float], size: int, more: int, seed: int
) -> None:
    small, large = draw(weights, size, seed=seed), draw(weights, size + more, seed=seed)
    assert len(set(large.tolist())) == len(large) == min(size + more, len(weights))
    assert large[: len(small)].tolist() == small.tolist()
    pi = inclusion_probabilities(weights, size)
    assert pi.sum() == pytest.approx(min(size, len(weights)))
    assert ((pi > 0) & (pi <= 1)).all()
