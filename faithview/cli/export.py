"""`faithview export`: a run's results with claims, spans and labels."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, open_services
from faithview.cli.runs import RunArgument
from faithview.domain.views import View
from faithview.services.destination import destination_words
from faithview.services.exports.run_files.formats import BUILTIN_NAMES, list_formats
from faithview.wording import numbers as fmt
from faithview.wording.views import VIEW_AUTHORS


def export(
    run: RunArgument,
    destination: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write; - is standard output.")
    ],
    file_format: Annotated[
        str,
        typer.Option("--format", metavar="NAME", help=f"{', '.join(BUILTIN_NAMES)}, or that of a plug-in."),
    ] = "jsonl",
    view: Annotated[
        View, typer.Option("--view", help="Whose verdicts the states and scores follow: judge or reviewed.")
    ] = View.JUDGE,
    db: DbOption = None,
) -> None:
    """Write a run's answers with claims, evidence and labels to a file, in FaithView's shape or another tool's."""
    from faithview.services.exports.run_files.write import export_run

    formats = list_formats()
    for sentence in formats.broken:
        output.say(f"warning: {sentence}")
    formats.named(file_format)  # before the store is opened: a wrong name must not leave an empty one behind
    with open_services(db) as services:
        count = export_run(services, run, destination=destination, file_format=file_format, view=view)
    output.say(
        f"Wrote {fmt.plural(count, 'answer')} to {destination_words(destination)}, scored by {VIEW_AUTHORS[view]}."
    )
