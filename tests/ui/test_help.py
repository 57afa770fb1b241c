"""Every figure in the dashboard says what it is: numeric columns, metrics and charts have help at their head."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dashboard import ROOT

_UI = ROOT / "faithview" / "ui"
_FIGURES = {"NumberColumn", "ProgressColumn", "BarChartColumn", "LineChartColumn", "AreaChartColumn", "metric"}
# A chart's help stands at its heading: beside the chart, or in the module of the page that draws heading and chart.
_HEADED_ELSEWHERE = {
    "trends/panels.py": "trends/choices.py",
}


def _modules() -> list[Path]:
    return sorted(_UI.rglob("*.py"))


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute):
                yield function.attr, node
            elif isinstance(function, ast.Name):
                yield function.id, node


def _other_names(tree: ast.AST) -> set[str]:
    """Names that a module gives these columns: `number = st.column_config.NumberColumn`."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            names |= {
                target.id
                for target, value in zip(targets, values, strict=False)
                if isinstance(target, ast.Name) and isinstance(value, ast.Attribute) and value.attr in _FIGURES
            }
    return names


def _has_help(call: ast.Call) -> bool:
    return any(keyword.arg == "help" for keyword in call.keywords)


def test_every_numeric_column_and_metric_has_help() -> None:
    helpless, figures = [], 0
    for path in _modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = _FIGURES | _other_names(tree)
        # Methods of other objects are called alike: those of address fields take no label.
        for name, call in _calls(tree):
            if name in names and call.args and (name in _FIGURES or isinstance(call.func, ast.Name)):
                figures += 1
                if not _has_help(call):
                    helpless.append(f"{path.relative_to(ROOT)}:{call.lineno} {ast.unparse(call)}")
    assert figures >= 40
    assert not helpless, "Say in wording/figure_help.py what these figures are:\n" + "\n".join(helpless)


@pytest.mark.parametrize(
    "path",
    [path.relative_to(_UI).as_posix() for path in _modules() if "st.plotly_chart(" in path.read_text(encoding="utf-8")],
)
def test_every_chart_has_help_at_its_heading(path: str) -> None:
    texts = [(_UI / name).read_text(encoding="utf-8") for name in (path, _HEADED_ELSEWHERE.get(path, path))]
    names = [(name, call) for text in texts for name, call in _calls(ast.parse(text))]
    # A popover beside the heading says more than fits into a tooltip.
    assert any(_has_help(call) or name == "popover" for name, call in names), f"No heading in {path} has help."
