"""The `faithview` command: its commands, and how errors become exit statuses."""

import logging
import os
import sys
from typing import Annotated, Any, NoReturn

import typer

from faithview.cli import (
    alert,
    bench,
    check,
    compare,
    dashboard,
    database,
    evaluate,
    event,
    export,
    fit,
    kb,
    labels,
    report,
    runs,
)
from faithview.cli.output import say
from faithview.domain.errors import FaithViewError
from faithview.version import __version__

# The contract's exit status, and the shell's for a program stopped with Ctrl-C.
BAD_INPUT = 2
_STOPPED = 130

# Typer brings its own Click or uses the installed one, depending on its version; this is the base of both's.
_USAGE_ERROR: Any = typer.BadParameter.__base__

app = typer.Typer(
    name="faithview",
    help="Is every claim of a RAG answer supported by the chunks that were retrieved for it?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo")(dashboard.demo)
app.command("ui")(dashboard.ui)
app.command("check")(check.check)
app.command("evaluate")(evaluate.evaluate)
app.command("resume")(evaluate.resume)
app.command("runs")(runs.list_runs)
app.command("show")(runs.show)
app.command("delete")(runs.delete)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("label")(labels.label)
app.command("labels")(labels.labels)
app.command("agreement")(labels.agreement)
app.command("bench")(bench.bench)
app.command("fit")(fit.fit)
app.add_typer(event.app, name="event")
app.add_typer(alert.app, name="alert")
app.add_typer(kb.app, name="kb")
app.add_typer(database.app, name="db")


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"faithview {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and exit with the contract's status."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        # Not Typer's own way to end, which takes three lines for a wrong option and exits with 1 where a question was
        # answered with no.
        status = app(prog_name="faithview", standalone_mode=False)
        sys.stdout.flush()
        if status == _STOPPED:  # what Typer makes of Ctrl-C
            say("faithview: stopped; `faithview resume RUN` goes on with a run that was under way.")
        sys.exit(status if isinstance(status, int) else 0)
    except FaithViewError as error:
        _fail(str(error))
    except _USAGE_ERROR as error:
        if "\n" in error.format_message():  # the help, which a group without a command gives
            say(error.format_message())
            sys.exit(BAD_INPUT)
        help_hint = f" `{error.ctx.command_path} --help` lists what can be given." if error.ctx else ""
        _fail(f"{error.format_message().rstrip('.')}.{help_hint}")
    except typer.Abort:
        _fail("Nothing was done.")
    except BrokenPipeError:
        # The reader has gone (`| head`); there is nobody left to tell.
        # Python flushes standard output once more at its end, into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _fail(text: str) -> NoReturn:
    say(f"faithview: {' '.join(text.split())}")
    sys.exit(BAD_INPUT)
