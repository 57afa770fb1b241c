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
    from scipy.stats import false_discovery_control  # here, so that `import faithview` stays quick

    known = [p for p in p_values if p is not None]
    adjusted = iter(false_discovery_control(known) if known else [])
    return tuple(None if p is None else float(next(adjusted)) for p in p_values)
