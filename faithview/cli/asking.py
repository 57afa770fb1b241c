"""The question before something is deleted."""

import sys

import typer

from faithview.domain.errors import InvalidInput


def confirm(question: str, *, yes: bool, as_json: bool = False) -> None:
    """Return if the user agrees, or has agreed with --yes.

    Raises:
        InvalidInput: the user cannot be asked, because standard input is not a terminal or --json is given.
        typer.Abort: the answer is no.
    """
    if yes:
        return
    if as_json:
        raise InvalidInput("Add --yes to delete with --json: it never asks. Nothing was changed.")
    if not sys.stdin.isatty():
        raise InvalidInput(f"{question} Standard input is not a terminal; add --yes to delete. Nothing was changed.")
    typer.confirm(question, abort=True, err=True)
