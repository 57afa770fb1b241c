"""Tries changes that act when a module is loaded, a constant or a default: everything is loaded anew for each."""

import contextlib
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation.children import Outcome, Say, Trial, run_trials
from tests.mutation.collected import Baseline, StopAtFailure
from tests.mutation.operators import Mutant

_LOADING_S = 10


class _Loader(importlib.abc.Loader):
    def __init__(self, mutant: Mutant) -> None:
        self._code = compile(mutant.tree(), mutant.path, "exec")

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the mutant where its module is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, _Loader(self._mutant), origin=self._mutant.path)


@dataclass(frozen=True, slots=True)
class _Only:
    """A plug-in for pytest that runs some of the collected tests, in their order."""

    tests: Sequence[str]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        places = {test: at for at, test in enumerate(self.tests)}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])


def try_constants(
    mutants: Sequence[Mutant], baseline: Baseline, *, options: Sequence[str], processes: int
) -> Iterator[Outcome]:
    """Yield what became of each mutant.

    The tests are those that call a function of its module or, of a module of constants, of the modules that use it.
    """
    yield from run_trials((_trial(mutant, baseline, options) for mutant in mutants), processes=processes)


def _trial(mutant: Mutant, baseline: Baseline, options: Sequence[str]) -> Trial:
    callers = _callers({mutant.path}, baseline) or _callers(_users(mutant.path), baseline)
    tests = sorted(callers, key=lambda test: baseline.seconds[test])
    seconds = sum(baseline.seconds[test] for test in tests)
    return Trial(mutant=mutant, attempt=functools.partial(_try, mutant, tests, options), seconds=seconds + _LOADING_S)


def _try(mutant: Mutant, tests: Sequence[str], options: Sequence[str], say: Say) -> None:
    if not tests:
        return
    sys.meta_path.insert(0, _Finder(mutant))
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        status = pytest.main([*options, *files], plugins=[_Only(tests), StopAtFailure(say)])
    if status != pytest.ExitCode.OK:
        say("while the tests were loaded")


def _callers(paths: Collection[str], baseline: Baseline) -> set[str]:
    return {test for (path, _), tests in baseline.callers.items() if path in paths for test in tests}


@functools.cache
def _users(path: str) -> frozenset[str]:
    """Return the modules of FaithView that import from a module."""
    package, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    imports = re.compile(rf"^\s*from {package}(\.{name} import| import .*\b{name}\b)", re.MULTILINE)
    files = Path("faithview").rglob("*.py")
    return frozenset(file.as_posix() for file in files if imports.search(file.read_text(encoding="utf-8")))
