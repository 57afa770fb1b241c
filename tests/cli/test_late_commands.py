"""Commands are imported when they are called, and the help knows them before that."""

import subprocess
import sys

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


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [(["--help"], {"sqlalchemy", "rich", "numpy"}), (["runs", "--help"], {"scipy", "pandas", "streamlit", "pysbd"})],
    ids=["help", "runs"],
)
def test_a_command_does_not_wait_for_what_it_does_not_use(arguments: list[str], heavy: set[str]) -> None:
    program = (
        "import sys; from faithview.cli.main import app\n"
        f"app({arguments!r}, standalone_mode=False)\n"
        "print('imported', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = set(done.stdout.rpartition("imported ")[2].split())
    assert "faithview.cli.main" in imported
    assert not imported & heavy
