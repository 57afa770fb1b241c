"""Shares, Cohen's kappa and paired differences, worked out by hand, and kappa's variance by another library."""

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from faithview.domain.scoring import Interval
from faithview.stats.agreement import Estimate, kappa, share
from faithview.stats.intervals import student_quantile, wilson_interval


def _is(found: Interval | None, low: float, high: float) -> bool:
    return found is not None and (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_a_share_of_independent_labels() -> None:
    found = share([True, True, True, True, False], clusters=list("abcde"))
    assert (found.value, found.labels, found.hits) == (0.8, 5, 4)
    # Variance 5/4 x (4 x 0.04 + 0.64) / 25 = 0.04, so 0.16 / 0.04 = 4 labels; Student's t with 4 degrees is 2.7764.
    assert _is(found.interval, 0.2226, 0.9824)


def test_a_share_of_weighted_labels_of_two_answers() -> None:
    found = share([True, True, False], clusters=["a", "a", "b"], weights=[1, 2, 1])
    # Residuals 3 x 0.25 and -0.75: variance 2 x 1.125 / 16 = 9/64; 3/16 / (9/64) = 4/3 labels, 1 degree of freedom.
    assert (found.value, found.labels, found.hits) == (0.75, 3, 2)
    between = wilson_interval(0.75, 4 / 3, z=student_quantile(0.95, 1))
    assert _is(found.interval, between.low, between.high)
    assert share([], clusters=[]) == Estimate()
    # Labels of one answer show no spread; where all are hits the answers count, each with its weight: 9 / 5.
    assert share([True, False], clusters=["a", "a"]).interval is None
    all_hits = share([True, True, True], clusters=["a", "a", "b"])
    assert all_hits.interval == wilson_interval(1.0, 9 / 5, z=student_quantile(0.95, 1))


def _columns(table: list[list[int]]) -> tuple[list[int], list[int]]:
    cells = [(row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)]
    return [row for row, _ in cells], [column for _, column in cells]


def test_kappa_of_fifty_claims() -> None:
    table = [[20, 5], [10, 15]]
    first, second = _columns(table)
    found = kappa(first, second, clusters=range(50))
    # 35 of 50 the same; by chance 1/2 x 3/5 + 1/2 x 2/5 = 1/2.
    assert (found.value, found.labels, found.hits) == (pytest.approx(0.4), 50, 35)
    # Wilson's interval for as many labels as have the variance of Fleiss, Cohen and Everitt.
    variance = cohens_kappa(np.array(table)).var_kappa * 50 / 49
    between = wilson_interval(0.7, 0.21 / (variance * 0.5**2), z=student_quantile(0.95, 49))
    assert _is(found.interval, 1 - (1 - between.low) / 0.5, 1 - (1 - between.high) / 0.5)


def test_kappa_of_weighted_claims() -> None:
    found = kappa(["s", "s", "c", "c"], ["s", "c", "c", "c"], clusters=range(4), weights=[1, 1, 2, 2])
    # 5/6 the same; by chance 2/6 x 1/6 + 4/6 x 5/6 = 22/36.
    assert (found.value, found.labels, found.hits) == (pytest.approx((30 / 36 - 22 / 36) / (14 / 36)), 4, 3)
    assert kappa(["s", "s"], ["s", "s"], clusters=range(2)) == Estimate(labels=2, hits=2)
    assert kappa([], [], clusters=[]) == Estimate()


def test_perfect_agreement_on_few_claims_is_not_certain() -> None:
    found = kappa(["s", "c", "s", "c"], ["s", "c", "s", "c"], clusters=range(4))
    assert found.value == 1.0
    assert found.interval is not None
    assert found.interval.low < 0.2
    assert found.interval.high == pytest.approx(1.0)
