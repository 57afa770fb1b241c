"""Wilson's interval, against published values."""

import pytest

from faithview.stats.intervals import wilson_interval


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    # Wilson's formula worked out apart; (0.5, 10) is the table value of Newcombe (1998).
    [(1.0, 10, 0.7225, 1.0), (0.0, 10, 0.0, 0.2775), (0.5, 10, 0.2366, 0.7634), (1.0, 100, 0.9630, 1.0)],
)
def test_wilson_s_interval(share: float, n: int, low: float, high: float) -> None:
    interval = wilson_interval(share, n)
    assert interval.low == pytest.approx(low, abs=2e-4)
    assert interval.high == pytest.approx(high, abs=2e-4)
