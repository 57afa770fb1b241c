"""Runs the tests of a module with one mutant after another in its place, each in a process forked for it.

Forked, because pytest, numpy and SciPy take longer to load than most of these tests take; nothing of FaithView is
loaded before, so that each process loads the mutant.
"""

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType

import pytest

from tests.mutation.operators import Mutant

# So many times what the tests take without a mutant, and so many seconds more.
_PATIENCE = 5
_PATIENCE_S = 30


class Fate(StrEnum):
    """What became of a mutant; one on which the tests do not end was noticed too."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A mutant with the tests that may notice it, and the seconds that they take without it."""

    mutant: Mutant
    tests: Sequence[str]
    seconds: float


class _Loader(importlib.abc.Loader):
    def __init__(self, source: str, origin: str) -> None:
        self._code = compile(source, origin, "exec")

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the mutant where its module is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._name = mutant.path.removesuffix(".py").replace("/", ".")

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _Loader(self._mutant.source, self._mutant.path)
        return importlib.util.spec_from_loader(fullname, loader, origin=self._mutant.path)


def time_tests(tests: Sequence[str]) -> float:
    """Return the seconds that the tests take.

    Raises:
        RuntimeError: one of them fails without a mutant.
    """
    before = time.monotonic()
    _, status = os.waitpid(_fork(None, tests), 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"Tests fail without a mutant; run: python -m pytest {' '.join(tests)}")
    return time.monotonic() - before


def run(tasks: Sequence[Task], *, processes: int) -> Iterator[tuple[Mutant, Fate]]:
    """Yield what became of each mutant, as it is known."""
    waiting = list(reversed(tasks))
    running: dict[int, tuple[Task, float]] = {}
    while waiting or running:
        while waiting and len(running) < processes:
            task = waiting.pop()
            running[_fork(task.mutant, task.tests)] = (task, time.monotonic())
        done = _next_of(running)
        task, _ = running.pop(done[0])
        yield task.mutant, done[1]


def _next_of(running: dict[int, tuple[Task, float]]) -> tuple[int, Fate]:
    while True:
        for pid, (task, begun) in running.items():
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                return pid, Fate.SURVIVED if os.waitstatus_to_exitcode(status) == 0 else Fate.KILLED
            if time.monotonic() - begun > _PATIENCE * task.seconds + _PATIENCE_S:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return pid, Fate.TIMED_OUT
        time.sleep(0.02)


def _fork(mutant: Mutant | None, tests: Sequence[str]) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            if mutant is not None:
                sys.meta_path.insert(0, _Finder(mutant))
            options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain"]
            status = int(pytest.main([*options, *tests]))
    finally:
        os._exit(status)
