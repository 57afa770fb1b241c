"""The recipes of docs/model-servers.md for Ollama and llama.cpp: their commands run against stand-ins of both servers.

The stand-ins are set up as the page sets up the servers. The commands run as they are on the page, but for the port of
the address: a test cannot know that a fixed one is free.
"""

import json
import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.pages import Block, read_blocks, titled_blocks
from tests.docs.process import run
from tests.docs.tables import section
from tests.judges.llm.server import Script
from tests.judges.llm.users_servers import LlamaCpp, Ollama
from tests.vendor import Vendor, running

_PAGE = "docs/model-servers.md"
_ROWS = [
    {"id": str(n), "answer": f"Part {n} costs {n} euros.", "contexts": [f"Part {n} costs {n} euros. It is green."]}
    for n in range(1, 7)
]


def _server_command(name: str) -> list[str]:
    """Return the words of the page's one command that begins with this name."""
    commands = [command for block in read_blocks(_PAGE) for command in block.commands]
    (found,) = (shlex.split(command) for command in commands if command.startswith(name))
    return found


def _ollama() -> Ollama:
    made = dict(line.rsplit(" ", 1) for line in titled_blocks(_PAGE, "text")["Modelfile"].splitlines())
    assert made["FROM"] == _server_command("ollama pull")[2]
    name = _server_command("ollama create")[2]
    return Ollama(
        models=(f"{name}:latest", made["FROM"]),
        context=int(made["PARAMETER num_ctx"]),
        predict=int(made["PARAMETER num_predict"]),
    )


def _llama_cpp() -> LlamaCpp:
    words = _server_command("llama-server")
    set_to = dict(pairwise(words))
    return LlamaCpp(name=set_to["-hf"], context=int(set_to["-c"]) // int(set_to["--parallel"]))


def _blocks(heading: str) -> list[Block]:
    """Return the blocks of a section that this test is for, in their order."""
    text = section(_PAGE, heading)
    return [block for block in read_blocks(_PAGE) if block.tested_by and not block.title and block.text in text]


def _run_commands(heading: str, script: Script, folder: Path) -> tuple[dict[str, str], Vendor]:
    """Run the commands of a section; return what each printed by its second word, and the server."""
    printed: dict[str, str] = {}
    variables = {"FAITHVIEW_DB": "sqlite:///faithview.db", "COLUMNS": "200"}
    rows = "".join(json.dumps(row) + "\n" for row in _ROWS)
    (folder / "answers.jsonl").write_text(rows, encoding="utf-8")
    with running(script) as vendor:
        for command in (command for block in _blocks(heading) for command in block.commands):
            words = shlex.split(command)
            if words[0] == "export":
                name, _, value = words[1].partition("=")
                variables[name] = re.sub(r"^http://127\.0\.0\.1:\d+(?=/v1$)", vendor.url, value)
                continue
            assert words[0] == "faithview"
            done = run([sys.executable, "-m", *words], folder, **variables)
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            printed[words[1]] = done.stdout
        return printed, vendor


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def _shown_output() -> str:
    return next(block.text for block in read_blocks(_PAGE) if block.language == "text" and not block.title)


def test_the_recipe_for_ollama_works_as_it_is_on_the_page(tmp_path: Path) -> None:
    script = _ollama()
    printed, vendor = _run_commands("## An 8B model on Ollama", script, tmp_path)
    assert printed["check"] == _shown_output()
    assert f"2 models: {', '.join(script.models)}" in printed["doctor"]
    assert "the test claim is contradicted, as it should be" in printed["doctor"]
    assert "6 answers" in printed["evaluate"]
    assert vendor.server.busiest == 1
    judged = [call for call in vendor.server.calls if "reasoning_effort" in call.body]
    assert {call.schema for call in judged} == {"Extraction", "Verification"}  # the method that the page names
    assert {call.body["response_format"]["type"] for call in judged} == {"json_schema"}
    assert all("# An example" in call.system for call in judged)


def test_the_recipe_for_llama_cpp_works_as_it_is_on_the_page(tmp_path: Path) -> None:
    printed, vendor = _run_commands("## An 8B model on llama.cpp", _llama_cpp(), tmp_path)
    assert printed["check"] == _shown_output()
    assert "the test claim is contradicted, as it should be" in printed["doctor"]
    assert "6 answers" in printed["evaluate"]
    assert vendor.server.busiest <= 2
    assert {call.schema for call in vendor.server.calls[1:]} == {"Extraction", "Verification"}


def test_the_page_gives_both_servers_the_context_that_it_says() -> None:
    assert _ollama().context == _llama_cpp().context == 16_384
    assert "16,384 tokens for prompt and reply" in section(_PAGE, "## An 8B model on llama.cpp")
