"""Commands are imported when they are called, and the help knows them before that."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from faithview.cli.main import COMMANDS, app
from tests.dashboard import ROOT


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_of_a_command_what_the_command_says_of_itself(name: str) -> None:
    command = COMMANDS[name].load(name)
    assert command.help.split("\n")[0] == COMMANDS[name].summary
    assert not command.hidden


def test_a_name_that_is_almost_a_command_s_is_understood() -> None:
    with pytest.raises(typer.BadParameter.__base__ or Exception, match="Did you mean 'runs'"):
        app(["run"], standalone_mode=False)


_STORE = {"sqlalchemy", "alembic"}
_FIGURES = {"numpy", "scipy", "pandas", "pyarrow", "plotly", "streamlit", "openpyxl", "jinja2"}
_MODELS = {"openai", "anthropic", "httpx", "onnxruntime", "tokenizers", "pysbd", "rapidfuzz", "Stemmer", "fastapi"}
_ALL = {*_STORE, *_FIGURES, *_MODELS}


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], {*_ALL, "rich", "pydantic"}),
        (["--version"], {*_ALL, "rich", "pydantic"}),
        *(([name, "--help"], {*_ALL, "rich"}) for name in COMMANDS),
        (["runs"], {*_FIGURES, *_MODELS, "alembic"}),
        (["show", "no such run"], {*_FIGURES, *_MODELS, "alembic"} - {"numpy"}),
        (["rename", "no such run", "another name"], {*_FIGURES, *_MODELS, "alembic"} - {"Stemmer"}),
        (["evaluate", "no-such-file.jsonl"], {*_FIGURES, *_MODELS, "alembic"} - {"Stemmer"}),
        (["evaluate", "no-such-file.jsonl", "--fail-under", "7"], _ALL),
        (["audit"], {*_FIGURES, *_MODELS, "alembic"}),
        (["series", "list"], {*_FIGURES, *_MODELS, "alembic"}),
        (["db", "check", "--schema"], {*_FIGURES, *_MODELS, "alembic"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_does_not_wait_for_what_it_does_not_use(
    arguments: list[str], heavy: set[str], store_file: Path
) -> None:
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('imported', *sys.modules))\n"
        f"sys.argv = ['faithview', *{arguments!r}]\n"
        "from faithview.__main__ import main\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAITHVIEW_DB": f"sqlite:///{store_file}"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2), done.stderr  # 2 where the command refuses
    imported = set(done.stdout.rpartition("imported ")[2].split())
    assert "faithview.cli.main" in imported
    assert imported & heavy == set()
