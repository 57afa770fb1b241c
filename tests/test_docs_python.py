"""docs/python.md and docs/ci.md: the tests and the commands in them run."""

import shlex
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.pages import titled_blocks
from tests.docs.process import run
from tests.other_plugins import WITHOUT_OTHER_PLUGINS

pytestmark = pytest.mark.process

_PLUGIN = (
    []
    if any(point.name == "faithview" for point in entry_points(group="pytest11"))
    else ["-p", "faithview.testing.plugin"]
)


def test_the_tests_of_the_python_page_pass(tmp_path: Path) -> None:
    (tmp_path / "test_answers.py").write_text(
        titled_blocks("docs/python.md", "python")["test_answers.py"], encoding="utf-8"
    )
    options = ["--faithview-db=sqlite:///x.db", "--faithview-judge=lexical", "--strict-markers"]
    done = run(
        [
            sys.executable,
            "-W",
            "error",
            "-m",
            "pytest",
            "-pno:cacheprovider",
            *WITHOUT_OTHER_PLUGINS,
            *_PLUGIN,
            *options,
        ],
        tmp_path,
    )
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
    assert "n 3" in done.stdout


def steps(template: str) -> list[str]:
    """The commands of a template, in their order."""
    document: dict[Any, Any] = yaml.safe_load(template)
    found: list[str] = []

    def look(part: object) -> None:
        if isinstance(part, dict):
            for name, value in part.items():
                if name == "run" and isinstance(value, str):
                    found.append(value)
                elif name == "script":
                    found.extend(value)
                else:
                    look(value)
        elif isinstance(part, list):
            for item in part:
                look(item)

    look(document)
    return found


def test_the_commands_for_a_file_run(tmp_path: Path) -> None:
    row = '{"id": "%d", "question": "q %d?", "answer": "Parking is free.", "contexts": ["Parking is free."]}\n'
    (tmp_path / "answers.jsonl").write_text("".join(row % (n, n) for n in range(4)), encoding="utf-8")
    template = titled_blocks("docs/ci.md", "yaml")[".github/workflows/faithfulness.yml"]
    commands = [shlex.split(command) for command in steps(template) if command.startswith("faithview ")]
    assert [words[1] for words in commands] == ["evaluate", "report"]
    for words in commands:
        given = ["x 1.2" if word == "$RUN" else word for word in words[1:]]
        done = run([sys.executable, "-m", "faithview", *given], tmp_path, FAITHVIEW_DB="sqlite:///x.db")
        if words[1] == "evaluate":
            assert (done.returncode, "there is no earlier complete run" in done.stderr) == (1, True), done.stderr
            done = run([sys.executable, "-m", "faithview", *given], tmp_path, FAITHVIEW_DB="sqlite:///x.db")
            assert "note: No regression since x 1.2: faithfulness 1.00 -> 1.00" in done.stderr
        assert done.returncode == 0, done.stderr
    assert "x 1.2" in (tmp_path / "report.html").read_text(encoding="utf-8")
