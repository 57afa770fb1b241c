"""The figures of a judge, against hand computation and brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats import judge_quality


def _confusion(tp: int, fp: int, fn: int, tn: int) -> tuple[list[bool], list[bool]]:
    actual = [True] * tp + [False] * fp + [True] * fn + [False] * tn
    predicted = [True] * (tp + fp) + [False] * (fn + tn)
    return actual, predicted


@pytest.mark.parametrize(
    ("counts", "balanced", "f1", "precision", "recall"),
    [
        ((3, 1, 2, 4), 0.7, 2 / 3, 0.75, 0.6),
        ((0, 0, 2, 3), 0.5, 0.0, None, 0.0),
        ((0, 2, 0, 3), None, 0.0, 0.0, None),
        ((2, 0, 0, 0), None, 1.0, 1.0, 1.0),
        ((0, 0, 0, 2), None, None, None, None),
        ((0, 0, 0, 0), None, None, None, None),
    ],
    ids=["mixed", "none found", "none there", "all unfaithful", "all faithful", "no rows"],
)
def test_rates_are_those_worked_out_by_hand(
    counts: tuple[int, int, int, int],
    balanced: float | None,
    f1: float | None,
    precision: float | None,
    recall: float | None,
) -> None:
    rates = judge_quality.rates(*_confusion(*counts))
    assert rates.balanced_accuracy == pytest.approx(balanced)
    assert rates.f1 == pytest.approx(f1)
    assert rates.precision == pytest.approx(precision)
    assert rates.recall == pytest.approx(recall)


def test_rates_need_a_prediction_for_every_case() -> None:
    with pytest.raises(ValueError, match=r"longer|shorter"):
        judge_quality.rates([True, False], [True])


@pytest.mark.parametrize(
    ("actual", "scores", "expected"),
    [
        ([1, 1, 0, 0], [4, 3, 2, 1], 1.0),
        ([1, 1, 0, 0], [1, 2, 3, 4], 0.0),
        ([1, 0, 1, 0], [4, 3, 2, 1], 0.75),
        ([1, 0], [5, 5], 0.5),
        ([1, 1, 0, 0], [2, 1, 1, 0], 0.875),  # (1 + 1 + 0.5 + 1) / 4
        ([1, 1], [1, 2], None),
        ([], [], None),
    ],
)
def test_auroc_counts_ties_half(actual: list[int], scores: list[float], expected: float | None) -> None:
    assert judge_quality.auroc([bool(a) for a in actual], scores) == expected


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
def test_auroc_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[bool, int]]) -> None:
    positive = [score for is_positive, score in rows if is_positive]
    negative = [score for is_positive, score in rows if not is_positive]
    found = judge_quality.auroc([row[0] for row in rows], [float(row[1]) for row in rows])
    if not positive or not negative:
        assert found is None
        return
    won = [1.0 if p > n else 0.5 if p == n else 0.0 for p, n in itertools.product(positive, negative)]
    assert found == pytest.approx(float(np.mean(won)))


def test_f1_and_mean_are_none_where_there_is_nothing() -> None:
    assert judge_quality.f1(3, 1, 2) == pytest.approx(6 / 9)
    assert judge_quality.f1(0, 0, 0) is None
    assert judge_quality.mean([0.5, None, 1.0]) == 0.75
    assert judge_quality.mean([None]) is None
