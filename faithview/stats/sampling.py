"""Draws the claims of a spot-check with known inclusion probabilities.

Each claim gets a random number u in (0, 1), and those with the smallest u / w are drawn, w being the claim's weight
(sequential Poisson sampling; Ohlsson 1998, "Sequential Poisson Sampling", Journal of Official Statistics 14). The
number drawn is fixed, and a claim's probability is nearly that of `inclusion_probabilities`. The same seed with a
larger number draws the same claims and more, so a spot-check can grow.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def inclusion_probabilities(weight: ArrayLike, number: int) -> NDArray[np.float64]:
    """Return probabilities proportional to the weights, at most 1, that add up to the number to draw.

    Units whose proportional probability would exceed 1 get 1, and the others share the rest (Särndal et al. 1992, 3.6).
    """
    measure = np.asarray(weight, dtype=np.float64)
    if number >= len(measure):
        return np.ones(len(measure))
    certain = np.zeros(len(measure), dtype=bool)
    while True:
        left = number - int(certain.sum())
        pi = np.where(certain, 1.0, left * measure / measure[~certain].sum())
        over = ~certain & (pi >= 1)
        if not over.any():
            return pi
        certain |= over


def draw(weight: ArrayLike, number: int, *, seed: int | list[int]) -> NDArray[np.int64]:
    """Return the positions of the units that are drawn, at most `number`; more are appended to those of fewer."""
    measure = np.asarray(weight, dtype=np.float64)
    return np.argsort(np.random.default_rng(seed).random(len(measure)) / measure, kind="stable")[:number]
