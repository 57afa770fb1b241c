"""How often the truth is outside at some look: `python -m tests.performance.sequential_looks`.

People look at a corrected score while they label. From runs whose truth is known spot-checks are drawn at random with
the product's own sampler, and each is looked at 35 times on the way to its end. Printed is in which share of them some
look had the truth outside: with the fixed interval at every look, and with what the product shows, which is the anytime
interval until the last look and the fixed one there.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.corrected_score import CorrectedScore, corrected_score
from faithview.stats.sampling import draw, plan_spot_check
from faithview.stats.spot_check import SpotCheckSample, Stratum
from tests.performance import tables

_LOOKS = 35
_MOST_MISSED = 0.07  # 5 %, and what a few hundred spot-checks leave uncertain

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """A run with its truth: people's and the judge's score of each unit, and how many units are drawn."""

    name: str
    people: Floats
    judge: Floats
    drawn: int

    @property
    def truth(self) -> float:
        """The run's score by people."""
        return float(self.people.mean())


def populations() -> list[Population]:
    """Return single claims with a good judge, whole answers near 1, and a small run with a poor judge."""
    rng = np.random.default_rng(20_261_121)
    claims = (rng.random(2_000) < 0.8).astype(np.float64)
    answers = rng.binomial(4, rng.beta(9, 0.7, 900)) / 4
    small = (rng.random(300) < 0.65).astype(np.float64)
    return [
        Population(name="claims, 80 % right", people=claims, judge=_judge(claims, 0.12, rng), drawn=210),
        Population(name="whole answers near 1", people=answers, judge=_judge(answers, 0.1, rng), drawn=140),
        Population(name="a small run, poor judge", people=small, judge=_judge(small, 0.35, rng), drawn=140),
    ]


def spot_check(run: Population, seed: int) -> SpotCheckSample:
    """Draw a spot-check of a run and label it wholly; its units are in the order of the queue."""
    units = len(run.people)
    drawn = draw(plan_spot_check(np.ones(units), size=run.drawn), seed=seed)
    at = drawn.units
    return SpotCheckSample(
        strata=(Stratum(name="all", units=units, weight=1.0, judged=float(run.judge.mean())),),
        stratum=np.zeros(len(at), dtype=np.int64),
        pi=drawn.pi,
        weight=np.full(len(at), 1 / units),
        judge=run.judge[at],
        people=run.people[at],
    )


def missed_looks(run: Population, seed: int, *, looks: int = _LOOKS) -> tuple[bool, bool]:
    """Return whether some look has the truth outside: by the fixed interval, and by what the product shows."""
    whole = spot_check(run, seed)
    fixed = shown = False
    for look in range(1, looks + 1):
        labelled = round(run.drawn * look / looks)
        check = replace(whole, people=np.where(np.arange(run.drawn) < labelled, whole.people, np.nan))
        now = _interval(check, is_final=True)
        anytime = now if look == looks else _interval(check, is_final=False)
        fixed |= now is not None and not now.low <= run.truth <= now.high
        shown |= anytime is not None and not anytime.low <= run.truth <= anytime.high
    return fixed, shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the table, and return 1 where what is shown misses the truth too often."""
    parser = argparse.ArgumentParser(description="How often is the truth outside at some look?")
    parser.add_argument("--repetitions", type=int, default=500)
    options = parser.parse_args(arguments)
    rows, missed = [], 0
    for run in populations():
        found = np.array([missed_looks(run, seed) for seed in range(options.repetitions)])
        fixed, shown = found.mean(axis=0)
        missed += shown > _MOST_MISSED
        widths = [_widths(run, seed) for seed in range(50)]
        wider = f"{np.mean([anytime / fixed_width for fixed_width, anytime in widths]):.2f}"
        rows.append([run.name, f"{run.truth:.3f}", str(run.drawn), f"{fixed:.1%}", f"{shown:.1%}", wider])
    tables.show(
        f"Spot-checks with the truth outside at one of {_LOOKS} looks, of {options.repetitions:,}",
        ["run", "truth", "drawn", "fixed interval", "as shown", "half way wider by"],
        rows,
    )
    return 1 if missed else 0


def _widths(run: Population, seed: int) -> tuple[float, float]:
    whole = spot_check(run, seed)
    check = replace(whole, people=np.where(np.arange(run.drawn) < run.drawn // 2, whole.people, np.nan))
    fixed, anytime = (_interval(check, is_final=is_final) for is_final in (True, False))
    assert fixed is not None
    assert anytime is not None
    return fixed.high - fixed.low, anytime.high - anytime.low


def _interval(check: SpotCheckSample, *, is_final: bool) -> Interval | None:
    score = corrected_score(check, is_final=is_final)
    return score.corrected.interval if isinstance(score, CorrectedScore) else None


def _judge(people: Floats, wrong: float, rng: np.random.Generator) -> Floats:
    return np.where(rng.random(len(people)) < wrong, 1 - people, people)


if __name__ == "__main__":
    sys.exit(main())
