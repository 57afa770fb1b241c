"""`faithview pull`: answers, chunks and results straight from another tool's server."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import INCOMPLETE, STOPPED
from faithview.cli.imports import take_results
from faithview.cli.options import DbOption, JsonOption
from faithview.cli.reading import opened
from faithview.cli.runs import print_run
from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.domain.scoring import State
from faithview.services.pulls.pull import PullStopped, pull_file
from faithview.services.pulls.tools import TOOLS
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.domain.run import RunSummary
    from faithview.services.results import RunTroubles

_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")


def pull(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=f"The tool: {', '.join(TOOLS)}.")],
    source_project: Annotated[
        str,
        typer.Option(
            "--source-project",
            metavar="NAME",
            help="The project's name; for MLflow the experiment's name or id (default: the tool's own variable). A "
            "Langfuse key belongs to one project; the option then only checks that it is this one.",
        ),
    ] = "",
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="TIME",
            help="Fetch the traces that began at this time or later: a date, a time (in UTC unless it names a zone), "
            "or how long ago, such as 12h, 7d or 4w (default: all).",
        ),
    ] = "",
    until: Annotated[
        str,
        typer.Option("--until", metavar="TIME", help="Fetch the traces that began before this time (default: now)."),
    ] = "",
    destination: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The file to write (default: SOURCE-PROJECT.jsonl)."),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(
            "--run", metavar="NAME", help="Also store the tool's results as a run with this name, as `import` does."
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="The server's address (default: the tool's own variable)."),
    ] = None,
    page_size: Annotated[
        int,
        typer.Option("--page-size", min=1, max=100, help="Records per request (default: 100); fewer for large ones."),
    ] = 100,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fetch a tool's traces with their scores and annotations, and write them to a file.

    The file is JSON Lines, as the tool itself writes them: `faithview import FILE` imports the tool's results,
    `faithview evaluate FILE` judges the answers. After a stop, the same command continues after the last page.

    Keys are read from the tools' own variables, and are never printed or stored: LANGFUSE_PUBLIC_KEY and
    LANGFUSE_SECRET_KEY (server: LANGFUSE_BASE_URL); PHOENIX_API_KEY (PHOENIX_ENDPOINT or PHOENIX_COLLECTOR_ENDPOINT);
    MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD (MLFLOW_TRACKING_URI);
    LANGSMITH_API_KEY (LANGSMITH_ENDPOINT).
    """
    if source not in TOOLS:
        raise InvalidInput(f"There is no source {source!r}; FaithView pulls from {', '.join(TOOLS)}.")
    tool = TOOLS[source]
    project = tool.project(source_project)
    usual = f"{source}-{_NOT_IN_A_NAME.sub('-', project)}".strip("-.")
    file = destination or Path(f"{usual}.jsonl")
    try:
        with output.counting() as show:
            pulled = pull_file(
                tool,
                file,
                project=project,
                since=since.strip(),
                until=until.strip(),
                url=url,
                page_size=page_size,
                say=output.say,
                on_records=lambda count: show(f"{tool.title}: {fmt.plural(count, 'record')} so far"),
            )
    except PullStopped as error:
        output.say(f"faithview: {error}")
        raise typer.Exit(INCOMPLETE) from None
    except KeyboardInterrupt:
        output.say(f"faithview: stopped. Fetched records are kept next to {str(file)!r}; the same command continues.")
        sys.exit(STOPPED)
    output.say(f"Wrote {fmt.plural(pulled.lines, 'line')} to {file}, pulled from {pulled.host}.")
    taken = None
    if run is None:
        output.say(
            f"`faithview import {file}` imports the tool's results, `faithview evaluate {file}` judges the answers."
        )
    else:
        taken = _store_run(file, tool.reader, run, db=db, as_json=as_json)
    if as_json:
        from faithview.documents.files import PullDocument
        from faithview.documents.runs import RunFigures

        output.print_json(
            PullDocument.of(
                pulled,
                source=source,
                project=project or None,
                destination=str(file),
                run=taken and RunFigures.of(taken[0], troubles=taken[1]),
            )
        )
    if taken is not None and taken[0].states[State.FAILED]:
        raise typer.Exit(INCOMPLETE)


def _store_run(
    file: Path, reader: str, name: str, *, db: str | None, as_json: bool
) -> "tuple[RunSummary, RunTroubles]":
    try:
        with opened(file, reader, mapping=None) as dataset:
            summary, troubles = take_results(dataset, name=name, usual_name=name, db=db)
    except FaithViewError as error:
        raise InvalidInput(
            f"Wrote {file}, but its results were not stored as a run: {error} Continue with `faithview import {file}`."
        ) from error
    if not as_json:
        print_run(summary, troubles)
    return summary, troubles
