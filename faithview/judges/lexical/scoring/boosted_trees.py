"""Fit boosted oblivious trees: only fitting needs this module, and numpy.

An oblivious tree asks the same question of every row on a level, so a row's leaf is a number whose bits are the
answers. That is a strong restraint, which suits labels as noisy as human ones; so are thresholds drawn by chance, of
which the best of each level is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to grow the trees.

    `depth` is the number of questions a tree asks (at most 8); `rate` the share of each tree's leaf values that counts;
    `rows` and `columns` the shares drawn for each tree; `ridge` what is added to the weight of each leaf.
    `tries` is how many thresholds are drawn for each feature and level.
    """

    trees: int = 500
    depth: int = 5
    rate: float = 0.06
    rows: float = 0.6
    columns: float = 0.3
    ridge: float = 12.0
    tries: int = 1
    seed: int = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Trees by their questions `(feature, threshold)` ("is the figure larger?"), lowest bit first, and leaf values."""

    base: float
    questions: tuple[tuple[tuple[int, float], ...], ...]
    leaves: tuple[tuple[float, ...], ...]

    def scores(self, rows: Floats) -> Floats:
        """Return the log odds of each row."""
        total = np.full(len(rows), self.base)
        for questions, leaves in zip(self.questions, self.leaves, strict=True):
            leaf = np.zeros(len(rows), dtype=np.int64)
            for bit, (feature, threshold) in enumerate(questions):
                leaf |= (rows[:, feature] > threshold).astype(np.int64) << bit
            total += np.asarray(leaves)[leaf]
        return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A straight line through the features: log odds = intercept + sum of slope * figure."""

    intercept: float
    slopes: tuple[float, ...]


_RIDGE = 5.0


def fit_line(rows: Floats, labels: Floats, weights: Floats, groups: NDArray[np.integer[Any]]) -> Line:
    """Fit a logistic regression with an L2 penalty, each group of rows having its own base rate.

    The intercept is such that the score of the mean row is the mean of the groups' base scores.
    """
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    members = (groups[:, None] == np.unique(groups)[None, :]).astype(np.float64)
    design = np.concatenate([(rows - mean) / deviation, members], axis=1)
    ridge = np.eye(design.shape[1]) * _RIDGE
    ridge[rows.shape[1] :] *= 0.01
    solution = np.zeros(design.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-(design @ solution)))
        slope = design.T @ (weights * (labels - chance)) - ridge @ solution
        curvature = (design * (weights * chance * (1 - chance))[:, None]).T @ design + ridge
        step = np.linalg.solve(curvature, slope)
        solution = solution + step
        if np.abs(step).max() < 1e-8:
            break
    slopes = solution[: rows.shape[1]] / deviation
    intercept = float(solution[rows.shape[1] :].mean() - slopes @ mean)
    return Line(intercept=intercept, slopes=tuple(float(value) for value in slopes))


def fit_forest(
    rows: Floats, labels: Floats, weights: Floats, settings: Settings, *, offsets: Floats | None = None
) -> Forest:
    """Fit trees to the labels (0 or 1) with the logistic loss.

    Args:
        rows: one line a row, one column a feature.
        labels: 1 where the row is supported, 0 where it is not.
        weights: how much each row counts.
        settings: how to grow the trees.
        offsets: log odds that each row starts from, where they are not the same for all; the forest's base is their
            weighted mean.
    """
    random = np.random.default_rng(settings.seed)
    table = np.ascontiguousarray(rows, dtype=np.float32)
    by_column = np.asfortranarray(table)
    cuts = [_cuts(by_column[:, column]) for column in range(table.shape[1])]
    usable = [column for column, values in enumerate(cuts) if len(values)]
    mean = float(np.average(labels, weights=weights))
    base = float(np.log(mean / (1 - mean)))
    scores = np.full(len(table), base)
    if offsets is not None:
        base = float(np.average(offsets, weights=weights))
        scores = offsets.astype(np.float64)
    questions, leaves = [], []
    for _ in range(settings.trees):
        chance = 1 / (1 + np.exp(-scores))
        gradient = (weights * (labels - chance)).astype(np.float32)
        curvature = (weights * chance * (1 - chance)).astype(np.float32)
        drawn = random.random(len(table)) < settings.rows
        columns = random.choice(usable, size=max(1, round(settings.columns * len(usable))), replace=False)
        asked = _grow(table[drawn], gradient[drawn], curvature[drawn], columns, cuts, settings, random)
        leaf = np.zeros(len(table), dtype=np.int64)
        for bit, (feature, threshold) in enumerate(asked):
            leaf |= (by_column[:, feature] > np.float32(threshold)).astype(np.int64) << bit
        size = 1 << len(asked)
        slope = np.bincount(leaf[drawn], gradient[drawn], size)
        weight = np.bincount(leaf[drawn], curvature[drawn], size)
        values = np.round(settings.rate * slope / (weight + settings.ridge), 5)
        scores += values[leaf]
        questions.append(tuple(asked))
        leaves.append(tuple(float(value) for value in values))
    return Forest(base=base, questions=tuple(questions), leaves=tuple(leaves))


def _cuts(column: Floats) -> Floats:
    """Return thresholds between the column's values, at most 64, at even shares of the rows."""
    values = np.unique(np.quantile(column.astype(np.float64), np.linspace(0.01, 0.99, 64), method="nearest"))
    if len(values) < 2:
        return values[:0]
    # Thresholds are half-way between two values, with few digits because they are stored as text.
    return np.unique(np.round((values[1:] + values[:-1]) / 2, 4))


def _grow(
    table: Floats,
    gradient: Floats,
    curvature: Floats,
    columns: Sequence[int] | Floats,
    cuts: Sequence[Floats],
    settings: Settings,
    random: np.random.Generator,
) -> list[tuple[int, float]]:
    asked: list[tuple[int, float]] = []
    leaf = np.zeros(len(table), dtype=np.int64)
    picked = np.repeat(np.asarray(columns, dtype=np.int64), settings.tries)
    part = table[:, picked]
    for bit in range(settings.depth):
        tried = [cuts[int(column)] for column in picked]
        thresholds = np.array([values[random.integers(len(values))] for values in tried], dtype=np.float32)
        above = (part > thresholds).astype(np.float32)
        size = 1 << bit
        member = np.zeros((size, len(table)), dtype=np.float32)
        member[leaf, np.arange(len(table))] = 1.0
        slope, weight = _product(member * gradient, above), _product(member * curvature, above)
        all_slope = np.bincount(leaf, gradient, size)[:, None]
        all_weight = np.bincount(leaf, curvature, size)[:, None]
        gains = slope**2 / (weight + settings.ridge)
        gains += (all_slope - slope) ** 2 / (all_weight - weight + settings.ridge)
        best = int(np.argmax(gains.sum(axis=0)))
        asked.append((int(picked[best]), float(thresholds[best].round(4))))
        leaf |= above[:, best].astype(np.int64) << bit
    return asked


# This many rows are multiplied at a time: BLAS starts threads for larger products, which cost more here than
# they save, and on a busy machine ten times as much.
_ROWS_AT_A_TIME = 128


def _product(left: Floats, right: Floats) -> Floats:
    """Return `left @ right`, added up in blocks."""
    blocks, rest = divmod(left.shape[1], _ROWS_AT_A_TIME)
    whole = blocks * _ROWS_AT_A_TIME
    by_block = left[:, :whole].reshape(len(left), blocks, _ROWS_AT_A_TIME).transpose(1, 0, 2)
    product: Floats = (by_block @ right[:whole].reshape(blocks, _ROWS_AT_A_TIME, right.shape[1])).sum(axis=0)
    return product + left[:, whole:] @ right[whole:] if rest else product
