"""`faithview pull` as a user runs it: the file, the run, one JSON document, the exit status, and no key anywhere."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from faithview.cli.main import app
from tests.cli.conftest import Command
from tests.services.pulls.tool_server import PROJECT, TRACES, Reply, Seen, ToolServer, mlflow, serving

KEY = "mlf-secret-key"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ToolServer]:
    with serving(mlflow) as running:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", running.url)
        monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", KEY)
        monkeypatch.setenv("MLFLOW_EXPERIMENT_NAME", PROJECT)
        monkeypatch.chdir(tmp_path)
        yield running


def test_what_was_pulled_becomes_a_run(faithview: Command, server: ToolServer, tmp_path: Path) -> None:
    done = faithview("pull", "mlflow", "--run", "from the tool", "--json")
    assert done.status == 0, done.err
    document = done.document
    assert (document["source"], document["project"], document["lines"]) == ("mlflow", PROJECT, TRACES)
    assert document["file"] == "mlflow-help-desk.jsonl"
    assert (document["run"]["name"], document["run"]["judge"]) == ("from the tool", "MLflow (gpt-x)")
    assert document["run"]["states"]["judged"] == TRACES
    assert "1 annotation became labels" in done.err
    again = faithview("import", tmp_path / "mlflow-help-desk.jsonl", "--json")
    assert again.document["faithfulness"] == document["run"]["faithfulness"]
    assert KEY not in done.out + done.err


def test_exit_statuses(faithview: Command, server: ToolServer, tmp_path: Path, store: Path) -> None:
    server.fail(".", Reply(status=401))
    refused = faithview("pull", "mlflow", "-o", "m.jsonl")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.count("\n") == 1
    assert "status 401" in refused.err
    assert faithview("pull", "nobody", "--project", "p").status == 2
    assert faithview("pull", "mlflow", "-o", "no/such/folder.jsonl").status == 2
    assert list(tmp_path.glob("*.jsonl*")) == []
    server.refuses = lambda seen: seen.path.endswith("artifact")
    stopped = faithview("pull", "mlflow", "-o", "m.jsonl", "--run", "x")
    assert stopped.status == 3
    assert "kept in 'm.jsonl.part'; run the same command to continue" in stopped.err
    server.refuses = lambda _: False
    done = faithview("pull", "mlflow", "-o", "m.jsonl")
    assert done.status == 0
    assert "`faithview import m.jsonl` imports the tool's results" in done.err
    assert not store.exists()


def test_ctrl_c_keeps_what_is_there(faithview: Command, server: ToolServer, tmp_path: Path) -> None:
    def answers(seen: Seen) -> Reply:
        if seen.path.endswith("artifact"):
            signal.raise_signal(signal.SIGINT)
        return mlflow(seen)

    server.answers = answers
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test before this one may have changed it
    try:
        stopped = faithview("pull", "mlflow", "-o", "m.jsonl")
    finally:
        signal.signal(signal.SIGINT, before)
    server.answers = mlflow
    assert stopped.status == 130
    assert "the same command continues" in stopped.err
    assert (tmp_path / "m.jsonl.part").exists()
    assert faithview("pull", "mlflow", "-o", "m.jsonl").status == 0


def test_results_that_need_an_answer_leave_the_file(faithview: Command, server: ToolServer, tmp_path: Path) -> None:
    def without_judge(seen: Seen) -> Reply:
        reply = mlflow(seen)
        for info in (reply.body or {}).get("traces", []) if isinstance(reply.body, dict) else []:
            info["assessments"] = []
        return reply

    server.answers = without_judge
    done = faithview("pull", "mlflow", "-o", "m.jsonl", "--run", "x")
    assert done.status == 2
    assert "Wrote m.jsonl, but its results were not stored as a run" in done.err
    assert len((tmp_path / "m.jsonl").read_text(encoding="utf-8").splitlines()) == TRACES


def test_the_page_on_pulling_names_options_and_variables_that_there_are() -> None:
    root = Path(__file__).resolve().parents[2]
    page = (root / "docs" / "pull.md").read_text(encoding="utf-8")
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    known = {option for parameter in command.commands["pull"].params for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*\b", page.replace("kill -9", ""))) <= known
    code = " ".join(path.read_text(encoding="utf-8") for path in (root / "faithview/services/pulls").glob("*.py"))
    variables = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", page))
    assert len(variables) >= 15
    missing = {name for name in variables if name not in code and f'"{name.partition("_")[2]}"' not in code}
    assert missing == set()
