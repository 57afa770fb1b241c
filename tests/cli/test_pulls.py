"""`faithview pull` in a shell: what it prints, stores and exits with."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.services.pulls import tool_server
from tests.services.pulls.tool_server import PROJECT, TRACES, serving


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PHOENIX_API_KEY", "phx-secret-key")


def test_a_pull_becomes_a_file_that_is_imported(faithview: Command) -> None:
    with serving(tool_server.phoenix) as server:
        done = faithview("pull", "phoenix", "--source-project", PROJECT, "--url", server.url, "--json")
    assert done.status == 0, done.err
    document = done.document
    assert (document["source"], document["project"], document["file"]) == (
        "phoenix",
        PROJECT,
        "phoenix-help-desk.jsonl",
    )
    assert (document["lines"], document["records"], document["resumed"]) == (2 * TRACES, 2 * TRACES, 0)
    run = faithview("import", document["file"], "--json").document
    assert run["rows"] == TRACES
    assert Path("phoenix-help-desk.jsonl").stat().st_mode & 0o077 == 0


def test_a_wrong_key_is_one_sentence_without_it(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOENIX_API_KEY", "phx-wrong-key")
    with serving(tool_server.phoenix) as server:
        done = faithview("pull", "phoenix", "--source-project", PROJECT, "--url", server.url, "-o", "week.jsonl")
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(r"faithview: 127\.0\.0\.1:\d+ does not accept the key; check PHOENIX_API_KEY .*\n", done.err)
    assert "phx-wrong-key" not in done.err
    assert list(Path().iterdir()) == []


def test_a_stopped_pull_exits_with_3_and_goes_on(faithview: Command) -> None:
    command = ("pull", "phoenix", "--source-project", PROJECT, "--page-size", 3, "-o", "week.jsonl", "--url")
    with serving(tool_server.phoenix) as server:
        server.refuses = lambda seen: seen.place != ""
        stopped = faithview(*command, server.url)
        server.refuses = lambda _: False
        done = faithview(*command, server.url, "--json")
    assert stopped.status == 3
    assert "3 records are kept in 'week.jsonl.part'" in stopped.err
    assert (done.status, done.document["records"], done.document["resumed"]) == (0, 2 * TRACES, 3)


def test_there_are_four_sources(faithview: Command) -> None:
    done = faithview("pull", "opik")
    assert done.status == 2
    assert "langfuse, phoenix, mlflow, langsmith" in done.err
