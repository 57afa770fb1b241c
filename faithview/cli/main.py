"""The `faithview` command: its subcommands, and the exit status of each error."""

import io
import os
import sys
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from faithview import logs
from faithview.cli.exit_codes import BAD_INPUT, STOPPED
from faithview.cli.output import say
from faithview.domain.errors import FaithViewError
from faithview.version import __version__

# Depending on its version, Typer bundles Click or uses the installed one; this is the base class of either's errors.
_USAGE_ERROR: Any = typer.BadParameter.__base__

# Each command's module, which is imported when the command is called, and its line in `faithview --help`.
COMMANDS = {
    "demo": ("dashboard", "Load the bundled sample (runs, reviews, a second judge) and open the dashboard."),
    "ui": ("dashboard", "Open the dashboard."),
    "check": ("check", "Judge one answer, claim by claim; nothing is stored."),
    "guard": (
        "check",
        "Print the answer if it passes, or a corrected one; exit with 1 if it is blocked. Nothing is stored.",
    ),
    "doctor": ("doctor", "Test the store and the judges that are set up; exit with 1 if one of them does not work."),
    "evaluate": ("evaluate", "Judge every answer of a file as one run."),
    "import": (
        "imports",
        "Store another tool's results as a run: its scores, claims, reasons and human annotations; judge nothing.",
    ),
    "pull": ("imports", "Fetch a tool's traces with their scores and annotations, and write them to a file."),
    "resume": (
        "evaluate",
        "Continue an interrupted or cancelled run and its repeats; judged rows are not judged again.",
    ),
    "rejudge": ("evaluate", "Judge the answers of a stored run with another judge, as a new run of its series."),
    "watch": ("watch", "Judge the answers that live applications log, or a share of them, until you stop it."),
    "run": ("runs", "List, show, rename and delete runs."),
    "compare": ("compare", "Compare two runs: is the difference real, where is it, which claims caused it, and why."),
    "report": (
        "exports",
        "Write a report on a run, or on a comparison of two, as one file: HTML that works offline, or Markdown.",
    ),
    "export": (
        "exports",
        "Write a run's answers with claims, evidence and labels to a file, in FaithView's format or another tool's.",
    ),
    "labels": ("labels", "Import and export reviewers' labels, and measure a judge against them."),
    "serve": ("serve", "Check, guard and log answers over HTTP; receive OpenTelemetry spans."),
    "bench": (
        "bench",
        'Compare a judge with human labels, and store the figures for the page Judges. "Positive" is unfaithful.',
    ),
    "fit": (
        "bench",
        "Fit the embedded judge to your own labels; then set FAITHVIEW_LEXICAL_MODEL=PATH to use the model.",
    ),
    "spot-check": ("spot_checks", "Draw random claims for reviewers to label, to correct a run's score."),
    "event": ("events", "Manage events shown on the trend, such as releases and knowledge-base updates."),
    "alert": ("alerts", "Manage alert rules, which every complete run is checked against."),
    "kb": ("knowledge", "Manage stored knowledge-base versions."),
    "db": ("database", "Upgrade, check, back up and restore the store; delete what is older than a limit."),
}


class _Commands(TyperGroup):
    """The commands of COMMANDS, each imported when it is called."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = dict.fromkeys(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None if there is none of that name."""
        if cmd_name in COMMANDS and self.commands[cmd_name] is None:
            app = import_module(f"faithview.cli.{COMMANDS[cmd_name][0]}").app
            group: Any = typer.main.get_group(app)
            self.commands[cmd_name] = group.commands.get(cmd_name, group)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands with their lines."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


app = typer.Typer(
    name="faithview",
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Is every claim of a RAG answer supported by the chunks retrieved for it?",
    epilog=(
        "If the command `faithview` is not found, use `python -P -m faithview`. Without -P, Python would import "
        "modules from the current folder."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


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
    """Run the command line and exit with one of `faithview.cli.exit_codes`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A pipe on Windows may have an encoding without "−" or "✓"; print an escape instead of failing.
        sys.stdout.reconfigure(errors="backslashreplace")
    # No process that this one starts imports from the current folder, where another user may have put a streamlit.py.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Arrow's own allocator keeps what it has freed, tens of megabytes while a parquet file is read.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        logs.set_up()
        # Typer's own handling prints three lines for a wrong option and exits with 1 when a prompt is answered with no.
        status = app(prog_name="faithview", standalone_mode=False)
        sys.stdout.flush()
        if status == STOPPED:  # what Typer returns after Ctrl-C
            say("faithview: stopped. `faithview resume RUN` continues a run that was in progress.")
        sys.exit(status if isinstance(status, int) else 0)
    except FaithViewError as error:
        _fail(str(error))
    except _USAGE_ERROR as error:
        if "\n" in error.format_message():  # the help of a group that was called without a command
            say(error.format_message())
            sys.exit(BAD_INPUT)
        help_hint = f" `{error.ctx.command_path} --help` lists the options." if error.ctx else ""
        said = error.format_message().rstrip(".")
        _fail(f"{said}{'' if said.endswith('?') else '.'}{help_hint}")
    except typer.Abort:
        _fail("Cancelled; nothing was changed.")
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`). At exit Python flushes standard output into it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _fail(text: str) -> NoReturn:
    say(f"faithview: {' '.join(text.split())}")
    sys.exit(BAD_INPUT)
