"""How often a run's own interval holds the truth: `python -m tests.performance.run_intervals`.

Runs of a few answers to a few hundred are drawn from populations whose mean is known, the interval of each run is
worked out as the product does, and the share of runs that hold the mean is printed beside that of a plain percentile
bootstrap. `trend_findings` prints how often a trend of such runs shows a change.
"""

import argparse
import sys
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from faithview.stats.run_score import Cluster, mean_interval
from tests.performance import tables

Floats = NDArray[np.float64]
Population = Callable[[np.random.Generator, int], Floats]

_SIZES = (5, 10, 20, 50, 120)
_TRUTH_FROM = 2_000_000
_BOOTSTRAPS = 400
_RESAMPLES = 1_000


def _whole(rng: np.random.Generator, n: int) -> Floats:
    return (rng.random(n) < 0.95).astype(float)


def _one_wrong_claim(rng: np.random.Generator, n: int) -> Floats:
    return np.where(rng.random(n) < 0.85, 1.0, rng.choice([0, 1 / 3, 0.5, 2 / 3, 0.75, 0.8], n))


def _nearly_perfect(rng: np.random.Generator, n: int) -> Floats:
    return np.where(rng.random(n) < 0.96, 1.0, rng.choice([0, 0.5, 0.8], n))


def _four_claims(rng: np.random.Generator, n: int) -> Floats:
    return rng.binomial(4, rng.beta(9, 1, n)) / 4


def _middling(rng: np.random.Generator, n: int) -> Floats:
    return rng.choice([0, 0.2, 1 / 3, 0.5, 0.6, 0.75, 0.8, 1, 1], n)


_POPULATIONS: dict[str, Population] = {
    "right or wrong as a whole": _whole,
    "15 % with a wrong claim or more": _one_wrong_claim,
    "4 % with a wrong claim": _nearly_perfect,
    "four claims an answer": _four_claims,
    "middling answers": _middling,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the table, and return 1 where an interval holds the truth in fewer than 93 % of runs."""
    parser = argparse.ArgumentParser(description="How often does a run's interval hold the truth?")
    parser.add_argument("--repetitions", type=int, default=2_000)
    options = parser.parse_args(arguments)
    rows, missed = [], 0
    for name, population in _POPULATIONS.items():
        rng = np.random.default_rng(20_261_121)
        truth = float(population(rng, _TRUTH_FROM).mean())
        for n in _SIZES:
            samples = [population(rng, n) for _ in range(options.repetitions)]
            held, width = _coverage(samples, truth)
            missed += held < 0.93
            rows.append([name, f"{truth:.3f}", n, f"{held:.1%}", f"{width:.2f}", f"{_bootstrap(samples, truth):.1%}"])
    tables.show(
        f"95 % interval of a run's mean over {options.repetitions:,} runs",
        ["answers", "truth", "n", "holds", "width", "bootstrap holds"],
        rows,
    )
    sys.stdout.write(f"\nWanted: holds 93 % or more. {missed} missed.\n")
    return 1 if missed else 0


def _coverage(samples: Sequence[Floats], truth: float) -> tuple[float, float]:
    held, width = 0, 0.0
    for sample in samples:
        interval = mean_interval([Cluster(answers=1, total=float(score)) for score in sample])
        assert interval is not None
        held += interval.low <= truth <= interval.high
        width += interval.high - interval.low
    return held / len(samples), width / len(samples)


def _bootstrap(samples: Sequence[Floats], truth: float) -> float:
    rng = np.random.default_rng(1)
    held = 0
    for sample in samples[:_BOOTSTRAPS]:
        means = sample[rng.integers(0, len(sample), (_RESAMPLES, len(sample)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        held += low <= truth <= high
    return held / min(_BOOTSTRAPS, len(samples))


if __name__ == "__main__":
    sys.exit(main())
