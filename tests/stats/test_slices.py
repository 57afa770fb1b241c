"""Slices that score lower than elsewhere: found where they are planted, and seldom where there are none."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from faithview.stats import slices as slice_stats
from faithview.stats.intervals import independent_difference
from faithview.stats.run_score import Cluster, mean_interval
from faithview.stats.slices import SliceSearch, SliceStrengths, fewest_questions, find_low_slices, slice_strengths

_ANSWERS = 200


def _members(*slices: NDArray[np.bool_]) -> csr_array:
    return csr_array(np.array(slices))


def _random_slices(rng: np.random.Generator, number: int = 60) -> list[NDArray[np.bool_]]:
    return [rng.random(_ANSWERS) < share for share in rng.uniform(0.06, 0.4, number)]


def _search(
    scores: NDArray[np.float64], slices: list[NDArray[np.bool_]], *, questions: NDArray[np.int64] | None = None
) -> SliceSearch:
    claims = np.full(len(scores), 3)
    asked = np.arange(len(scores)) if questions is None else questions
    return find_low_slices(scores, claims, asked, _members(*slices), shuffles=199)


def _scores(rng: np.random.Generator, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    return rng.binomial(3, chance) / 3


def test_a_planted_slice_is_found_first() -> None:
    rng = np.random.default_rng(1)
    slices = _random_slices(rng)
    scores = _scores(rng, np.where(slices[7], 0.5, 0.95))
    found = _search(scores, slices)
    low = found.slices[0]
    assert low.number == 7
    assert low.rows.tolist() == np.flatnonzero(slices[7]).tolist()
    assert low.mean == pytest.approx(scores[slices[7]].mean())
    assert low.elsewhere == pytest.approx(scores[~slices[7]].mean())
    assert low.elsewhere_answers == _ANSWERS - len(low.rows)
    assert low.interval.low < low.difference < low.interval.high <= 0
    assert low.interval.low <= -0.45 <= low.interval.high
    assert low.p_value == 1 / 200  # the least that 199 shuffles can show


def test_answers_to_one_question_are_one_unit() -> None:
    # Ten answers to each of 40 questions, of which six go wrong: three of the slice's 12, which is chance.
    questions = np.repeat(np.arange(40), 10)
    scores = (questions >= 6).astype(float)
    inside = (questions < 3) | (questions >= 31)
    together = find_low_slices(scores, np.full(400, 3), questions, _members(inside), shuffles=199)
    apart = find_low_slices(scores, np.full(400, 3), np.arange(400), _members(inside), shuffles=199)
    assert together.questions == 40
    assert together.slices == ()
    assert len(apart.slices) == 1


def test_the_same_cause_is_reported_once_and_named_as_naturally_as_possible() -> None:
    rng = np.random.default_rng(4)
    inside = rng.random(_ANSWERS) < 0.2
    nearly = inside.copy()
    nearly[np.flatnonzero(inside)[:2]] = False
    within = inside & (rng.random(_ANSWERS) < 0.6)
    scores = _scores(rng, np.where(inside, 0.45, 0.95))
    slices = [nearly, inside, within, *_random_slices(rng, 20)]
    found = find_low_slices(
        scores,
        np.full(_ANSWERS, 3),
        np.arange(_ANSWERS),
        _members(*slices),
        naturalness=[1, 0, *[1] * 21],
        shuffles=199,
    )
    assert [low.number for low in found.slices] == [1]
    assert set(found.slices[0].parts) == {0, 2}


def test_a_second_cause_is_found_beside_the_first_and_what_both_share_counts_once() -> None:
    rng = np.random.default_rng(5)
    first, second = np.arange(_ANSWERS) < 40, (np.arange(_ANSWERS) >= 30) & (np.arange(_ANSWERS) < 70)
    scores = _scores(rng, np.where(first, 0.3, np.where(second, 0.55, 0.97)))
    found = _search(scores, [first, second, *_random_slices(rng, 20)])
    assert [low.number for low in found.slices] == [0, 1]
    low = found.slices[1]
    assert low.rows.tolist() == list(range(40, 70))
    assert low.overlaps == (0,)
    assert low.elsewhere == pytest.approx(scores[70:].mean())


def test_nothing_is_found_where_there_is_nothing_to_tell_apart() -> None:
    inside = np.arange(_ANSWERS) < 50
    assert _search(np.ones(_ANSWERS), [inside]).slices == ()
    assert _search(np.ones(_ANSWERS), [inside]).noticeable == ()
    empty = find_low_slices(np.empty(0), np.empty(0, int), np.empty(0, int), csr_array((0, 0)), shuffles=9)
    assert (empty.answers, empty.tested, empty.slices) == (0, 0, ())


def test_slices_that_are_too_small_or_nearly_everything_are_not_looked_at() -> None:
    few, most = np.arange(_ANSWERS) < 7, np.arange(_ANSWERS) < 193
    found = _search(np.where(few, 0.0, 1.0), [few, most])
    assert found.tested == 0
    assert [fewest_questions(n) for n in (10, 800, 2_500, 100_000)] == [8, 8, 25, 50]


def test_the_same_answers_give_the_same_result() -> None:
    rng = np.random.default_rng(6)
    slices = _random_slices(rng)
    scores = _scores(rng, np.where(slices[3], 0.7, 0.95))
    first, again = _search(scores, slices), _search(scores, slices)
    assert [(low.number, low.p_value, low.interval) for low in first.slices] == [
        (low.number, low.p_value, low.interval) for low in again.slices
    ]


def test_arguments_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="3 scores, 2 numbers of claims"):
        find_low_slices(np.ones(3), np.ones(2, int), np.arange(3), csr_array((1, 3)), shuffles=9)
    with pytest.raises(ValueError, match="Scores must be in"):
        find_low_slices(np.array([0.5, 2.0]), np.ones(2, int), np.arange(2), csr_array((1, 2)), shuffles=9)


def test_the_interval_of_a_slice_is_that_of_two_groups_at_the_level_of_the_test() -> None:
    inside, seed, shuffles = np.arange(80) < 20, 4, 199
    scores = np.where(inside, np.tile([0.0, 0.5], 40), np.tile([1.0, 1.0, 1.0, 0.75], 20))
    found = find_low_slices(scores, np.full(80, 2), np.arange(80), _members(inside), shuffles=shuffles, seed=seed)
    (low,) = found.slices
    strengths = slice_strengths(
        1 - scores, np.full(80, 2), np.arange(80), _members(inside), shuffles=shuffles, seed=seed
    )
    assert strengths is not None
    # The level at which a normal deviate as large as the critical one is just reached.
    from scipy.stats import norm

    level = 2 * norm.cdf(strengths.critical(0.95)) - 1
    groups = [
        mean_interval([Cluster(answers=1, total=float(s)) for s in part], level=level)
        for part in (scores[inside], scores[~inside])
    ]
    assert groups[0] is not None
    assert groups[1] is not None
    expected = independent_difference(0.25, groups[0], 0.9375, groups[1])
    assert (low.mean, low.elsewhere, low.difference) == (0.25, 0.9375, -0.6875)
    assert (low.interval.low, low.interval.high) == pytest.approx((expected.low, expected.high))
    assert low.interval.high < 0


def strengths_of(*observed: float, adjusted: list[float] | None = None) -> SliceStrengths:
    p_values = np.zeros(len(observed)) if adjusted is None else np.array(adjusted)
    return SliceStrengths(
        observed=np.array(observed), shuffled=np.zeros((len(observed), 1), np.float32), adjusted=p_values
    )


def test_parts_of_a_slice_are_the_strongest_real_ones_within_it() -> None:
    at = np.arange(100)
    whole = at < 50
    within = [(at >= first) & (at < first + 10) for first in (0, 10, 20, 30)]
    # Eight of ten are enough, seven are not; and a slice by chance is none.
    nearly, hardly, chance = (at >= 42) & (at < 52), (at >= 43) & (at < 53), at < 30
    slices = _members(whole, *within, nearly, hardly, chance)
    strengths = strengths_of(9, 1, 2, 3, 0.5, 4, 8, 7, adjusted=[0.01] * 7 + [0.05])
    assert slice_stats._slices_within(slices, 0, strengths) == [5, 3, 2]
