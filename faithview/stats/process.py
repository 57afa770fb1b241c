"""A series of runs as a process: which runs are outside the control limits, and where the level changed.

Control limits are those of Laney's chart (2002, "Improved control charts for attributes", Quality Engineering 14). With
x_i the mean of run i over n_i questions and c = sum n_i x_i / sum n_i,

    z_i = (x_i - c) sqrt(n_i),    sigma = mean |z_i - z_{i-1}| / 1.128,    limits_i = c +- q sigma / sqrt(n_i).

Shewhart's q is 3. The more runs a chart has, the likelier one of them is outside by chance: with q = 3, in 10 to 19%
of series of 40 runs and 20 to 33% of 80. So q is the normal quantile that k runs together exceed in 3% of series, if
that is more than 3 (Bonferroni's inequality; from 12 runs on); then it is 3 to 5% of series. Means near 1 are skewed;
at a mean of 0.97 over 50 to 200 answers it is 6% of series of 40 runs and 9% of 80
(`tests/performance/control_limits.py`).

Limits from each run's own standard error would be wrong: it describes how other questions would have scored. Runs that
repeat the same questions vary less, and runs with other prompts or chunks vary more. So the limits use the variation
between successive runs, and the sizes only decide which runs may vary more than others. With equal sizes this is the
individuals chart (Shewhart 1931; Wheeler 2000). Successive differences are used because a change of level affects only
one of them.

Change points are found by circular binary segmentation (Olshen et al. 2004, "Circular binary segmentation for the
analysis of array-based DNA copy number data"): of all stretches of runs it takes the one whose mean differs most from
the rest, each run weighted by n_i, tests it against the same runs in random order, and repeats this within each part. A
single change is a stretch that reaches the end; a drop that recovered is one in the middle, which a search for one
change at a time would miss. A drop of two or three runs among a dozen is too likely by chance for such a test; the
control limits show it. Implemented here because libraries such as ruptures require a penalty or the number of changes
and give no test, and the search is a dozen lines.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import ALPHA, SEED

Floats = NDArray[np.float64]

LEAST_FOR_LIMITS = 8  # with fewer successive differences the limits are a guess: see the false alarms in the tests
LEAST_FOR_CHANGES = 10  # with fewer runs even the clearest step occurs in more than 1 of 20 random orders

_SIGMAS = 3.0
_FALSE_ALARMS = 0.03  # of series, if sigma were known and means normal; in practice about 5%
_EXPECTED_RANGE = 1.128  # d2: the mean distance of two normal values, in standard deviations
_ORDERS = 499
_FIRST_ORDERS = 49  # enough to see that a series has no change
_BLOCK = 150  # orders at a time, so they stay in the processor's cache
_NO_SPREAD = 1e-9
_SHORTEST = 2  # runs in a stretch: the control limits report a single unusual run


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlLimits:
    """The scores to expect of the runs of a series as long as nothing changes.

    `centre` is the mean over all questions of all runs; `limits` has one interval per run, within [0, 1]; `outside` has
    the positions of the runs beyond theirs.
    """

    centre: float
    limits: tuple[Interval, ...]
    outside: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoint:
    """A change of level. Run `at` is the first of the new one; `before` and `after` are the levels on both sides.

    `p_value` is that of the stretch that it bounds, and at most the requested level.
    """

    at: int
    before: float
    after: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFewRuns:
    """Why a series gives no figure. `message` is a sentence for users."""

    runs: int
    needed: int
    message: str


def control_limits(means: Sequence[float], sizes: Sequence[int]) -> ControlLimits | TooFewRuns:
    """Return the limits that all runs stay within in about 19 of 20 series, while nothing changes.

    Args:
        means: the runs' means in [0, 1], oldest first.
        sizes: the number of questions in each run's mean, at least 1.

    Raises:
        ValueError: the two differ in length, or a value is out of its range.
    """
    series = _checked(means, sizes)
    x, n = series.means, series.sizes
    if len(x) < LEAST_FOR_LIMITS:
        return _too_few(len(x), LEAST_FOR_LIMITS, "Control limits need")
    centre = float(n @ x / n.sum())
    z = (x - centre) * np.sqrt(n)
    sigma = float(np.abs(np.diff(z)).mean()) / _EXPECTED_RANGE
    half = _reach(len(x)) * sigma / np.sqrt(n)
    return ControlLimits(
        centre=centre,
        limits=tuple(Interval(max(0.0, centre - h), min(1.0, centre + h)) for h in half.tolist()),
        outside=tuple(np.flatnonzero(np.abs(x - centre) > half + _NO_SPREAD).tolist()),
    )


def _reach(runs: int) -> float:
    from scipy.special import ndtri  # here, so `import faithview` stays quick

    return max(_SIGMAS, -float(ndtri(_FALSE_ALARMS / (2 * runs))))


def change_points(
    means: Sequence[float], sizes: Sequence[int], *, level: float = ALPHA, seed: int = SEED
) -> tuple[ChangePoint, ...] | TooFewRuns:
    """Return where the level of a series changed, oldest first.

    Args:
        means: the runs' means in [0, 1], oldest first.
        sizes: the number of questions in each run's mean, at least 1.
        level: the probability of finding a change in a series that has none, in (0, 1).
        seed: the seed of the random orders.

    Returns:
        The change points; none if random orders of the runs explain the series as well.

    Raises:
        ValueError: the two differ in length, or a value is out of its range.
    """
    series = _checked(means, sizes)
    x, n = series.means, series.sizes
    if len(x) < LEAST_FOR_CHANGES:
        return _too_few(len(x), LEAST_FOR_CHANGES, "Finding changes of level needs")
    p_values: dict[int, float] = {}
    rng = np.random.default_rng(seed)
    parts = [(0, len(x))]
    while parts:
        start, end = parts.pop()
        if end - start < LEAST_FOR_CHANGES:
            continue
        stretch = _find_stretch(x[start:end], n[start:end], level, rng)
        if stretch is None:
            continue
        cuts = [start + cut for cut in (stretch.first, stretch.end) if 0 < cut < end - start]
        p_values.update(dict.fromkeys(cuts, stretch.p_value))
        edges = [start, *cuts, end]
        parts += pairwise(edges)
    edges = [0, *sorted(p_values), len(x)]
    levels = [float(n[a:b] @ x[a:b] / n[a:b].sum()) for a, b in pairwise(edges)]
    return tuple(
        ChangePoint(at=at, before=before, after=after, p_value=p_values[at])
        for at, before, after in zip(edges[1:-1], levels[:-1], levels[1:], strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Runs `first` to before `end`, the sum of squares they explain as a stretch, and its p-value after the test."""

    first: int
    end: int
    explained: float
    p_value: float = math.nan


def _find_stretch(x: Floats, n: Floats, level: float, rng: np.random.Generator) -> _Stretch | None:
    """Return the stretch that differs most; None if p > level."""
    residuals = (x - n @ x / n.sum()) * np.sqrt(n)  # with the same spread for all sizes, so they can be permuted
    if np.abs(residuals).max() < _NO_SPREAD:
        return None
    search = _Search(n)
    stretch = search.largest(residuals)
    # Stopped as soon as too many orders are as extreme (Besag and Clifford 1991), which most series do early.
    allowed = int(level * (_ORDERS + 1)) - 1
    extreme, done = 0, 0
    while done < _ORDERS:
        size = min(_FIRST_ORDERS if done == 0 else _BLOCK, _ORDERS - done)
        orders = rng.permuted(np.tile(residuals, (size, 1)), axis=1)
        extreme += int((search.explained(orders) >= stretch.explained - _NO_SPREAD).sum())
        done += size
        if extreme > allowed:
            return None
    return replace(stretch, p_value=(1 + extreme) / (1 + _ORDERS))


class _Search:
    """Searches all stretches of a series of runs of these sizes.

    With S and W the sums of n (x - c) and n in a stretch, it explains S^2 / W + S^2 / (W_all - W), the sum of squares
    between it and the rest.
    """

    def __init__(self, sizes: Floats) -> None:
        self._sizes = sizes
        mass = np.concatenate([[0.0], np.cumsum(sizes)])
        number = len(sizes)
        self._factors: list[tuple[int, Floats]] = []  # by length of the stretch, for each possible start
        for length in range(_SHORTEST, number - _SHORTEST + 1):
            weight = mass[length:] - mass[:-length]
            self._factors.append((length, mass[-1] / (weight * (mass[-1] - weight))))

    def explained(self, residuals: Floats) -> Floats:
        """Return for each row of residuals how much its best stretch explains."""
        sums = self._sums(residuals)
        best = np.zeros(len(residuals))
        for length, factor in self._factors:
            inside = sums[:, length:] - sums[:, :-length]
            inside *= inside
            inside *= factor
            np.maximum(best, inside.max(axis=1), out=best)
        return best

    def largest(self, residuals: Floats) -> _Stretch:
        """Return the stretch that explains most."""
        sums = self._sums(residuals[np.newaxis])[0]
        best = _Stretch(first=0, end=0, explained=-1.0)
        for length, factor in self._factors:
            explained = (sums[length:] - sums[:-length]) ** 2 * factor
            at = int(explained.argmax())
            if explained[at] > best.explained + _NO_SPREAD:
                best = _Stretch(first=at, end=at + length, explained=float(explained[at]))
        return best

    def _sums(self, residuals: Floats) -> Floats:
        weighted = residuals * np.sqrt(self._sizes)
        weighted -= weighted.sum(axis=1, keepdims=True) / self._sizes.sum() * self._sizes
        return np.pad(np.cumsum(weighted, axis=1), ((0, 0), (1, 0)))


@dataclass(frozen=True, slots=True)
class _Series:
    means: Floats
    sizes: Floats


def _checked(means: Sequence[float], sizes: Sequence[int]) -> _Series:
    if len(means) != len(sizes):
        raise ValueError(f"There are {len(means)} means and {len(sizes)} sizes; give one of each per run.")
    for mean in means:
        if not 0 <= mean <= 1:
            raise ValueError(f"A run's mean is {mean!r}; means must be in [0, 1]. Leave out runs without one.")
    for size in sizes:
        if not (size >= 1 and math.isfinite(size)):
            raise ValueError(f"A run's size is {size!r}; it must be at least 1.")
    return _Series(np.asarray(means, dtype=np.float64), np.asarray(sizes, dtype=np.float64))


def _too_few(runs: int, needed: int, what: str) -> TooFewRuns:
    there = "there is 1" if runs == 1 else f"there are {runs}"
    return TooFewRuns(runs=runs, needed=needed, message=f"{what} at least {needed} runs, and {there}.")
