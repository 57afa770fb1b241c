"""Batches by tokens: inputs of like length together, so that little of a batch is padding."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Encoded(NamedTuple):
    """An input as token ids; `sides` says which of two texts each is from, empty where the network is not told."""

    tokens: list[int]
    sides: list[int] = []  # noqa: RUF012 - never written to: a NamedTuple's default, not a class's state


def batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Yield the numbers of the inputs of each batch, the longest inputs first.

    A batch is as wide as its longest input, and width times inputs is at most `most_tokens`; an input that is longer
    than that is a batch of its own.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda at: (-lengths[at], at)):
        if batch and lengths[batch[0]] * (len(batch) + 1) > most_tokens:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
