"""`faithview export` and `report`: a run's results with claims and labels; a run or a comparison as a page."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import JsonOption, ReportFileOption, RunArgument, StoreOptions, command
from faithview.formats.exporters import EXPORTERS, exporter_named
from faithview.formats.files.atomic_file import destination_words
from faithview.services.exports import export_run
from faithview.services.reports import ReportFormat
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.reports.rendering import write_report
from faithview.services.reports.run_report import report_run
from faithview.wording import numbers as fmt

app = typer.Typer()
_MARKDOWN_ENDINGS = (".md", ".markdown")


@command(
    app,
    "export",
    "faithview export monday -o monday.jsonl",
    "faithview export monday --format csv -o monday.csv",
    "faithview export monday -o - | head -1",
)
def export(
    run: RunArgument,
    destination: ReportFileOption,
    place: StoreOptions,
    file_format: Annotated[
        str,
        typer.Option("--format", metavar="NAME", help=f"{', '.join(one.name for one in EXPORTERS)}."),
    ] = "jsonl",
    as_json: JsonOption = False,
) -> None:
    """Write a run's answers with claims, evidence and labels to a file, in FaithView's format or another tool's."""
    output.refuse_two_documents(destination, as_json=as_json)
    exporter_named(file_format)  # before the store is opened: a wrong name must not leave an empty one behind
    with place.open() as store:
        count = export_run(store, run, destination=destination, file_format=file_format)
    words = f"Wrote {fmt.plural(count, 'answer')} to {destination_words(destination)}."
    output.show({"path": destination, "rows": count}, words, as_json=as_json)


@command(app, "report", "faithview report monday -o report.html", "faithview report monday tuesday -o changes.html")
def report(
    run: RunArgument,
    destination: ReportFileOption,
    place: StoreOptions,
    candidate: Annotated[
        str | None, typer.Argument(metavar="[CANDIDATE]", help="A later run to compare with RUN.")
    ] = None,
    no_texts: Annotated[bool, typer.Option("--no-texts", help="Leave out questions, answers and chunks.")] = False,
    file_format: Annotated[
        ReportFormat | None,
        typer.Option("--format", help="By default Markdown if FILE ends with .md or .markdown, otherwise HTML."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a report on a run, or on a comparison of two, as one file: HTML that works offline, or Markdown."""
    output.refuse_two_documents(destination, as_json=as_json)
    file_format = file_format or report_format(destination)
    with place.open() as store:
        text = (
            report_run(store, run, file_format=file_format, with_texts=not no_texts)
            if candidate is None
            else report_comparison(store, run, candidate, file_format=file_format, with_texts=not no_texts)
        )
    write_report(text, destination)
    words = f"Wrote the report to {destination_words(destination)}."
    output.show({"path": destination, "rows": None}, words, as_json=as_json)


def report_format(destination: Path) -> ReportFormat:
    """Return the format of a report that a file's name asks for."""
    return ReportFormat.MARKDOWN if destination.suffix.lower() in _MARKDOWN_ENDINGS else ReportFormat.HTML
