"""How often control limits alarm by chance: `python -m tests.performance.control_limits`.

Series of runs in which nothing changes are drawn, and counted is in which share of them at least one run is outside its
limits. Each run has 50 to 200 answers; an answer's score is the mean of four claims, which are right with a chance that
differs from answer to answer.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from faithview.stats.process import ControlLimits, control_limits
from tests.performance import tables

_LENGTHS = (8, 12, 20, 40, 80)
_MEANS = (0.5, 0.8, 0.9, 0.97)
_CLAIMS = 4
_ALIKE = 4.0  # the beta distribution's two figures together: the larger, the more alike the answers are

# What the dashboard says at most; an alarm in more series than that is a promise broken.
_MOST = 0.12


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the table, and return 1 where series alarm more often than the dashboard says."""
    parser = argparse.ArgumentParser(description="How often do control limits alarm by chance?")
    parser.add_argument("--repetitions", type=int, default=2_000)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(20_261_122)
    rows, worst = [], 0.0
    for mean in _MEANS:
        shares = [alarms(mean, runs, options.repetitions, rng) for runs in _LENGTHS]
        worst = max(worst, *shares)
        rows.append([f"{mean:.2f}", *(f"{share:.1%}" for share in shares)])
    tables.show(
        f"Series in which nothing changes with a run outside its control limits, of {options.repetitions:,}",
        ["mean", *(f"{runs} runs" for runs in _LENGTHS)],
        rows,
    )
    return 1 if worst > _MOST else 0


def alarms(mean: float, runs: int, repetitions: int, rng: np.random.Generator) -> float:
    """Return the share of series with a run outside."""
    count = 0
    for _ in range(repetitions):
        sizes = rng.integers(50, 201, runs)
        limits = control_limits([float(_scores(mean, int(size), rng).mean()) for size in sizes], sizes.tolist())
        count += isinstance(limits, ControlLimits) and bool(limits.outside)
    return count / repetitions


def _scores(mean: float, answers: int, rng: np.random.Generator) -> NDArray[np.float64]:
    chances = rng.beta(_ALIKE * mean, _ALIKE * (1 - mean), answers)
    return rng.binomial(_CLAIMS, chances) / _CLAIMS


if __name__ == "__main__":
    sys.exit(main())
