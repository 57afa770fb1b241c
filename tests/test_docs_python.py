"""docs/python.md and docs/ci.md: the tests and templates in them run, and every column and option exists."""

import re
import shlex
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import yaml

from faithview.api import frames
from tests.docs.pages import ROOT, titled_blocks
from tests.docs.process import run
from tests.other_plugins import WITHOUT_OTHER_PLUGINS

PYTHON = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
_PLUGIN = (
    []
    if any(point.name == "faithview" for point in entry_points(group="pytest11"))
    else ["-p", "faithview.testing.plugin"]
)
_REQUIRE = "--faithview-require-baseline"
_EVERY_COLUMN = (
    frames.CLAIM_COLUMNS,
    frames.ANSWER_COLUMNS,
    frames.RUN_COLUMNS,
    frames.CHANGE_COLUMNS,
    frames.SEGMENT_COLUMNS,
    frames.CAUSE_COLUMNS,
    frames.FORECAST_COLUMNS,
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


def test_the_page_describes_every_column_and_no_other() -> None:
    described = re.findall(r"^\| `([\w.]+)` \| `([\w\[\], ]+)` \| (.+) \|$", PYTHON, re.MULTILINE)
    assert described == [(c.name, c.dtype, c.meaning) for columns in _EVERY_COLUMN for c in columns]


def test_the_page_describes_every_option_of_the_plugin() -> None:
    from faithview.testing.options import _OPTIONS

    described = re.findall(r"^\| `--faithview-([\w-]+)(?: \w+)?` \| `(\w+)` \|", PYTHON, re.MULTILINE)
    assert described == [(name, f"faithview_{name.replace('-', '_')}") for name in _OPTIONS]


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


def test_every_template_is_yaml_with_the_keys_that_its_system_wants() -> None:
    templates = titled_blocks("docs/ci.md", "yaml")
    assert set(templates) == {".github/workflows/faithfulness.yml", ".github/workflows/tests.yml", ".gitlab-ci.yml"}
    for name, template in templates.items():
        document = yaml.safe_load(template)
        if name.startswith(".github"):
            assert True in document  # YAML 1.1 reads the key "on" as true, and GitHub does not
            for job in document["jobs"].values():
                assert all("run" in step or "uses" in step for step in job["steps"])
                # What others can write is never put into a command: a branch can be named "$(…)".
                assert not [step["run"] for step in job["steps"] if "${{" in step.get("run", "")]
        else:
            (job,) = document.values()
            assert {"image", "script", "artifacts", "cache"} <= set(job)
        assert any(command.startswith(("faithview ", "pytest ")) for command in steps(template))


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("name", [".github/workflows/tests.yml", ".gitlab-ci.yml"])
def test_the_commands_for_tests_run(name: str, tmp_path: Path) -> None:
    (tmp_path / "tests" / "answers").mkdir(parents=True)
    tests = titled_blocks("docs/python.md", "python")["test_answers.py"]
    (tmp_path / "tests" / "answers" / "test_answers.py").write_text(tests, encoding="utf-8")
    (command,) = [
        words for words in map(shlex.split, steps(titled_blocks("docs/ci.md", "yaml")[name])) if words[0] == "pytest"
    ]
    options = [*WITHOUT_OTHER_PLUGINS, *_PLUGIN, "--faithview-judge=lexical", "-pno:cacheprovider"]
    done = run([sys.executable, "-m", "pytest", *command[1:], *options], tmp_path)
    assert done.returncode == 0, done.stdout
    assert "There is no earlier complete run" in done.stdout
    again = run([sys.executable, "-m", "pytest", *command[1:], *options], tmp_path, PYTEST_ADDOPTS=_REQUIRE)
    assert again.returncode == 0, again.stdout
    assert re.search(r"No regression since \S+: .*, n 3 pairs", again.stdout)
    empty = [word.replace("faithview.db", "empty.db") for word in command[1:]]
    required = run([sys.executable, "-m", "pytest", *empty, *options], tmp_path, PYTEST_ADDOPTS=_REQUIRE)
    assert (required.returncode, "FAILED: there is no earlier complete run" in required.stdout) == (1, True)


def test_every_template_requires_a_baseline_where_it_must_have_one() -> None:
    for name, template in titled_blocks("docs/ci.md", "yaml").items():
        assert ("--require-baseline" if "faithfulness" in Path(name).stem else _REQUIRE) in template
