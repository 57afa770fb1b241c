"""How often labels alone make a difference of two runs that is called significant. See README.md beside this.

The judges of both runs are the same, and so is the truth of what they judge, so every significant difference is a false
finding. The labels are right. Chosen labels, of claims that the judge flags, are what the Inbox asks for.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from faithview.services.review.label_balance import measure_balance
from faithview.stats.corrected_difference import CorrectedDifference, compare_corrected
from faithview.stats.corrected_score import corrected_score
from faithview.stats.intervals import ALPHA
from faithview.stats.paired import compare_pairs
from faithview.stats.spot_check import Unit
from faithview.store.compared_answers import LabelledAnswer, LabelledClaim, LabelledRun
from tests.performance import tables
from tests.stats.made_spot_check import make_spot_check

_ANSWERS = 300
_MOST_CLAIMS = 12
_JUDGES = ((0.60, 0.95), (0.80, 0.98))
_MOST_ALARMS = 0.05

Booleans = NDArray[np.bool_]
Label = Callable[[np.random.Generator, "Run"], Booleans]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Claims in the order of their answers: whether each is supported, by the truth and by the judge."""

    answer: NDArray[np.int64]
    truth: Booleans
    judge: Booleans

    def scores(self, labelled: Booleans) -> NDArray[np.float64]:
        """Return the answers' reviewed scores."""
        verdict = np.where(labelled, self.truth, self.judge)
        return np.bincount(self.answer, verdict) / np.bincount(self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """How two runs are labelled; `is_same` where both are of the same answers with the same verdicts."""

    name: str
    before: Label
    after: Label
    is_same: bool = True
    is_carried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Whether one pair of runs was called different without the rule, and with it; None where it was not tested."""

    plain: bool
    shown: bool | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the table, and return 1 where more false findings are shown than 5 % and chance explain."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=300)
    options = parser.parse_args(arguments)
    start = perf_counter()
    allowed = _MOST_ALARMS + 1.96 * (_MOST_ALARMS * (1 - _MOST_ALARMS) / options.repetitions) ** 0.5
    rows, missed = [], 0
    for case in cases():
        row = [case.name]
        for sensitivity, specificity in _JUDGES:
            found = list(_simulate(case, sensitivity, specificity, options.repetitions))
            shown = float(np.mean([bool(one.shown) for one in found]))
            missed += shown > allowed
            row += [
                f"{np.mean([one.plain for one in found]):.0%}",
                f"{shown:.0%}",
                f"{np.mean([one.shown is None for one in found]):.0%}",
            ]
        rows.append(row)
    row = ["corrected scores, a random spot-check of 80 of each run"]
    for sensitivity, specificity in _JUDGES:
        clear = float(np.mean(list(_corrected(sensitivity, specificity, options.repetitions))))
        missed += clear > allowed
        row += ["", f"{clear:.0%}", ""]
    rows.append(row)
    names = [f"{a:.2f}/{b:.2f}" for a, b in _JUDGES]
    columns = ["labels", *(f"{name} {what}" for name in names for what in ("no rule", "shown", "not tested"))]
    tables.show(f"Called significant in {options.repetitions:,} pairs of runs that are alike", columns, rows)
    sys.stdout.write(
        f"\nWanted: at most {_MOST_ALARMS:.0%} shown, {allowed:.1%} with the error of so many repetitions; {missed} "
        f"missed. {perf_counter() - start:.0f} s.\n"
    )
    return 1 if missed else 0


def cases() -> list[Case]:
    """Return how the two runs may be labelled."""
    return [
        *(Case(name=f"newer run: random {n}", before=_none, after=partial(_random, number=n)) for n in (80, 200)),
        *(Case(name=f"newer run: {n} flagged", before=_none, after=partial(_flagged, number=n)) for n in (20, 40, 100)),
        Case(name="older run: 40 flagged", before=partial(_flagged, number=40), after=_none),
        Case(name="40 flagged, carried over", before=partial(_flagged, number=40), after=_none, is_carried=True),
        Case(
            name="newer run: 40 flagged, older: random 40",
            before=partial(_random, number=40),
            after=partial(_flagged, number=40),
        ),
        Case(
            name="random 80 of each, other answers",
            before=partial(_random, number=80),
            after=partial(_random, number=80),
            is_same=False,
        ),
        Case(name="all flagged of each, other answers", before=_all_flagged, after=_all_flagged, is_same=False),
        Case(name="all claims of each, other answers", before=_all, after=_all, is_same=False),
        Case(name="no labels, other answers", before=_none, after=_none, is_same=False),
    ]


def make_run(rng: np.random.Generator, sensitivity: float, specificity: float, level: NDArray[np.float64]) -> Run:
    """Return a run whose answers' claims are supported with that chance each, by their questions' `level`."""
    answer = np.repeat(np.arange(len(level)), rng.integers(1, _MOST_CLAIMS + 1, len(level)))
    truth = rng.random(len(answer)) < level[answer]
    judge = np.where(truth, rng.random(len(answer)) < specificity, rng.random(len(answer)) >= sensitivity)
    return Run(answer=answer, truth=truth, judge=judge)


def labelled_run(run: Run, labelled: Booleans, *, name: str) -> LabelledRun:
    """Return the run's labels as the rule reads them; `name` tells claims of different texts apart."""
    kinds = {kind for kind in (False, True) if labelled[run.judge == kind].all()}
    answers: dict[int, LabelledAnswer] = {}
    for row in np.unique(run.answer[labelled]):
        own = np.flatnonzero(run.answer == row)
        answers[int(row)] = LabelledAnswer(
            row=int(row),
            key=str(row),
            cluster=f"question {row}",
            claims=tuple(
                LabelledClaim(f"{name} {at}", bool(run.judge[at]), bool(run.judge[at] != run.truth[at]))
                for at in own[labelled[own]]
            ),
            is_whole=bool(labelled[own].all()),
        )
    return LabelledRun(answers=answers, wholly_labelled=frozenset(kinds))


def _simulate(case: Case, sensitivity: float, specificity: float, repetitions: int) -> Iterator[_Found]:
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        level = rng.beta(6, 1, _ANSWERS)
        before = make_run(rng, sensitivity, specificity, level)
        after = before if case.is_same else make_run(rng, sensitivity, specificity, level)
        old, new = case.before(rng, before), case.after(rng, after)
        if case.is_carried:
            new = new | old
        names = ("claim", "claim" if case.is_same else "other claim")
        rows = [(row, row) for row in range(_ANSWERS)]
        balance = measure_balance(
            labelled_run(before, old, name=names[0]), labelled_run(after, new, name=names[1]), pairs=rows
        )
        found = compare_pairs(before.scores(old), after.scores(new), np.arange(_ANSWERS), seed=seed)
        is_called = found.p_value is not None and found.p_value < ALPHA
        yield _Found(plain=is_called, shown=is_called if balance.is_balanced else None)


def _corrected(sensitivity: float, specificity: float, repetitions: int) -> Iterator[bool]:
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        level = np.full(_ANSWERS, 0.86)
        scores = []
        for _ in range(2):
            # The target is a run's own mean: the same answers in both, so that there is no difference.
            run = make_run(np.random.default_rng(seed), sensitivity, specificity, level)
            drawn = _random(rng, run, number=80)
            sample = make_spot_check(
                answer=run.answer,
                stratum=np.zeros(len(run.answer)),
                pi=np.where(drawn, 80 / len(run.answer), np.nan),
                judge=run.judge,
                people=np.where(drawn, run.truth, np.nan),
                unit=Unit.CLAIM,
            )
            scores.append(corrected_score(sample))
        found = compare_corrected(*scores)
        yield isinstance(found, CorrectedDifference) and found.is_clear


def _none(_: np.random.Generator, run: Run) -> Booleans:
    return np.zeros(len(run.answer), dtype=bool)


def _all(_: np.random.Generator, run: Run) -> Booleans:
    return np.ones(len(run.answer), dtype=bool)


def _all_flagged(_: np.random.Generator, run: Run) -> Booleans:
    return ~run.judge


def _random(rng: np.random.Generator, run: Run, *, number: int) -> Booleans:
    return _picked(run, rng.permutation(len(run.answer))[:number])


def _flagged(rng: np.random.Generator, run: Run, *, number: int) -> Booleans:
    return _picked(run, rng.permutation(np.flatnonzero(~run.judge))[:number])


def _picked(run: Run, claims: NDArray[np.int64]) -> Booleans:
    labelled = np.zeros(len(run.answer), dtype=bool)
    labelled[claims] = True
    return labelled


if __name__ == "__main__":
    sys.exit(main())
