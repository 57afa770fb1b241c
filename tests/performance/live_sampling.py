"""Bias and coverage of a day's mean where its hours were judged at different sampling rates, weighted and unweighted.

    python -m tests.performance.live_sampling [--repetitions 2000]

Each row is a day of logged answers: in some hours a small share is judged, in others all or a large one, and the hours
differ in how faithful the answers are. A day is logged anew in each repetition, the hours are sampled as a watch does,
and the day's mean is estimated as Trends does (weights of one over the inclusion probability, `stats/run_score.py`) and
without weights. The truth is the mean over all logged answers of that day. Exits with 1 if a weighted interval holds it
less often than in 93 % of the days, within chance, or if the weighted mean is off by more than 0.005.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from faithview.stats.run_score import Cluster, run_score

_LEAST = 0.93
_MOST_BIAS = 0.005


class Part(NamedTuple):
    """Hours of a day with one rate: answers logged, the rate, and the share of faithful, half right and wrong ones."""

    logged: int
    rate: float
    right: float
    half: float


DAYS: dict[str, Sequence[Part]] = {
    "one rate, 5%": [Part(6_000, 0.05, 0.85, 0.10)],
    "an incident judged in full": [Part(6_000, 0.05, 0.90, 0.06), Part(400, 1.0, 0.50, 0.20)],
    "a canary at 50%, better": [Part(5_000, 0.02, 0.80, 0.10), Part(500, 0.5, 0.98, 0.01)],
    "three rates, alike": [Part(2_000, 0.02, 0.88, 0.08), Part(2_000, 0.1, 0.88, 0.08), Part(200, 1.0, 0.88, 0.08)],
    "three rates, different": [Part(4_000, 0.01, 0.75, 0.15), Part(1_000, 0.1, 0.90, 0.05), Part(300, 1.0, 1.0, 0.0)],
    "few, near 1": [Part(1_500, 0.02, 0.97, 0.02), Part(60, 1.0, 0.90, 0.05)],
}


class Figures(NamedTuple):
    """Bias, coverage of the 95 % interval and its mean width, with and without weights, and how many were judged."""

    judged: float
    bias: float
    coverage: float
    width: float
    plain_bias: float
    plain_coverage: float
    plain_width: float


def simulate(parts: Sequence[Part], *, repetitions: int, seed: int) -> Figures:
    """Log, sample and estimate so many days."""
    rng = np.random.default_rng(seed)
    seen: list[tuple[float, ...]] = []
    for _ in range(repetitions):
        total, logged = 0.0, 0
        clusters: list[Cluster] = []
        for part in parts:
            scores = rng.choice(
                [1.0, 0.5, 0.0], size=part.logged, p=[part.right, part.half, 1 - part.right - part.half]
            )
            total += float(scores.sum())
            logged += part.logged
            drawn = scores[rng.random(part.logged) < part.rate]
            weight = 1 / part.rate
            values, counts = np.unique(drawn, return_counts=True)
            clusters += [
                Cluster(answers=1, total=value * weight, count=count, weight=weight)
                for value, count in zip(values.tolist(), counts.tolist(), strict=True)
            ]
        truth = total / logged
        plain = [Cluster(answers=1, total=c.total / (c.weight or 1.0), count=c.count) for c in clusters]
        row: list[float] = [float(sum(c.count for c in clusters))]
        for score in (run_score(clusters, unscored=0), run_score(plain, unscored=0)):
            if score.mean is None or score.interval is None:
                row += [math.nan] * 3
                continue
            holds = score.interval.low <= truth <= score.interval.high
            row += [score.mean - truth, float(holds), score.interval.high - score.interval.low]
        seen.append(tuple(row))
    return Figures(*np.nanmean(np.array(seen), axis=0).tolist())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2_000)
    given = parser.parse_args()
    print(f"{given.repetitions:,} days each; coverage of the 95 % interval\n")
    print("| day | judged | bias, weighted | coverage | width | bias, unweighted | coverage | width |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    failures = []
    for number, (name, parts) in enumerate(DAYS.items()):
        f = simulate(parts, repetitions=given.repetitions, seed=number)
        print(
            f"| {name} | {f.judged:.0f} | {f.bias:+.4f} | {f.coverage:.1%} | {f.width:.3f} "
            f"| {f.plain_bias:+.4f} | {f.plain_coverage:.1%} | {f.plain_width:.3f} |"
        )
        chance = 3 * math.sqrt(_LEAST * (1 - _LEAST) / given.repetitions)
        if f.coverage < _LEAST - chance or abs(f.bias) > _MOST_BIAS:
            failures.append(name)
    if failures:
        sys.exit(f"Missed: {', '.join(failures)}.")


if __name__ == "__main__":
    main()
