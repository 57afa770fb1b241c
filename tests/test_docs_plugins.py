"""docs/plugins.md: the example is installed and does what the page says."""

import ast
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from faithview import plugins
from faithview.cli.main import app
from faithview.formats.exporters.registry import BUILTIN_NAMES, list_exporters
from faithview.formats.readers.registry import list_readers
from tests.docs.pages import ROOT, read_blocks, titled_blocks

_NAME = "docs/plugins.md"
PAGE = (ROOT / _NAME).read_text(encoding="utf-8")
_BLOCKS = titled_blocks(_NAME, "python") | titled_blocks(_NAME, "toml")
_ROWS = [
    {"turn": 1, "asked": "How tall?", "bot_said": "It is 330 m. It is red.", "sources": ["It is 330 m"], "grade": 0.5},
    {"turn": 2, "asked": "When?", "bot_said": "In 1889.", "sources": ["It opened In 1889"], "grade": 1.0},
]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the example is installed, as a package manager does it."""
    project = tomllib.loads(_BLOCKS["pyproject.toml"])["project"]
    info = tmp_path / "acme_faithview-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n", encoding="utf-8")
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {target}" for name, target in points.items())])
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    (tmp_path / "acme_faithview.py").write_text(_BLOCKS["acme_faithview.py"], encoding="utf-8")
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, _ROWS)), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAITHVIEW_DB", f"sqlite:///{tmp_path / 'x.db'}")
    for cached in (list_readers, list_exporters):
        cached.cache_clear()
    yield tmp_path
    sys.modules.pop("acme_faithview", None)
    for cached in (list_readers, list_exporters):
        cached.cache_clear()


def test_the_example_reads_judges_and_exports(installed: Path) -> None:
    commands = [command.removeprefix("faithview ") for block in read_blocks(_NAME) for command in block.commands]
    assert len(commands) == 2
    for command in (*commands, "import turns.jsonl --name graded"):
        done = CliRunner().invoke(app, shlex.split(command), catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert (installed / "open.tsv").read_bytes() == b"1\tIt is red\r\n"
    out = CliRunner().invoke(app, ["show", "graded", "--json"], catch_exceptions=False)
    assert json.loads(out.stdout)["faithfulness"] == 0.75


def test_the_example_is_short_enough_to_read() -> None:
    code = [line for line in _BLOCKS["acme_faithview.py"].splitlines() if line.strip()]
    assert len(code) <= 40


def test_the_example_imports_only_what_plug_ins_may_import() -> None:
    imported = {
        node.module
        for node in ast.walk(ast.parse(_BLOCKS["acme_faithview.py"]))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    assert imported == {"faithview.plugins"}
    assert set(re.findall(r"\bfaithview\.(\w+)", PAGE)) == {"plugins", "formats", "judges", "exporters"}


def test_the_page_names_everything_that_plug_ins_may_import() -> None:
    table = PAGE.partition("## What a plug-in may import")[2].partition("\n## ")[0]
    named = [name for row in re.findall(r"^\| [\w -]+ \| (`.+) \|$", table, re.MULTILINE) for name in row.split(", ")]
    assert sorted(name.strip("`") for name in named) == sorted(plugins.__all__)


def test_the_page_names_every_shape_that_is_written() -> None:
    named = set(re.findall(r"^\| `(\w+)` \| JSON", PAGE, re.MULTILINE))
    assert named == set(BUILTIN_NAMES) - {"jsonl", "csv", "parquet"}
