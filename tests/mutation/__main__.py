"""Whether the tests notice when scoring, spans, pairing or a statistic is changed: `make mutation`.

Every operator, constant and comparison of those modules is changed, one at a time, and the module's own tests are run.
Prints the changes that no test noticed. Those that change no result stand in equivalent.toml with the reason.
"""

import argparse
import os
import random
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

# Loaded once, before processes are forked; nothing of FaithView.
import hypothesis  # noqa: F401  # loaded for the forked processes
import numpy  # noqa: F401  # loaded for the forked processes
import playwright.sync_api  # noqa: F401  # loaded for the forked processes
import scipy.stats  # noqa: F401  # loaded for the forked processes

from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.running import Fate, Task, run, time_tests

_ROOT = Path(__file__).resolve().parents[2]
_EQUIVALENT = Path(__file__).with_name("equivalent.toml")
_MODULES = (
    "faithview/stats/*.py",
    "faithview/stats/slices/*.py",
    "faithview/domain/scoring.py",
    "faithview/domain/spans.py",
    "faithview/domain/pairing.py",
    "faithview/domain/matching.py",
)
_TESTS = ("tests/stats", "tests/domain", "tests/services/comparison", "tests/services/slices")


def main() -> int:
    """Print the survivors; return 1 if there are any that equivalent.toml does not explain."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only modules whose path contains one of these words")
    parser.add_argument("--sample", type=int, help="only so many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    os.chdir(_ROOT)
    drawn = _draw(_find(options.modules), options.sample, options.seed)
    tests = {path: _tests_of(path) for path in dict.fromkeys(mutant.path for mutant in drawn)}
    untested = [path for path, found in tests.items() if not found]
    seconds = {path: time_tests(found) for path, found in tests.items() if found}
    tasks = [
        Task(mutant=mutant, tests=tests[mutant.path], seconds=seconds[mutant.path])
        for mutant in drawn
        if mutant.path in seconds
    ]
    explained = _explained()
    counts = dict.fromkeys(Fate, 0)
    survivors: list[Mutant] = []
    equivalent = 0
    for mutant, fate in run(tasks, processes=options.processes):
        if fate is Fate.SURVIVED and _key(mutant) in explained:
            equivalent += 1
            continue
        counts[fate] += 1
        if fate is Fate.SURVIVED:
            survivors.append(mutant)
            print(f"survived  {mutant}", flush=True)
    for path in untested:
        print(f"no test imports {path}")
    known = ", ".join(f"{count} {fate}" for fate, count in counts.items())
    print(f"{len(tasks)} mutants of {len(seconds)} modules: {known}, {equivalent} change no result")
    return 1 if survivors or untested else 0


def _find(words: Sequence[str]) -> list[Mutant]:
    files = [path for pattern in _MODULES for path in sorted(_ROOT.glob(pattern)) if path.name != "__init__.py"]
    names = [path.relative_to(_ROOT).as_posix() for path in files]
    chosen = [name for name in names if not words or any(word in name for word in words)]
    return [mutant for name in chosen for mutant in mutants_of(name, (_ROOT / name).read_text(encoding="utf-8"))]


def _draw(mutants: list[Mutant], most: int | None, seed: int) -> list[Mutant]:
    if most is None or most >= len(mutants):
        return mutants
    drawn = sorted(random.Random(seed).sample(range(len(mutants)), most))
    return [mutants[at] for at in drawn]


def _tests_of(path: str) -> list[str]:
    """Return the test files that import a module, the ones named after it first, for they notice most.

    Where none does, those that import the modules which it is a part of.
    """
    files = [file for folder in _TESTS for file in sorted((_ROOT / folder).rglob("test_*.py"))]
    found = [file for file in files if _imports(file, path)]
    if not found:
        users = [
            user.relative_to(_ROOT).as_posix() for user in (_ROOT / path).parent.glob("*.py") if _imports(user, path)
        ]
        found = [file for file in files if any(_imports(file, user) for user in users)]
    found.sort(key=lambda file: (Path(path).stem not in file.stem, "services" in file.parts))
    return [file.relative_to(_ROOT).as_posix() for file in found]


def _imports(file: Path, path: str) -> bool:
    package, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    text = file.read_text(encoding="utf-8")
    return (
        re.search(rf"^from {package}\.{name} import|^from {package} import .*\b{name}\b", text, re.MULTILINE)
        is not None
    )


def _key(mutant: Mutant) -> tuple[str, str, str]:
    return mutant.path, mutant.statement, mutant.change


def _explained() -> set[tuple[str, str, str]]:
    listed = tomllib.loads(_EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {(one["path"], one["statement"], one["change"]) for one in listed}


if __name__ == "__main__":
    sys.exit(main())
