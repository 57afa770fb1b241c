"""The interval of a difference of two independent estimates, from the interval of each.

The method of variance estimates recovery (Newcombe 1998, "Interval estimation for the difference between independent
proportions", method 10; Zou and Donner 2008, "Construction of confidence limits about effect measures") puts it
together from the distances of both estimates to their limits, so it keeps their skew:

    low = d - sqrt((first - its low)^2 + (the second's high - second)^2),      high likewise.
"""

from faithview.domain.scoring import Interval


def independent_difference(
    first: float, first_interval: Interval, second: float, second_interval: Interval
) -> Interval:
    """Return the interval of first - second, in [-1, 1], at the level of both intervals.

    Args:
        first: an estimate in [0, 1].
        first_interval: its interval.
        second: an estimate in [0, 1] from other data.
        second_interval: its interval.
    """
    middle = first - second
    below = _distance(first - first_interval.low, second_interval.high - second)
    above = _distance(first_interval.high - first, second - second_interval.low)
    return Interval(max(-1.0, middle - below), min(1.0, middle + above))


def _distance(first: float, second: float) -> float:
    return float((max(0.0, first) ** 2 + max(0.0, second) ** 2) ** 0.5)
