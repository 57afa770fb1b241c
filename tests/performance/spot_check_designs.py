"""How much drawing stale and worse claims first widens the interval: `python -m tests.performance.spot_check_designs`.

A made run of single claims, some of which must be looked at first. Spot-checks are drawn from it at random, with as
many of those claims as there is room for beside two others, and as the product does it. What is printed is the mean
width of the corrected score's interval, divided by that of the random draw of the same size, and how often the truth is
inside.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from faithview.stats.corrected_score import CorrectedScore, corrected_score
from faithview.stats.sampling import FIRST, MOST_WIDENED, Plan, draw, plan_spot_check
from faithview.stats.spot_check import SpotCheckSample, Stratum, Unit
from tests.performance import tables

_CLAIMS = 2_000
_SHARES = (0.05, 0.2, 0.4, 0.6)
_SIZES = (30, 60, 120)
# How often people call a claim supported: one that is to be looked at first, and another.
_RIGHT_FIRST, _RIGHT_OTHERS = 0.4, 0.9
_JUDGE_WRONG = 0.15

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A run of claims that weigh the same: what judge and people say of each, and which are to be drawn first."""

    judge: Floats
    people: Floats
    first: NDArray[np.bool_]


def make_run(share: float, *, claims: int = _CLAIMS, seed: int = 20_261_121) -> Made:
    """Return a run of which this share of the claims is to be drawn first."""
    rng = np.random.default_rng(seed)
    first = rng.permutation(claims) < round(share * claims)
    people = (rng.random(claims) < np.where(first, _RIGHT_FIRST, _RIGHT_OTHERS)).astype(np.float64)
    judge = np.where(rng.random(claims) < _JUDGE_WRONG, 1 - people, people)
    return Made(judge=judge, people=people, first=first)


def as_many_as_there_is_room_for(plan: Plan, size: int) -> Plan:
    """Return the plan with all labels but two spent on the units to be drawn first."""
    at = plan.names.index(FIRST)
    limit = np.bincount(plan.stratum, minlength=2)
    sizes = [0, 0]
    sizes[at] = min(int(limit[at]), size - 2)
    sizes[1 - at] = size - sizes[at]
    pi = (np.array(sizes) / limit)[plan.stratum]
    return replace(plan, sizes=tuple(sizes), pi=pi)


def simulate(run: Made, plan: Plan, repetitions: int) -> tuple[float, float]:
    """Return the interval's mean width over spot-checks of this plan, and the share of them that hold the truth."""
    claims, truth = len(run.people), float(run.people.mean())
    units, judged = (np.bincount(plan.stratum, w, minlength=len(plan.names)) for w in (None, run.judge))
    strata = tuple(
        Stratum(name=name, units=int(n), weight=n / claims, judged=float(f) / claims)
        for name, n, f in zip(plan.names, units, judged, strict=True)
    )
    widths, held = [], 0
    for seed in range(repetitions):
        drawn = draw(plan, seed=seed)
        score = corrected_score(
            SpotCheckSample(
                strata=strata,
                stratum=plan.stratum[drawn.units],
                pi=drawn.pi,
                weight=np.full(len(drawn.units), 1 / claims),
                judge=run.judge[drawn.units],
                people=run.people[drawn.units],
                unit=Unit.CLAIM,
            )
        )
        assert isinstance(score, CorrectedScore)
        interval = score.corrected.interval
        widths.append(interval.high - interval.low)
        held += interval.low <= truth <= interval.high
    return float(np.mean(widths)), held / repetitions


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the table, and return 1 where the interval is wider than it may be."""
    parser = argparse.ArgumentParser(description="How much wider is the interval where some claims are drawn first?")
    parser.add_argument("--repetitions", type=int, default=300)
    options = parser.parse_args(arguments)
    rows, missed = [], 0
    for share in _SHARES:
        run = make_run(share)
        for size in _SIZES:
            even = np.full(len(run.people), 1.0)
            plan = plan_spot_check(even, size=size, first=run.first)
            plain, _ = simulate(run, plan_spot_check(even, size=size), options.repetitions)
            room, room_holds = simulate(run, as_many_as_there_is_room_for(plan, size), options.repetitions)
            capped, holds = simulate(run, plan, options.repetitions)
            missed += capped > MOST_WIDENED * plain
            taken = plan.sizes[plan.names.index(FIRST)]
            without = min(size - 2, int(run.first.sum()))
            row = [f"{share:.0%}", str(size), f"{plain:.3f}", str(without), f"{room / plain:.2f}", f"{room_holds:.0%}"]
            rows.append([*row, str(taken), f"{capped / plain:.2f}", f"{holds:.0%}"])
    tables.show(
        f"Claims to be drawn first, of {_CLAIMS:,}; {options.repetitions:,} spot-checks each",
        ["share", "labels", "random: width", "room: taken", "ratio", "holds", "capped: taken", "ratio", "holds"],
        rows,
    )
    sys.stdout.write(f"\nWanted: no ratio above {MOST_WIDENED} where capped; {missed} missed.\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
