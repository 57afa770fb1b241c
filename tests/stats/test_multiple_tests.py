"""Adjusting p-values, against examples worked out by hand."""

import numpy as np
import pytest

from faithview.stats.multiple_tests import benjamini_hochberg, holm


def test_holm_adjusts_as_worked_out_by_hand() -> None:
    # Sorted: 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.04 x 1, none below the one before.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_adjusted_p_values_of_an_example_worked_by_hand() -> None:
    # Sorted 0.01, 0.03, 0.04, 0.2 of four tests: 0.04, 0.0533 (the smaller of 0.06 and 0.0533), 0.0533, 0.2.
    assert benjamini_hochberg([0.2, 0.01, None, 0.04, 0.03]) == pytest.approx((0.2, 0.04, None, 0.16 / 3, 0.16 / 3))
    assert benjamini_hochberg([None, None]) == (None, None)
    assert benjamini_hochberg([]) == ()


def test_adjusted_p_values_are_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="statsmodels is not installed")
    p_values = np.random.default_rng(3).beta(0.5, 1, 40)
    assert benjamini_hochberg(list(p_values)) == pytest.approx(
        tuple(multitest.multipletests(p_values, method="fdr_bh")[1])
    )
