"""`faithview import` and `pull`: another tool's results as a run; its answers and results from its server."""

import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import INCOMPLETE, STOPPED
from faithview.cli.options import (
    JsonOption,
    KbVersionOption,
    SeriesOfRunOption,
    StoreOptions,
    ThresholdOption,
    command,
)
from faithview.cli.reading import FileOptions, print_preview, say_noticed, say_report
from faithview.cli.runs import print_run
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.services.imports import find_results, import_run
from faithview.services.pulls.pull import PullStopped, pull_file
from faithview.services.pulls.tools import TOOLS
from faithview.services.results import clean_name, list_troubles
from faithview.wording import numbers as fmt

app = typer.Typer()
_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")


@command(app, "import", "faithview import ragas.csv --name ragas", "faithview import results.json --preview")
def import_results(
    source: FileOptions,
    place: StoreOptions,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The run's name (default: the file's and the judge's).")
    ] = None,
    kb_version: KbVersionOption = None,
    series: SeriesOfRunOption = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    as_json: JsonOption = False,
) -> None:
    """Store another tool's results as a run: its scores, claims, reasons and human annotations; judge nothing."""
    if source.preview:
        with source.opened() as dataset:
            print_preview(dataset, for_results=True, as_json=as_json)
        return
    if series is not None:
        series = clean_name(series, whose="series")
    with source.opened() as dataset:
        table = dataset.table
        dataset.check_answered(for_results=True)
        say_noticed(dataset)
        with output.reading(f"Reading {table.name}", table.share_read) as step:
            found = find_results(dataset, limit=source.limit, on_row=step)
        output.say(f"read as: {dataset.detection.reader.title}.")
        say_report(found.report)
        with place.open(begins=True) as store:
            with output.progress(f"Storing {table.name}", found.rows) as stored:
                imported = import_run(
                    store,
                    found,
                    name=name or name_judged_by(source.stem, found.judge),
                    threshold=threshold,
                    kb_version=kb_version,
                    series=series,
                    on_stored=lambda rows: stored(completed=rows),
                )
            troubles = list_troubles(store, imported.summary.run.run_id)
    if imported.labels:
        output.say(f"{fmt.plural(imported.labels, 'annotation')} became labels.")
    if without := imported.summary.states[State.FAILED]:
        are = fmt.verb(without, "is", "are")
        output.say(f"note: {fmt.plural(without, 'row')} came without a usable result and {are} kept as failed.")
    print_run(imported.summary, troubles, as_json=as_json)
    if without:
        raise typer.Exit(INCOMPLETE)


@command(
    app,
    "pull",
    "faithview pull langfuse --since 7d -o traces.jsonl",
    "faithview pull phoenix --source-project support",
    "faithview pull mlflow --source-project bot",
)
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
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="The server's address (default: the tool's own variable)."),
    ] = None,
    page_size: Annotated[
        int,
        typer.Option("--page-size", min=1, max=100, help="Records per request (default: 100); fewer for large ones."),
    ] = 100,
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
        with output.progress(tool.title) as show:
            pulled = pull_file(
                tool,
                file,
                project=project,
                since=since.strip(),
                until=until.strip(),
                url=url,
                page_size=page_size,
                say=output.say,
                on_records=lambda count: show(fmt.plural(count, "record"), count),
            )
    except PullStopped as error:
        output.say(f"faithview: {error}")
        raise typer.Exit(INCOMPLETE) from None
    except KeyboardInterrupt:
        output.say(f"faithview: stopped. Fetched records are kept next to {str(file)!r}; the same command continues.")
        sys.exit(STOPPED)
    output.say(f"Wrote {fmt.plural(pulled.lines, 'line')} to {file}, pulled from {pulled.host}.")
    output.show(
        {**asdict(pulled), "source": source, "project": project or None, "file": file},
        f"`faithview import {file}` imports the tool's results, `faithview evaluate {file}` judges the answers.",
        as_json=as_json,
    )
