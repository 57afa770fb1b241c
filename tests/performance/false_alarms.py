"""How often a comparison of two runs that are alike calls them different. See README.md beside this.

A/A: both runs of a pair answer the same questions and score by the same distribution, so every p below 0.05 is a false
alarm, and the true difference is 0. The scores are made (near 1, skewed, several answers to some questions) or drawn
from people's labels of real answers. A/B: the candidate breaks some questions, so that the interval can be held against
a true difference that is not 0.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from faithview.stats.intervals import ALPHA, CONFIDENCE, NORMAL_QUANTILE
from faithview.stats.paired import PairedDifference, compare_pairs
from tests.performance import tables

LABELLED = Path(__file__).parents[3] / "shared" / "bench"
_SIZES = (20, 118, 1_000)
_MOST_ALARMS = 0.055

Floats = NDArray[np.float64]
Pairs = tuple[Floats, Floats, NDArray[np.int64]]
Draw = Callable[[np.random.Generator, int], Pairs]


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the tables, and return 1 where there are more false alarms than chance explains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2_000)
    parser.add_argument("--labelled", type=Path, default=LABELLED, help="the folder with the labelled files")
    options = parser.parse_args(arguments)
    start = perf_counter()
    error = NORMAL_QUANTILE * (ALPHA * CONFIDENCE / options.repetitions) ** 0.5
    alike: list[tuple[str, Draw]] = [
        ("made, answered anew", partial(made, same=0.0)),
        ("made, most answers the same", partial(made, same=0.8)),
    ]
    path = options.labelled / "ragtruth.jsonl.gz"
    if path.exists():
        rated = rated_answers(path)
        alike += [
            ("people's labels, two models", partial(of_two_models, rated=rated)),
            ("people's labels, several answers a question", partial(several_answers, rated=rated)),
        ]
    else:
        sys.stdout.write(f"There are no labelled files at {options.labelled}; made scores only.\n")
    rows, missed = [], 0
    for name, draw in alike:
        for size in _SIZES:
            found = list(_compare(draw, size, options.repetitions))
            alarms = float(np.mean([_p(f) < ALPHA for f in found]))
            missed += alarms > _MOST_ALARMS + error
            rows.append([name, f"{size:,}", f"{alarms:.1%}", *_interval(found, 0.0), *_agreement(found)])
    columns = ["A/A", "pairs", "p < 0.05", "interval holds 0", "width", "p and interval agree"]
    tables.show(f"False alarms in {options.repetitions:,} comparisons of two runs that are alike", columns, rows)
    rows = []
    for name, share, same in (("15 % of questions worse", 0.15, 0.6), ("3 % broken, the rest the same", 0.03, 0.95)):
        draw = partial(made, same=same, broken=share)
        before, after, _ = draw(np.random.default_rng(0), 500_000)
        truth = float((after - before).mean())
        for size in _SIZES:
            found = list(_compare(draw, size, options.repetitions))
            power = float(np.mean([_p(f) < ALPHA for f in found]))
            rows.append(
                [name, f"{size:,}", f"{truth:.3f}", f"{power:.1%}", *_interval(found, truth), *_agreement(found)]
            )
    columns = ["A/B", "pairs", "true difference", "p < 0.05", "interval holds it", "width", "p and interval agree"]
    tables.show("Intervals where the candidate is worse", columns, rows)
    sys.stdout.write(
        f"\nWanted: at most {_MOST_ALARMS:.1%} false alarms; {missed} missed. A share of 5 % is itself known to "
        f"+-{error:.1%} from so many repetitions. {perf_counter() - start:.0f} s.\n"
    )
    return 1 if missed else 0


def made(rng: np.random.Generator, number: int, *, same: float, broken: float = 0.0) -> Pairs:
    """Return pairs near 1: most questions easy, one to three answers each, answers of one claim and more.

    `same` is the share of answers that both runs give alike; `broken` the share of questions that the candidate gets
    mostly wrong.
    """
    of = np.repeat(np.arange(number), rng.choice([1, 1, 1, 2, 3], number))[:number]
    questions = int(of[-1]) + 1
    level = np.where(rng.random(questions) < 0.6, 1.0, rng.beta(6, 2, questions))
    is_broken = rng.random(questions) < broken
    before, after = (
        rng.binomial(claims, chance[of]) / claims
        for chance, claims in (
            (level, 1 + rng.poisson(6, number)),
            (np.where(is_broken, 0.2 * level, level), 1 + rng.poisson(6, number)),
        )
    )
    return before, np.where((rng.random(number) < same) & ~is_broken[of], before, after), of


def rated_answers(path: Path) -> list[Floats]:
    """Return, for each question of the file, the shares of each answer's sentences that people left unmarked."""
    found: dict[str, list[float]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            ends = [at for at, letter in enumerate(row["answer"]) if letter in ".!?\n"] + [len(row["answer"])]
            starts = [0, *(end + 1 for end in ends[:-1])]
            parts = [(a, b) for a, b in zip(starts, ends, strict=True) if row["answer"][a:b].strip()]
            marked = [any(a < span["end"] and span["start"] < b for span in row["spans"]) for a, b in parts]
            found[row["doc"]].append(1 - sum(marked) / len(marked))
    return [np.array(scores) for scores in found.values() if len(scores) > 1]


def of_two_models(rng: np.random.Generator, number: int, *, rated: Sequence[Floats]) -> Pairs:
    """Return one pair a question: two of its answers, by chance which is the baseline's."""
    picked = [rng.permutation(rated[at])[:2] for at in rng.integers(0, len(rated), number)]
    return np.array([p[0] for p in picked]), np.array([p[1] for p in picked]), np.arange(number)


def several_answers(rng: np.random.Generator, number: int, *, rated: Sequence[Floats]) -> Pairs:
    """Return as many pairs a question as its answers make, so that one question's pairs go together."""
    before: list[float] = []
    after: list[float] = []
    of: list[int] = []
    while len(of) < number:
        scores = rng.permutation(rated[int(rng.integers(0, len(rated)))])
        first, second = scores[: len(scores) // 2], scores[len(scores) // 2 :][: len(scores) // 2]
        before += first.tolist()
        after += second.tolist()
        of += [of[-1] + 1 if of else 0] * len(first)
    return np.array(before[:number]), np.array(after[:number]), np.array(of[:number])


def _compare(draw: Draw, size: int, repetitions: int) -> Iterator[PairedDifference]:
    for seed in range(repetitions):
        yield compare_pairs(*draw(np.random.default_rng(seed), size))


def _interval(found: Sequence[PairedDifference], truth: float) -> list[str]:
    known = [f.interval for f in found if f.interval is not None]
    holds = float(np.mean([i.low <= truth <= i.high for i in known]))
    return [f"{holds:.1%}", f"{np.mean([i.high - i.low for i in known]):.3f}"]


def _agreement(found: Sequence[PairedDifference]) -> list[str]:
    agree = [f.interval is not None and (_p(f) < ALPHA) == (f.interval.low > 0 or f.interval.high < 0) for f in found]
    return [f"{np.mean(agree):.1%}"]


def _p(found: PairedDifference) -> float:
    assert found.p_value is not None
    return found.p_value


if __name__ == "__main__":
    sys.exit(main())
