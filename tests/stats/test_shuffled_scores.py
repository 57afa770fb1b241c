"""What slices would score by chance: the scale for numbers of claims, and the normal scale for skewed losses."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from faithview.stats import slices as slice_stats
from faithview.stats.slices import slice_strengths


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
    from scipy.stats import hypergeom

    exact = hypergeom(answers, low, size).sf(losses[inside].sum() - 1)
    assert strengths.adjusted[0] == pytest.approx(exact, abs=0.03)


def test_small_and_large_slices_of_skewed_scores_compete_evenly() -> None:
    # 30 small and 30 large slices: each kind should hold the strongest about as often.
    rng = np.random.default_rng(2)
    slices = np.array([rng.random(300) < share for share in [0.04] * 30 + [0.3] * 30])
    losses = 1 - rng.binomial(3, rng.beta(3.8, 0.2, 300)) / 3
    strengths = slice_strengths(losses, np.full(300, 3), np.arange(300), csr_array(slices), shuffles=600, seed=3)
    assert strengths is not None
    is_small = strengths.shuffled.argmax(axis=0) < 30
    assert 0.3 < is_small.mean() < 0.75


def test_p_values_that_allow_for_all_slices_worked_by_hand() -> None:
    # Three slices, the run itself and three shuffles. The strongest slice, the second, competes with all: 3.0 is
    # reached by the run and once by the third slice. The next, the first, competes with itself and the third: 2.0 is
    # reached by the run and twice. The last competes with itself alone: 1.0 is reached by the run and once, but its
    # p-value is not below that of a stronger one.
    strengths = np.array([[2.0, 2.5, 0.1, 0.2], [3.0, 0.4, 0.5, 0.6], [1.0, 0.0, 3.5, 0.3]], dtype=np.float32)
    assert slice_stats._step_down(strengths).tolist() == [0.75, 0.5, 0.75]


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
