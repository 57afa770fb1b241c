"""Slices that score lower than elsewhere: worked by hand, found where planted, and not where nothing differs."""

import numpy as np
import pytest

from faithview.stats.slices import fewest_questions, find_low_slices, slice_p_values


def test_p_value_of_a_slice_of_single_answers_worked_by_hand() -> None:
    # 4 of 20 answers are wrong, all of them among the slice's 8: C(8, 4) of the C(20, 4) ways.
    scores = np.array([1.0] * 4 + [0.0] * 4 + [1.0] * 12)
    slices = [np.arange(8), np.arange(8, 20), np.arange(7)]
    first, second, third = slice_p_values(scores, np.arange(20), slices, fewest=8)
    assert (first, second) == pytest.approx((70 / 4845, 1))
    assert np.isnan(third)


def test_p_value_with_several_answers_to_a_question_worked_by_hand() -> None:
    # Four questions with two answers each: 0 and 0, 1 and 0 in the slice, 1 and 1 twice outside. The run's mean is
    # 5 / 8; the questions are off by -1.25, -0.25, 0.75 and 0.75, so the variance is 2.75 / 8 and an answer is worth
    # 15 / 64 * 8 / 2.75 = 0.68: 2 of the slice's 3 are wrong, of 5 in all with 2 wrong. C(3, 2) of the C(5, 2) ways.
    scores = np.array([0.0, 0, 1, 0, 1, 1, 1, 1])
    questions = np.array([7, 7, 3, 3, 5, 5, 6, 6])
    assert slice_p_values(scores, questions, [np.arange(4)], fewest=2) == pytest.approx(3 / 10)


def test_p_values_are_adjusted_for_all_tested_slices_and_intervals_widen_with_them() -> None:
    rng = np.random.default_rng(1)
    planted = np.arange(40)
    scores = rng.binomial(3, np.where(np.arange(200) < 40, 0.4, 0.95)) / 3
    chance = [rng.choice(200, 30, replace=False) for _ in range(50)]
    alone = find_low_slices(scores, np.arange(200), [planted])
    among = find_low_slices(scores, np.arange(200), [*chance, planted, np.arange(7), np.arange(193)])
    assert (alone.tested, among.tested) == (1, 51)  # too few inside, or outside, is not tested
    low = among.slices[0]
    assert (low.number, low.answers, low.questions) == (50, 40, 40)
    assert (low.mean, low.elsewhere) == pytest.approx((scores[:40].mean(), scores[40:].mean()))
    assert low.p_value == pytest.approx(51 * alone.slices[0].p_value)  # it is the smallest
    assert low.interval.low < alone.slices[0].interval.low < low.difference < low.interval.high < 0


def test_one_cause_is_listed_once_and_a_second_one_beside_it() -> None:
    at = np.arange(200)
    scores = np.where(at < 40, 0.2, np.where(at < 70, 0.5, 0.97)) + 0.01 * (at % 3)
    first, half_of_it, second = at[:40], at[20:45], at[40:70]
    harmless = np.concatenate([at[:20], at[100:125]])  # low only because of the first
    found = find_low_slices(scores, at, [harmless, half_of_it, second, first])
    assert found.low[0] == 3
    assert set(found.low) == {0, 1, 2, 3}
    assert [low.number for low in found.slices] == [3, 2]


def test_nothing_is_found_where_nothing_differs() -> None:
    same = find_low_slices(np.full(100, 2 / 3), np.arange(100), [np.arange(50)])
    assert (same.tested, same.slices) == (1, ())
    # Ten answers to each of 40 questions, of which six go wrong: three of the slice's 12, which is chance.
    questions = np.repeat(np.arange(40), 10)
    scores, inside = (questions >= 6).astype(float), np.flatnonzero((questions < 3) | (questions >= 31))
    assert find_low_slices(scores, questions, [inside]).slices == ()
    assert len(find_low_slices(scores, np.arange(400), [inside]).slices) == 1
    empty = find_low_slices(np.empty(0), np.empty(0, int), [])
    assert (empty.questions, empty.tested, empty.slices) == (0, 0, ())


def test_the_smallest_slice_grows_with_the_run() -> None:
    assert [fewest_questions(n) for n in (10, 800, 2_500, 100_000)] == [8, 8, 25, 50]
