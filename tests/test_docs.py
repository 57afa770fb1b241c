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
from faithview.version import __version__

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
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
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _leaves(command, *names, name)
        elif not command.hidden:
            assert isinstance(command, TyperCommand)
            yield " ".join([*names, name]), command


def test_every_command_is_in_the_overview_of_commands() -> None:
    named = re.findall(r"`faithview ([^`]+)`", COMMANDS)
    names = [name for name, _ in _leaves(_root_command())]
    assert len(names) >= 10
    assert [name for name in names if not any(line == name or line.startswith(f"{name} ") for line in named)] == []


@pytest.mark.parametrize("option", ["--db", "--project"])
def test_every_command_takes_a_store(option: str) -> None:
    # These use no store, or all of them.
    exempt = {"check", "fit", "guard", "projects", "completion"}
    assert [
        name
        for name, command in _leaves(_root_command())
        if not any(option in item.opts for item in command.params) and name not in exempt
    ] == []


def test_every_variable_that_the_code_reads_is_on_the_page_configuration_and_no_other() -> None:
    sources = [ROOT / "app.py", *(ROOT / "faithview").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    read = {name for path in sources for name in _VARIABLE.findall(path.read_text(encoding="utf-8"))}
    assert read == set(_VARIABLE.findall(CONFIGURATION))


def test_the_page_on_live_applications_knows_the_options_of_watch() -> None:
    page = (DOCS / "live.md").read_text(encoding="utf-8")
    watch = _root_command().commands["watch"]
    known = {option for parameter in watch.params for option in parameter.opts}
    assert set(re.findall(r"`(--[a-z-]+)", page)) <= known


def test_every_file_that_readme_links_to_exists() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#]+)", README) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_every_path_in_the_map_of_the_code_exists() -> None:
    (section,) = re.findall(r"^## Where to change what\n(.+?)^## ", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    places = re.findall(r"`((?:faithview|data|pages)/[\w./<>-]*)`", section)
    assert len(places) >= 8
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_path_in_the_architecture_page_exists() -> None:
    places = re.findall(r"`([a-z_]+/[\w./]*)`", ARCHITECTURE)
    assert len(places) >= 40
    roots = (ROOT, ROOT / "faithview")
    assert [place for place in places if not any((root / place).exists() for root in roots)] == []


def test_the_architecture_page_names_every_package_of_services() -> None:
    packages = {path.parent.name for path in (ROOT / "faithview" / "services").glob("*/__init__.py")}
    assert set(re.findall(r"`services/(\w+)/?`", ARCHITECTURE)) == packages


def test_the_architecture_page_fits_on_two_screens() -> None:
    (section,) = re.findall(r"^## Twenty rules[^\n]*\n(.+?)(?=^`CONTRIBUTING)", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    assert len(re.findall(r"^\| ", section, re.MULTILINE)) <= 22  # with the two lines of the table's head
    assert len(ARCHITECTURE.splitlines()) <= 120


def test_every_make_target_in_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
    named = set(
        re.findall(
            r"\bmake ([a-z-]+)(?=[`\s])", " ".join(code for pair in _CODE.findall(README) for code in pair) + " "
        )
    )
    assert named <= targets
    assert {"run", "wheel"} <= named


def test_the_first_start_is_two_commands() -> None:
    (section,) = re.findall(r"^## Try it\n(.+?)^## ", README, re.MULTILINE | re.DOTALL)
    assert re.findall(r"^ {4}(\S+ \S+)", section, re.MULTILINE) == ["git clone", "make run"]


def test_readme_can_be_read_in_one_go() -> None:
    assert len(README.splitlines()) <= 120
    assert README.count("](docs/images/") == 2


def test_changelog_begins_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert [heading.partition(" ")[0] for heading in headings[:2]] == ["Unreleased", __version__]
    assert re.search(r"^## Unreleased\n\n(### \w+\n\n- \S|Nothing yet\.$)", CHANGELOG, re.MULTILINE)


def test_changelog_is_short_and_has_the_headings_of_keep_a_changelog() -> None:
    assert len(CHANGELOG.splitlines()) <= 100
    allowed = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
    sections = re.split(r"^## .+$", CHANGELOG, flags=re.MULTILINE)[1:]
    found = [re.findall(r"^### (.+)$", section, re.MULTILINE) for section in sections]
    assert found == [[name for name in allowed if name in names] for names in found]


def test_verdicts_and_their_weights_are_as_the_code_has_them() -> None:
    from faithview.domain.scoring import WEIGHTS

    rows = re.findall(r"^\| `(\w+)` \|[^|]+\| (-?[\d.]+) \|$", CONCEPTS, re.MULTILINE)
    assert {verdict: float(weight) for verdict, weight in rows} == dict(WEIGHTS)


def test_causes_are_described_as_the_dashboard_has_them() -> None:
    from faithview.wording.causes import CAUSE_WORDS

    assert [words.topic for words in CAUSE_WORDS.values() if f"| {words.topic} | {words.rule} |" not in CONCEPTS] == []
