"""`faithview completion`: the script with which a shell completes commands and options."""

from enum import StrEnum
from typing import Annotated

import typer

from faithview.cli import output

_PROGRAM = "faithview"
# Typer answers a call with this variable with completions instead of running the command.
_VARIABLE = "_FAITHVIEW_COMPLETE"


class Shell(StrEnum):
    """Shells that a script exists for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help=f"Your shell: {', '.join(Shell)}.")],
) -> None:
    """Print a script that completes commands and options in your shell.

    Write it to a file that your shell reads when it starts.
    """
    from typer._completion_shared import get_completion_script

    script = get_completion_script(prog_name=_PROGRAM, complete_var=_VARIABLE, shell=shell.value)
    output.print_lines(script.split("\n"))
