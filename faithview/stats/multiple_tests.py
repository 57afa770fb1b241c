"""P-values adjusted for looking at several tests at once."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values in [0, 1], in their order, adjusted so that any false alarm is as rare as in one test.

    Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6.
    """
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[at] * (len(p_values) - rank)))
        adjusted[at] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return p-values in [0, 1], in their order, adjusted to control the false discovery rate.

    Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", JRSS B 57. None, where there was nothing to
    test, stays None and does not count as a test.
    """
    known = [(p, at) for at, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    lowest = 1.0
    for rank, (p, at) in sorted(enumerate(sorted(known), start=1), reverse=True):
        # The factor first, as SciPy does, so that figures stay the same to the last digit.
        lowest = min(lowest, p * (len(known) / rank))
        adjusted[at] = lowest
    return tuple(adjusted)
