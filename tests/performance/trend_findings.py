"""How often a trend finds a change where there is none: `python -m tests.performance.trend_findings`.

Series of equal runs are drawn from populations whose mean does not change, and the share of series is printed in which
Trends would say that something changed: a step, a drift or, from ten runs on, a change of level. Runs over other
questions each time are tested by their intervals, runs over the same questions on their pairs; a question keeps its
difficulty, and answers vary around it. A third table has four segments of equal size, of which one may be named where
the whole did not change. Wanted: at most 5 %, and what so many series leave uncertain.

A last table prints how often the same tests find a fall of 0.1 that is there, in one step or spread over all runs.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from faithview.domain.answer import View
from faithview.domain.run import JudgeSpec
from faithview.domain.trend import Grouping, TrendLine, TrendPoint
from faithview.services.comparison.compared_runs import SEGMENT_ALPHA
from faithview.services.level_changes import RunPairs
from faithview.stats.run_score import Cluster, run_score
from faithview.stats.trend_steps import StepTest, independent_step, line_tests
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
_START = datetime(2026, 1, 5, tzinfo=UTC)
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


class _Series:
    """Runs as arrays of scores, one row a run, and the tests that Trends makes of them."""

    def __init__(self, scores: Floats, *, is_paired: bool) -> None:
        self.scores = scores
        self._is_paired = is_paired
        self._segments = tuple(f"s{at % _SEGMENTS}" for at in range(scores.shape[1]))

    def line(self, segment: int | None = None) -> TrendLine:
        """Return the line of all answers, or of one segment."""
        chosen = self.scores if segment is None else self.scores[:, segment::_SEGMENTS]
        points = tuple(_point(number, row) for number, row in enumerate(chosen))
        return TrendLine(
            group="" if segment is None else f"s{segment}",
            fingerprint="f",
            judge=JudgeSpec(),
            view=View.JUDGE,
            points=points,
            grouping=Grouping.ALL if segment is None else Grouping.SEGMENT,
        )

    def test(self, line: TrendLine, before: TrendPoint, after: TrendPoint) -> StepTest | None:
        """Compare two points as `StepTests` does."""
        if not self._is_paired:
            return independent_step(line, before, after)
        number = self.scores.shape[1]
        pairs = RunPairs(
            by_id=number,
            pairs=number,
            rows=number,
            before=self.scores[int(before.run_ids[0])],
            after=self.scores[int(after.run_ids[0])],
            question=np.arange(number),
            segments=self._segments,
        )
        return pairs.quick_test((line.group,) if line.grouping is Grouping.SEGMENT else None)

    def is_found(self, *, with_segments: bool = False) -> bool:
        """Return whether Trends would say that something changed."""
        line = self.line()
        (tests,) = line_tests([line], self.test, with_drift=True)
        if any(step.is_real for step in tests.steps) or (tests.drift is not None and tests.drift.is_real):
            return True
        if not with_segments:
            return False
        segments = line_tests([self.line(at) for at in range(min(_SEGMENTS, self.scores.shape[1]))], self.test)
        return any(step.adjusted < SEGMENT_ALPHA for own in segments for step in own.steps)


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
        found += _Series(scores, is_paired=is_paired).is_found(with_segments=with_segments)
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


def _point(number: int, scores: Floats) -> TrendPoint:
    values, counts = np.unique(scores, return_counts=True)
    clusters = zip(values.tolist(), counts.tolist(), strict=True)
    score = run_score([Cluster(answers=1, total=total, count=count) for total, count in clusters], unscored=0)
    assert score.mean is not None
    return TrendPoint(
        at=_START + timedelta(weeks=number),
        mean=score.mean,
        interval=score.interval,
        judged=len(scores),
        rows=len(scores),
        left_out={},
        run_ids=(str(number),),
    )


if __name__ == "__main__":
    sys.exit(main())
