"""Docstrings of the public interface: examples run, arguments are described, and promised errors can be imported."""

import builtins
import doctest
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import faithview
import faithview.testing
from faithview import plugins

_ENTRY_POINTS = (
    "FaithfulnessGuard",
    "acheck",
    "aevaluate",
    "agenerate_with_validation",
    "check",
    "configure_log",
    "evaluate",
    "flush_log",
    "generate_with_validation",
    "log_answer",
    "log_counts",
    "open_store",
    "preflight",
)
_METHODS = {
    faithview.FaithfulnessGuard: (
        "__init__",
        "acheck",
        "acorrect",
        "aenforce",
        "aguard_and_correct",
        "check",
        "correct",
        "enforce",
        "guard_and_correct",
        "sendable",
    ),
    faithview.Store: ("compare", "export", "run", "runs"),
}
_PROMISED = re.compile(r"^    (\w+): ", re.MULTILINE)


def _described() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in _ENTRY_POINTS:
        if not isinstance(thing := getattr(faithview, name), type):
            yield name, thing
    yield "assert_faithful", faithview.testing.assert_faithful
    for kind, names in _METHODS.items():
        yield from ((f"{kind.__name__}.{name}", getattr(kind, name)) for name in names)


_FUNCTIONS = dict(_described())
# Coroutines that do what a plain function does, whose docstring says the rest.
_TWINS = [name for name in _FUNCTIONS if name.rpartition(".")[2].startswith("a") and name != "assert_faithful"]


def _section(text: str, name: str) -> str:
    found = re.search(rf"^{name}:\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    return found[1] if found else ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working directory of all examples: the queue to `sqlite:///answers.db` stays open between them."""
    return tmp_path_factory.mktemp("examples")


def test_the_entry_points_are_all_functions_of_the_package_and_the_guard() -> None:
    functions = {name for name in faithview.__all__ if inspect.isfunction(getattr(faithview, name))}
    assert functions | {"FaithfulnessGuard"} == set(_ENTRY_POINTS)


@pytest.mark.parametrize("name", _ENTRY_POINTS)
def test_the_example_of_an_entry_point_prints_what_it_says(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    text = inspect.getdoc(getattr(faithview, name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert len(example.examples) >= 2
    printed: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    failed, _ = runner.run(example, out=printed.append)
    assert faithview.flush_log()
    assert not failed, "".join(printed)


@pytest.mark.parametrize("name", [name for name in _FUNCTIONS if name not in _TWINS])
def test_a_docstring_describes_every_argument_and_what_is_returned(name: str) -> None:
    signature = inspect.signature(_FUNCTIONS[name])
    text = inspect.getdoc(_FUNCTIONS[name]) or ""
    described = _PROMISED.findall(_section(text, "Args"))
    assert described == [argument for argument in signature.parameters if argument != "self"]
    assert bool(_section(text, "Returns")) is (signature.return_annotation not in (None, "None"))


@pytest.mark.parametrize("name", _TWINS)
def test_a_twin_for_coroutines_has_the_arguments_of_its_original(name: str) -> None:
    path, dot, last = name.rpartition(".")
    assert f"`{last[1:]}`" in (inspect.getdoc(_FUNCTIONS[name]) or "")
    arguments = [inspect.signature(_FUNCTIONS[f"{path}{dot}{one}"]).parameters for one in (last, last[1:])]
    assert arguments[0] == arguments[1]


def _promised(module: ModuleType) -> set[str]:
    """Return the errors that the docstrings of a module's public names and their methods promise."""
    things = [getattr(module, name) for name in module.__all__]
    things += [getattr(thing, name) for thing in things if isinstance(thing, type) for name in dir(thing)]
    texts = (inspect.getdoc(thing) or "" for thing in things)
    found = {error for text in texts for error in _PROMISED.findall(_section(text, "Raises"))}
    return {error for error in found if not hasattr(builtins, error)}


def test_errors_that_docstrings_promise_can_be_imported() -> None:
    promised = _promised(faithview)
    assert {"GuardBlocked", "InvalidInput", "JudgeUnavailable", "NotFound", "StoreError"} <= promised
    assert promised <= set(faithview.__all__)
    assert _promised(faithview.testing) <= {*faithview.__all__, *faithview.testing.__all__}
    assert _promised(plugins) <= {*faithview.__all__, *plugins.__all__}


def test_a_public_name_means_the_same_everywhere() -> None:
    shared = set(plugins.__all__) & set(faithview.__all__)
    assert {"Claim", "Result", "Sample"} <= shared
    assert [name for name in shared if getattr(plugins, name) is not getattr(faithview, name)] == []
