"""What the README and the pages say is true of the code, and what the code offers is on a page.

Blocks of code on pages, and every command on them, are tested in tests/docs/test_blocks.py.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from faithview.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "docs"
ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")
COMMANDS = (DOCS / "commands.md").read_text(encoding="utf-8")
CONCEPTS = (DOCS / "concepts.md").read_text(encoding="utf-8")
CONFIGURATION = (DOCS / "configuration.md").read_text(encoding="utf-8")
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
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, TyperGroup):
            yield from _leaves(command, *names, name)
        else:
            assert isinstance(command, TyperCommand)
            yield " ".join([*names, name]), command


def test_every_command_is_in_the_overview_of_commands() -> None:
    named = re.findall(r"`faithview ([^`]+)`", COMMANDS)
    names = [name for name, _ in _leaves(_root_command())]
    assert [name for name in names if not any(line == name or line.startswith(f"{name} ") for line in named)] == []


@pytest.mark.parametrize("option", ["--db", "--project"])
def test_every_command_takes_a_store(option: str) -> None:
    exempt = {"check", "fit", "guard", "pull"}  # these use no store
    assert [
        name
        for name, command in _leaves(_root_command())
        if not any(option in item.opts for item in command.params) and name not in exempt
    ] == []


def test_every_variable_that_the_code_reads_is_on_the_page_configuration_and_no_other() -> None:
    sources = [ROOT / "app.py", *(ROOT / "faithview").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    read = {name for path in sources for name in _VARIABLE.findall(path.read_text(encoding="utf-8"))}
    assert read == set(_VARIABLE.findall(CONFIGURATION))


def test_every_file_that_readme_links_to_exists() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#]+)", README) if "://" not in target]
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_every_path_in_the_architecture_page_exists() -> None:
    places = re.findall(r"`([a-z_]+/[\w./]*)`", ARCHITECTURE)
    roots = (ROOT, ROOT / "faithview")
    assert [place for place in places if not any((root / place).exists() for root in roots)] == []


def test_every_make_target_in_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
    named = set(
        re.findall(
            r"\bmake ([a-z-]+)(?=[`\s])", " ".join(code for pair in _CODE.findall(README) for code in pair) + " "
        )
    )
    assert named <= targets
    assert {"run", "wheel"} <= named


def test_verdicts_and_their_weights_are_as_the_code_has_them() -> None:
    from faithview.domain.scoring import WEIGHTS

    rows = re.findall(r"^\| `(\w+)` \|[^|]+\| (-?[\d.]+) \|$", CONCEPTS, re.MULTILINE)
    assert {verdict: float(weight) for verdict, weight in rows} == dict(WEIGHTS)


def test_causes_are_described_as_the_dashboard_has_them() -> None:
    from faithview.wording.causes import CAUSE_WORDS

    assert [words.topic for words in CAUSE_WORDS.values() if f"| {words.topic} | {words.rule} |" not in CONCEPTS] == []
