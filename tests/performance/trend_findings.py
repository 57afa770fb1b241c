"""How often a trend finds a change where there is none: `python -m tests.performance.trend_findings`.

Series of equal runs are drawn from populations whose mean does not change, and the share of series is printed in which
Trends would say that something changed: a step from one run to the next, or the newest against those before. Runs over
other questions each time are tested by their intervals, runs over the same questions on their pairs; a question keeps
its difficulty, and answers vary around it. A third table has four segments of equal size, of which one may be named
where the whole did not change. Wanted: at most 5 %, and what so many series leave uncertain.

A last table prints how often the same tests find a fall of 0.1 that is there, in one step or spread over all runs.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from faithview.services.comparison.compared_runs import SEGMENT_ALPHA
from faithview.stats.intervals import ALPHA
from faithview.stats.multiple_tests import holm
from faithview.stats.run_score import Cluster, run_score
from faithview.stats.trend_steps import Estimate, StepTest, drift_test, independent_test, mean_of, paired_test
from tests.performance import tables

Floats = NDArray[np.float64]
# The chance of each question's claims being supported, from a random generator and a number of questions.
Difficulty = Callable[[np.random.Generator, int], Floats]

_RUNS = (2, 3, 6, 9, 10, 20, 40)
_ANSWERS = (2, 5, 10, 20, 50, 120, 400)
# Title, whether runs share their questions, whether segments are looked at.
_TABLES = (
    ("other questions in each run", False, False),
    ("the same questions in each run", True, False),
    ("the same questions, four segments", True, True),
)
_SEGMENTS = 4
_WANTED = 0.05
_UNCERTAIN = 2.6  # standard errors: of 100 cells about one is further out by chance


def _hard(rng: np.random.Generator, n: int) -> Floats:
    return rng.beta(1.0, 1.0, n)


def _easy(rng: np.random.Generator, n: int) -> Floats:
    return rng.beta(9.0, 0.5, n)


# By name: the claims of an answer, and how difficult its questions are.
_POPULATIONS: Mapping[str, tuple[int, Difficulty]] = {
    "0/1, mean 0.50": (1, _hard),
    "0/1, mean 0.95": (1, _easy),
    "four claims, mean 0.95": (4, _easy),
}


def _is_found(scores: Floats, *, is_paired: bool, with_segments: bool = False) -> bool:
    """Return whether Trends would say that something changed in runs with these scores, one row a run."""
    if min(_adjusted(_tests(scores, is_paired=is_paired, with_drift=True)), default=1.0) < ALPHA:
        return True
    parts = [scores[:, at::_SEGMENTS] for at in range(_SEGMENTS)] if with_segments else []
    tests = [test for part in parts for test in _tests(part, is_paired=is_paired, with_drift=False)]
    return min(_adjusted(tests), default=1.0) < SEGMENT_ALPHA


def _adjusted(tests: Sequence[StepTest]) -> list[float]:
    return holm([test.least_p for test in tests])


def _tests(scores: Floats, *, is_paired: bool, with_drift: bool) -> list[StepTest]:
    """Make the tests of a line as `level_changes.line_tests` does."""
    questions, newest = np.arange(scores.shape[1]), scores[-6:]
    has_drift = with_drift and len(scores) > 2
    if is_paired:
        found = [paired_test(before, after, questions) for before, after in pairwise(scores)]
        found += [drift_test(newest.T)] if has_drift else []
    else:
        points = [_estimate(row) for row in scores]
        found = [independent_test(before, after) for before, after in pairwise(points)]
        found += [independent_test(mean_of(points[-len(newest) : -1]), points[-1])] if has_drift else []
    return [test for test in found if test is not None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the tables, and return 1 where more than 5 % of series without a change show one."""
    parser = argparse.ArgumentParser(description="How often does a trend find a change where there is none?")
    parser.add_argument("--series", type=int, default=1_000)
    parser.add_argument("--table", type=int, choices=(1, 2, 3, 4), help="print only this one")
    options = parser.parse_args(arguments)
    most = _WANTED + _UNCERTAIN * (_WANTED * (1 - _WANTED) / options.series) ** 0.5
    missed = 0
    for number, (title, is_paired, with_segments) in enumerate(_TABLES, start=1):
        if options.table not in (None, number):
            continue
        rows = []
        for name in _POPULATIONS:
            for runs in _RUNS:
                shares = [
                    _share(name, runs, n, options.series, is_paired=is_paired, with_segments=with_segments)
                    for n in _ANSWERS
                ]
                missed += sum(share > most for share in shares)
                rows.append([name, runs, *(f"{share:.1%}" for share in shares)])
        columns = ["answers", "runs", *(f"n {n}" for n in _ANSWERS)]
        tables.show(f"Series without a change that show one, {title}, of {options.series:,}", columns, rows)
    if options.table in (None, len(_TABLES) + 1):
        _show_power(options.series)
    sys.stdout.write(f"\nWanted: at most {most:.1%} in every cell. {missed} missed.\n")
    return 1 if missed else 0


def _show_power(series: int) -> None:
    rows = []
    for is_paired in (False, True):
        for runs in (2, 6, 9):
            for shape in ("step", "slope"):
                found = [
                    _share("0/1, mean 0.95", runs, n, series // 4, is_paired=is_paired, fall=shape) for n in _ANSWERS
                ]
                asked = "the same" if is_paired else "others"
                rows.append([asked, runs, shape, *(f"{share:.0%}" for share in found)])
    columns = ["questions", "runs", "fall of 0.1", *(f"n {n}" for n in _ANSWERS)]
    tables.show(f"Series with a fall of 0.1 that is found, 0/1, of {series // 4:,}", columns, rows)


def _share(
    name: str,
    runs: int,
    n: int,
    series: int,
    *,
    is_paired: bool,
    with_segments: bool = False,
    fall: str | None = None,
) -> float:
    """Return the share of series that show a change."""
    rng = np.random.default_rng(20_261_124)
    found = 0
    for _ in range(series):
        scores = _draw(rng, *_POPULATIONS[name], runs=runs, n=n, is_paired=is_paired, fall=fall)
        found += _is_found(scores, is_paired=is_paired, with_segments=with_segments)
    return found / series


def _draw(
    rng: np.random.Generator,
    claims: int,
    difficulty: Difficulty,
    *,
    runs: int,
    n: int,
    is_paired: bool,
    fall: str | None,
) -> Floats:
    chances = np.tile(difficulty(rng, n), (runs, 1)) if is_paired else difficulty(rng, runs * n).reshape(runs, n)
    # A fall takes away the same share of the supported claims of every question.
    if fall is not None:
        at = np.linspace(0, 1, runs) if fall == "slope" else (np.arange(runs) >= runs // 2).astype(float)
        chances = chances * (1 - 0.1 * at[:, np.newaxis] / 0.95)
    return rng.binomial(claims, chances) / claims


def _estimate(scores: Floats) -> Estimate:
    values, counts = np.unique(scores, return_counts=True)
    clusters = zip(values.tolist(), counts.tolist(), strict=True)
    score = run_score([Cluster(answers=1, total=total, count=count) for total, count in clusters], unscored=0)
    assert score.mean is not None
    return Estimate(mean=score.mean, interval=score.interval, questions=len(scores))


if __name__ == "__main__":
    sys.exit(main())
