"""The templates of docs/before-an-update.md: their YAML is what the systems want, and their commands run."""

import shlex
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import titled_blocks
from tests.docs.process import run
from tests.test_docs_python import steps

_PAGE = "docs/before-an-update.md"
_TEMPLATES = titled_blocks(_PAGE, "yaml")
_DB = {"FAITHVIEW_DB": "sqlite:///store.db"}


def _faithview(folder: Path, *words: str) -> tuple[int, str]:
    done = run([sys.executable, "-m", "faithview", *words], folder, **_DB)
    return done.returncode, done.stderr


def test_every_template_is_yaml_with_the_keys_that_its_system_wants() -> None:
    assert set(_TEMPLATES) == {".github/workflows/documents.yml", ".gitlab-ci.yml"}
    github = yaml.safe_load(_TEMPLATES[".github/workflows/documents.yml"])
    assert github[True]["pull_request"]["paths"] == ["docs/**"]  # YAML 1.1 reads the key "on" as true
    (job,) = github["jobs"].values()
    assert job["steps"][0]["uses"].startswith("actions/checkout@")
    assert job["steps"][-1]["with"]["path"] == "preflight.html"
    assert all("${{" not in step.get("run", "") for step in job["steps"])
    (job,) = yaml.safe_load(_TEMPLATES[".gitlab-ci.yml"]).values()
    assert job["artifacts"] == {"when": "always", "paths": ["preflight.html"]}
    commands = {name: steps(template)[-1] for name, template in _TEMPLATES.items()}
    assert len(set(commands.values())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", _TEMPLATES)
def test_the_command_of_a_template_is_a_gate_with_a_report(name: str, tmp_path: Path) -> None:
    for file, text in (titled_blocks(_PAGE, "json") | titled_blocks(_PAGE, "md")).items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    assert _faithview(tmp_path, "kb", "add", "2026-10", "october.jsonl")[0] == 0
    assert _faithview(tmp_path, "evaluate", "answers.jsonl", "--kb-version", "2026-10")[0] == 0
    (command,) = [words for words in map(shlex.split, steps(_TEMPLATES[name])) if words[0] == "faithview"]
    status, said = _faithview(tmp_path, *command[1:])
    assert (status, said.splitlines()[-1]) == (1, "faithview: 2 claims would break; at most 0 may.")
    assert "2 claims would break." in (tmp_path / "preflight.html").read_text(encoding="utf-8")
    returns = tmp_path / "docs" / "returns.md"
    returns.write_text(returns.read_text(encoding="utf-8").replace("14", "30"), encoding="utf-8")
    (tmp_path / "docs" / "delivery.md").write_text("# Delivery\n\nDelivery costs 5 euros.\n", encoding="utf-8")
    assert _faithview(tmp_path, *command[1:])[0] == 0
    empty = run([sys.executable, "-m", "faithview", *command[1:]], tmp_path, FAITHVIEW_DB="sqlite:///empty.db")
    assert (empty.returncode, len(empty.stderr.splitlines())) == (2, 1)
    assert "No complete run used a stored knowledge base." in empty.stderr
