"""`faithview export`: a run's results with claims, spans and labels."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, open_services
from faithview.cli.runs import RunArgument
from faithview.domain.views import View
from faithview.services.exports.run_file import export_run
from faithview.wording import numbers as fmt
from faithview.wording.views import VIEW_AUTHORS


class Format(StrEnum):
    """Formats of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


def export(
    run: RunArgument,
    destination: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")],
    file_format: Annotated[Format, typer.Option("--format", help="jsonl, csv or parquet.")] = Format.JSONL,
    view: Annotated[
        View, typer.Option("--view", help="Whose verdicts the states and scores follow: judge or reviewed.")
    ] = View.JUDGE,
    db: DbOption = None,
) -> None:
    """Write a run's answers with their claims, evidence and labels to a file."""
    with open_services(db) as services:
        count = export_run(services, run, destination=destination, file_format=file_format.value, view=view)
    output.say(f"Wrote {fmt.plural(count, 'answer')} to {destination}, scored by {VIEW_AUTHORS[view]}.")
