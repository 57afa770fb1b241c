"""The `faithview` command: its subcommands, and the exit status of each error."""

import io
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
    doctor,
    evaluate,
    event,
    export,
    fit,
    kb,
    labels,
    report,
    run_edits,
    runs,
    series,
    slices,
    spot_check,
)
from faithview.cli.output import say
from faithview.domain.errors import FaithViewError
from faithview.version import __version__

# Exit statuses: ours for bad input, the shell's for a program stopped with Ctrl-C.
BAD_INPUT = 2
_STOPPED = 130

# Depending on its version, Typer bundles Click or uses the installed one; this is the base class of either's errors.
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
app.command("doctor")(doctor.doctor)
app.command("evaluate")(evaluate.evaluate)
app.command("resume")(evaluate.resume)
app.command("rejudge")(evaluate.rejudge)
app.command("runs")(runs.list_runs)
app.command("show")(runs.show)
app.command("rename")(run_edits.rename)
app.command("note")(run_edits.note)
app.command("archive")(run_edits.archive)
app.command("restore")(run_edits.restore)
app.command("delete")(runs.delete)
app.command("compare")(compare.compare)
app.command("slices")(slices.slices)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("label")(labels.label)
app.command("labels")(labels.labels)
app.command("agreement")(labels.agreement)
app.command("bench")(bench.bench)
app.command("fit")(fit.fit)
app.add_typer(series.app, name="series")
app.add_typer(spot_check.app, name="spot-check")
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
    """Run the command line and exit with its status: 0, 1 for a failed gate, 2 for bad input."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A pipe on Windows may have an encoding without "−" or "✓"; print an escape instead of failing.
        sys.stdout.reconfigure(errors="backslashreplace")
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        # Typer's own handling prints three lines for a wrong option and exits with 1 when a prompt is answered with no.
        status = app(prog_name="faithview", standalone_mode=False)
        sys.stdout.flush()
        if status == _STOPPED:  # what Typer returns after Ctrl-C
            say("faithview: stopped. `faithview resume RUN` continues a run that was in progress.")
        sys.exit(status if isinstance(status, int) else 0)
    except FaithViewError as error:
        _fail(str(error))
    except _USAGE_ERROR as error:
        if "\n" in error.format_message():  # the help of a group that was called without a command
            say(error.format_message())
            sys.exit(BAD_INPUT)
        help_hint = f" `{error.ctx.command_path} --help` lists the options." if error.ctx else ""
        _fail(f"{error.format_message().rstrip('.')}.{help_hint}")
    except typer.Abort:
        _fail("Cancelled; nothing was changed.")
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`). At exit Python flushes standard output into it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _fail(text: str) -> NoReturn:
    say(f"faithview: {' '.join(text.split())}")
    sys.exit(BAD_INPUT)
