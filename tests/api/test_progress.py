"""The progress bar: where somebody watches, and never in anybody's way."""

import sys
import warnings
from io import StringIO
from types import ModuleType, SimpleNamespace

import pytest

from faithview import Sample, evaluate

ROWS = [Sample.of(f"Parking {n} is free.", "Parking is free.") for n in range(3)]


def test_it_counts_the_answers_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(ROWS, judge="lexical", name="mine", progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Judging mine: 100%" in shown.err
    assert "3/3" in shown.err


@pytest.mark.parametrize("progress", [None, False])
def test_without_a_watcher_there_is_none(progress: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(ROWS, judge="lexical", progress=progress)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]  # a stand-in
    monkeypatch.setattr(sys, "stderr", terminal)
    evaluate(ROWS, judge="lexical")
    assert "3/3" in terminal.getvalue()


def test_a_notebook_without_ipywidgets_gets_a_bar_of_characters_and_no_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: SimpleNamespace(config={"IPKernelApp": {}})  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "ipykernel.zmqshell", ModuleType("ipykernel.zmqshell"))
    for name in ("tqdm.auto", "tqdm.autonotebook", "tqdm.notebook"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(ROWS, judge="lexical")
    assert "3/3" in capsys.readouterr().err
