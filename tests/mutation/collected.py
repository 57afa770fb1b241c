"""Tries changes inside functions: the tests are collected once, and each mutant gets a fork of the process that did so.

The fork gives the functions of the module the mutant's code, so that every name under which they were imported has it.
It runs only the tests that call the changed function: the one that noticed the last mutant of it first, then the quick
ones.
"""

import functools
import gc
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import pytest
from hypothesis import settings

from tests.mutation.children import Outcome, Say, Trial, fork, run_trials
from tests.mutation.operators import Mutant

_EXAMPLES = 12

Function = tuple[str, str]  # path of the module, qualified name


@dataclass(frozen=True, slots=True)
class Baseline:
    """How long each test takes without a mutant, in processor seconds, and which tests call a function."""

    seconds: Mapping[str, float]
    callers: Mapping[Function, Sequence[str]]


@dataclass(slots=True)
class Trials:
    """A plug-in for pytest that tries mutants instead of running the collected tests. `report` gets every outcome."""

    mutants: Sequence[Mutant]
    baseline: Baseline
    processes: int
    report: Callable[[Outcome], None]
    _killers: dict[Function, str] = field(default_factory=dict)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant in a fork."""
        items = {item.nodeid: item for item in session.items}
        for item in session.items:
            give_few_examples(item)
        gc.freeze()  # so that collecting garbage in a fork does not copy what it shares with this process
        for outcome in run_trials(self._trials(items), processes=self.processes):
            if outcome.test:
                self._killers[outcome.mutant.path, outcome.mutant.function] = outcome.test
            self.report(outcome)
        return True

    def _trials(self, items: Mapping[str, pytest.Item]) -> Iterator[Trial]:
        for mutant in self.mutants:
            function = mutant.path, mutant.function
            callers = sorted(self.baseline.callers.get(function, ()), key=lambda test: self.baseline.seconds[test])
            if self._killers.get(function) in callers:
                callers.insert(0, callers.pop(callers.index(self._killers[function])))
            tests = [items[test] for test in callers]
            yield Trial(
                mutant=mutant,
                attempt=functools.partial(_try, mutant, tests),
                seconds=sum(self.baseline.seconds[test] for test in callers),
            )


@dataclass(slots=True)
class StopAtFailure:
    """A plug-in for pytest that says the first test that fails, which ends the process.

    Property tests get few examples, also those that ask for more than the profile has.
    """

    say: Say

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            give_few_examples(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """End the process before a report is made, which takes longer than most tests."""
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.say(item.nodeid)


def give_few_examples(item: pytest.Item) -> None:
    """Cut the number of a property test's examples; Hypothesis has no public way to do so once a test is decorated."""
    function = getattr(item, "obj", None)
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    if function is not None and isinstance(own, settings):
        function._hypothesis_internal_use_settings = settings(own, max_examples=min(own.max_examples, _EXAMPLES))


def _try(mutant: Mutant, tests: Sequence[pytest.Item], say: Say) -> None:
    if not tests:
        return
    install(mutant)
    tests[0].config.pluginmanager.register(StopAtFailure(say))
    _run(tests)


def _run(tests: Sequence[pytest.Item]) -> None:
    for at, test in enumerate(tests):
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=tests[at + 1] if at + 1 < len(tests) else None)


@dataclass(slots=True)
class _Watch:
    """A plug-in for pytest that says how long each test takes and which functions of FaithView it calls."""

    say: Say

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        root = f"{Path.cwd()}/"
        found: dict[str, tuple[float, list[Function]]] = {}
        for at, test in enumerate(session.items):
            codes: set[CodeType] = set()

            def note(frame: FrameType, event: str, _: object, add: Callable[[CodeType], None] = codes.add) -> None:
                if event == "call":
                    add(frame.f_code)

            following = session.items[at + 1] if at + 1 < len(session.items) else None
            begun = time.process_time()
            sys.setprofile(note)
            test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            sys.setprofile(None)
            called = {
                (code.co_filename.removeprefix(root), code.co_qualname)
                for code in codes
                if code.co_filename.startswith(f"{root}faithview/")
            }
            found[test.nodeid] = time.process_time() - begun, sorted(called)
        self.say(found)
        return True


def measure(options: Sequence[str]) -> Baseline:
    """Run the tests once without a mutant, in a process of its own.

    Raises:
        RuntimeError: a test fails.
    """

    def watch(say: Say) -> None:
        pytest.main(list(options), plugins=[StopAtFailure(say), _Watch(say)])

    pid, pipe = fork(watch)
    with open(pipe, encoding="utf-8") as said:
        words = said.read()
    os.waitpid(pid, 0)
    found = json.loads(words) if words else "the collection"
    if not isinstance(found, dict):
        raise RuntimeError(f"Without a mutant {found} fails. Run it with: python -m pytest")
    callers = defaultdict(list)
    for test, (_, functions) in found.items():
        for path, name in functions:
            callers[path, name].append(test)
    return Baseline({test: seconds for test, (seconds, _) in found.items()}, callers)


def install(mutant: Mutant) -> None:
    """Give the function that a mutant changes the mutant's code.

    Raises:
        LookupError: the module has no such function.
    """
    path = str(Path(mutant.path).resolve())
    code = _code_of(compile(mutant.tree(), path, "exec"), mutant.function)
    found: object = sys.modules[mutant.module]
    for name in mutant.function.split("."):
        found = vars(found)[name]
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "func", found)  # of a cached property
    found = getattr(found, "__func__", found)  # of a class method
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    if not isinstance(found, FunctionType):
        raise LookupError(f"{mutant.module} has no function {mutant.function}, but {found!r}.")
    found.__code__ = code


def _code_of(module: CodeType, function: str) -> CodeType:
    waiting = [module]
    while waiting:
        for constant in waiting.pop().co_consts:
            if isinstance(constant, CodeType):
                if constant.co_qualname == function:
                    return constant
                waiting.append(constant)
    raise LookupError(f"No function {function} is compiled.")
