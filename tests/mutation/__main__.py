"""Whether the tests notice when scoring, spans, pairing or a statistic is changed: `make mutation`.

Every operator, constant and comparison of them is changed, one at a time, and the tests that call what was changed are
run. Prints the changes that no test noticed, and a table. Changes that need no test stand in equivalent.toml with
the reason.
"""

import argparse
import contextlib
import os
import random
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

# Loaded once, before processes are forked; nothing of FaithView.
import hypothesis  # noqa: F401  # loaded for the forked processes
import numpy  # noqa: F401  # loaded for the forked processes
import playwright.sync_api  # noqa: F401  # loaded for the forked processes
import pytest
import scipy.stats  # noqa: F401  # loaded for the forked processes

from tests.mutation.children import Fate, Outcome
from tests.mutation.collected import Trials, measure
from tests.mutation.loading import try_constants
from tests.mutation.operators import Mutant, mutants_of

_ROOT = Path(__file__).resolve().parents[2]
_EXPLAINED = Path(__file__).with_name("equivalent.toml")
_MODULES = (
    "faithview/stats/*.py",
    "faithview/stats/slices/*.py",
    "faithview/domain/scoring.py",
    "faithview/domain/spans.py",
    "faithview/domain/pairing.py",
    "faithview/domain/matching.py",
)
_TESTS = ("tests/stats", "tests/domain")


def main() -> int:
    """Print the survivors and the table; return 1 if there is a survivor or an explanation that explains none."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only modules whose path contains one of these words")
    parser.add_argument("--tests", nargs="+", default=_TESTS, help="only tests of these files and folders")
    parser.add_argument("--sample", type=int, help="only so many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    os.chdir(_ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "few"
    mutants = _draw(_find(options.modules), options.sample, options.seed)
    explained = _explained()
    outcomes: list[Outcome] = []

    def report(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if outcome.fate is Fate.SURVIVED and _key(outcome.mutant) not in explained:
            print(f"survived  {outcome.mutant}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        pytest_options = ["-q", "-s", "--assert=plain", f"--basetemp={folder}/pytest"]
        pytest_options += ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"]
        baseline = measure([*pytest_options, *options.tests])
        constants = [mutant for mutant in mutants if not mutant.function]
        with contextlib.suppress(KeyboardInterrupt):  # the table of what was tried is printed all the same
            for outcome in try_constants(constants, baseline, options=pytest_options, processes=options.processes):
                report(outcome)
        inside = [mutant for mutant in mutants if mutant.function]
        trials = Trials(inside, baseline, processes=options.processes, report=report)
        pytest.main([*pytest_options, *options.tests], plugins=[trials])
    if len(outcomes) != len(mutants):
        print(f"Stopped: {len(outcomes):,} of {len(mutants):,} changes were tried, and the table is of those.")
    _print_table(outcomes, explained)
    stale = [outcome.mutant for outcome in outcomes if outcome.fate is not Fate.SURVIVED]
    wrong = {_key(mutant) for mutant in stale} & explained
    if len(mutants) == len(_find([])):
        wrong |= explained - {_key(mutant) for mutant in mutants}
    for path, function, statement, change in sorted(wrong):
        print(f"explained, and noticed or gone: {path} {function}: {change}  in  {statement}")
    survivors = [one for one in outcomes if one.fate is Fate.SURVIVED and _key(one.mutant) not in explained]
    return 1 if survivors or wrong or len(outcomes) != len(mutants) else 0


def _find(words: Sequence[str]) -> list[Mutant]:
    files = [path for pattern in _MODULES for path in sorted(_ROOT.glob(pattern)) if path.name != "__init__.py"]
    names = [path.relative_to(_ROOT).as_posix() for path in files]
    return [mutant for name in names if not words or any(word in name for word in words) for mutant in mutants_of(name)]


def _draw(mutants: list[Mutant], most: int | None, seed: int) -> list[Mutant]:
    if most is None or most >= len(mutants):
        return mutants
    drawn = sorted(random.Random(seed).sample(range(len(mutants)), most))
    return [mutants[at] for at in drawn]


def _key(mutant: Mutant) -> tuple[str, str, str, str]:
    return mutant.path, mutant.function, mutant.statement, mutant.change


def _explained() -> set[tuple[str, str, str, str]]:
    listed = tomllib.loads(_EXPLAINED.read_text(encoding="utf-8")).get("mutant", [])
    return {(one["path"], one["function"], one["statement"], one["change"]) for one in listed}


def _print_table(outcomes: Iterable[Outcome], explained: set[tuple[str, str, str, str]]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes:
        fate = str(outcome.fate)
        if outcome.fate is Fate.SURVIVED and _key(outcome.mutant) in explained:
            fate = "explained"
        for row in ("all", outcome.mutant.path):
            counts[row, fate] += 1
            counts[row, "mutants"] += 1
    columns = ["mutants", "killed", "timed out", "explained", "survived"]
    print(f"| module | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}")
    for row in sorted({row for row, _ in counts}, key=lambda row: (row == "all", row)):
        name = row if row == "all" else f"`{row.removeprefix('faithview/')}`"
        print(f"| {name} | {' | '.join(f'{counts[row, column]:,}' for column in columns)} |")


if __name__ == "__main__":
    sys.exit(main())
