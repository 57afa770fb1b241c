"""`faithview report`: a run, or a comparison of two, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, open_services
from faithview.cli.runs import RunArgument
from faithview.domain.views import View
from faithview.services.destination import destination_words
from faithview.services.report.files import write_report


def report(
    run: RunArgument,
    destination: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The HTML file to write; - is standard output.")
    ],
    candidate: Annotated[
        str | None, typer.Argument(metavar="[CANDIDATE]", help="A later run to compare with RUN.")
    ] = None,
    no_texts: Annotated[bool, typer.Option("--no-texts", help="Leave out questions, answers and chunks.")] = False,
    view: Annotated[View, typer.Option("--view", help="Whose verdicts count.")] = View.JUDGE,
    db: DbOption = None,
) -> None:
    """Write a report on a run, or on a comparison of two, as one HTML file that works offline."""
    from faithview.services.report.comparison import report_comparison
    from faithview.services.report.run import report_run

    with open_services(db) as services:
        html = (
            report_run(services, run, view=view, with_texts=not no_texts)
            if candidate is None
            else report_comparison(services, run, candidate, view=view, with_texts=not no_texts)
        )
    write_report(html, destination)
    output.say(f"Wrote the report to {destination_words(destination)}.")
