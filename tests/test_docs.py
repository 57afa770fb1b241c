"""What the README says is true of the code, and what the code offers is in the README."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from faithview.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# Tests have variables of their own; these are what a user may set.
_VARIABLE = re.compile(r"\bFAITHVIEW_[A-Z][A-Z_]*\b")
# Whatever is set as code: between back-quotes, or in an indented or fenced line.
_CODE = re.compile(r"`([^`\n]+)`|^(?: {4}|\$ )(.+)$", re.MULTILINE)


def _root_command() -> TyperGroup:
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def _leaves(group: TyperGroup, *names: str) -> Iterator[tuple[str, TyperCommand]]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _leaves(command, *names, name)
        elif not command.hidden:
            assert isinstance(command, TyperCommand)
            yield " ".join([*names, name]), command


def _commands_in_readme() -> list[list[str]]:
    code = [(quoted or indented).strip() for quoted, indented in _CODE.findall(README)]
    return [line.split()[1:] for line in code if line.startswith("faithview ")]


@pytest.mark.parametrize("words", _commands_in_readme(), ids=" ".join)
def test_command_in_readme_exists_with_its_options(words: list[str]) -> None:
    if words[0] == "COMMAND":
        return
    command: Any = _root_command()
    rest = list(words)
    while isinstance(command, TyperGroup):
        name = rest.pop(0)
        assert name in command.commands, f"faithview {' '.join(words)}: there is no {name!r}"
        command = command.commands[name]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    assert {word for word in rest if word.startswith("-")} <= known


def test_every_option_in_readme_belongs_to_a_command() -> None:
    code = " ".join(part for parts in _CODE.findall(README) for part in parts)
    options = {option for _, command in _leaves(_root_command()) for item in command.params for option in item.opts}
    assert set(re.findall(r"(?<!\S)--[a-z-]+", code)) <= options | {"--help"}


def test_every_command_is_in_the_readme() -> None:
    named = [" ".join(words) for words in _commands_in_readme()]
    names = [name for name, _ in _leaves(_root_command())]
    assert len(names) >= 10
    assert [name for name in names if not any(line == name or line.startswith(f"{name} ") for line in named)] == []


def test_every_command_takes_a_store() -> None:
    assert [
        name for name, command in _leaves(_root_command()) if not any("--db" in item.opts for item in command.params)
    ] == []


def test_every_variable_that_the_code_reads_is_in_the_readme_and_no_other() -> None:
    sources = [ROOT / "app.py", *(ROOT / "faithview").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    read = {name for path in sources for name in _VARIABLE.findall(path.read_text(encoding="utf-8"))}
    assert read == set(_VARIABLE.findall(README))


def test_python_example_in_readme_runs(tmp_path: Path) -> None:
    examples = re.findall(r"^```python\n(.+?)^```", README, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        # Each line of it shows something, so an example that prints nothing has rotted.
        command = [sys.executable, "-W", "error", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{example}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "contradicted" in done.stdout
        assert "[1.0]" in done.stdout


def test_what_the_page_on_live_applications_shows_works(store_file: Path) -> None:
    page = (ROOT / "docs" / "live.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
    environment = {**os.environ, "FAITHVIEW_DB": f"sqlite:///{store_file}", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", example]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True True 1\n"
    (line,) = re.findall(r"^ {4}faithview watch (.+)$", page, re.MULTILINE)
    watch = _root_command().commands["watch"]
    known = {option for parameter in watch.params for option in parameter.opts}
    assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= known
    assert set(re.findall(r"`(--[a-z-]+)", page)) <= known


def test_every_file_that_readme_links_to_exists() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#]+)", README) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_every_path_in_the_map_of_the_code_exists() -> None:
    places = re.findall(r"`((?:faithview|data|pages)/[\w./<>-]*)`", README)
    assert len(places) >= 8
    # `pages/<section>/` stands for any of them.
    assert [place for place in places if not (ROOT / place.partition("<")[0]).exists()] == []


def test_every_path_in_the_architecture_page_exists() -> None:
    places = re.findall(r"`([a-z_]+/[\w./]*)`", ARCHITECTURE)
    assert len(places) >= 40
    roots = (ROOT, ROOT / "faithview")
    assert [place for place in places if not any((root / place).exists() for root in roots)] == []


def test_the_architecture_page_names_every_package_of_services_and_its_order() -> None:
    packages = {path.parent.name for path in (ROOT / "faithview" / "services").glob("*/__init__.py")}
    assert set(re.findall(r"`services/(\w+)`", ARCHITECTURE)) == packages
    (order,) = re.findall(r"in one direction:\n(.+?)\.\n", ARCHITECTURE, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", order)) == packages


def test_every_make_target_in_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
    named = set(
        re.findall(
            r"\bmake ([a-z-]+)(?=[`\s])", " ".join(code for pair in _CODE.findall(README) for code in pair) + " "
        )
    )
    assert named <= targets
    assert {"run", "test"} <= named


def test_quick_start_is_two_commands() -> None:
    (section,) = re.findall(r"^## Quick start\n(.+?)^## ", README, re.MULTILINE | re.DOTALL)
    assert re.findall(r"^ {4}(\S+ \S+)", section, re.MULTILINE) == ["make run", "make test"]


def test_readme_can_be_read_in_one_go() -> None:
    assert len(README.splitlines()) < 200


def test_changelog_begins_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert re.search(r"^## Unreleased\n\n- \S", CHANGELOG, re.MULTILINE)


def test_verdicts_and_their_weights_are_as_the_code_has_them() -> None:
    from faithview.domain.scoring import WEIGHTS

    rows = re.findall(r"^\| `(\w+)` \|[^|]+\| (-?[\d.]+) \|$", README, re.MULTILINE)
    assert {verdict: float(weight) for verdict, weight in rows} == dict(WEIGHTS)
