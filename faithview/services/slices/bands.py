"""Bands of a number: the lowest and highest parts of the answers, by a value that each has."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from faithview.domain.views import SliceDefinition, SliceKind

# Quarters, halves, and the highest tenth.
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9)
_LAST = len(_QUANTILES)
_BANDS = ((0, 1), (0, 2), (1, 3), (2, _LAST), (3, _LAST), (4, _LAST))


def number_bands(
    kind: SliceKind, values: Mapping[int, float], *, field: str = ""
) -> Iterator[tuple[SliceDefinition, Sequence[int]]]:
    """Yield bands of a number with their answers.

    Args:
        kind: what the number is.
        values: by answer; answers without one are in no band.
        field: the column's name, where the number is a column's.
    """
    if not values:
        return
    answers = np.fromiter(values, dtype=np.int64, count=len(values))
    numbers = np.fromiter(values.values(), dtype=np.float64, count=len(values))
    # The band from one edge to the next takes in its first edge, so that equal numbers are never parted.
    edges = [float(np.quantile(numbers, q, method="higher")) for q in _QUANTILES] + [np.inf]
    for first, last in _BANDS:
        inside = (numbers >= edges[first]) & (numbers < edges[last])
        if inside.any() and not inside.all():
            yield (
                SliceDefinition(
                    kind=kind,
                    field=field,
                    low=None if inside[numbers.argmin()] else float(numbers[inside].min()),
                    high=None if inside[numbers.argmax()] else float(numbers[inside].max()),
                ),
                answers[inside].tolist(),
            )
