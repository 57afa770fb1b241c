"""The `faithview` command: its commands, and how errors become exit statuses."""

import logging
import sys
from typing import Annotated

import typer

import faithview
from faithview.cli import bench, check, dashboard, database, evaluate, export, runs
from faithview.cli.output import say
from faithview.domain.errors import FaithViewError

# Exit statuses of the contract.
GATE_FAILED = 1
BAD_INPUT = 2
ROWS_FAILED = 3

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
app.command("export")(export.export)
app.command("bench")(bench.bench)
app.add_typer(database.app, name="db")


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"faithview {faithview.__version__}\n")
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
        app()
    except FaithViewError as error:
        say(f"faithview: {' '.join(str(error).split())}")
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        # The reader has gone (`| head`); there is nobody left to tell.
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        say("faithview: stopped; `faithview resume RUN` goes on with a run that was under way.")
        sys.exit(130)
