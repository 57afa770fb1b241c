"""`faithview label`, `labels` and `agreement`: what people say of a run, and how far the judge agrees."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.cli.runs import RunArgument
from faithview.services.judge_quality.agreement import agreement_document
from faithview.services.review.label_export import export_labels, write_labels
from faithview.services.review.label_import import ImportReport, NoUsableRow, import_labels

_TABLE = ["claim", "verdict", "reviewer", "at", "blind", "note"]


def label(
    run: RunArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSON lines or CSV with claim_id, verdict and reviewer.")
    ],
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import people's labels; a label that is there already is not stored again."""
    with open_services(db) as services:
        try:
            report = import_labels(services, run, file)
        except NoUsableRow as error:
            _say_problems(error.report)
            raise
    _say_problems(report)
    if as_json:
        output.print_json({"added": report.added, "known": report.known, "problems": report.problem_count})
    else:
        known, bad = report.known, report.problem_count
        output.print_lines([f"{report.added} labels added, {known} known already, {bad} rows left out."])


def _say_problems(report: ImportReport) -> None:
    for problem in report.problems:
        output.say(f"left out: {problem}")
    if report.problem_count > len(report.problems):
        output.say(f"left out: {report.problem_count - len(report.problems)} further rows")


def labels(
    run: RunArgument,
    destination: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file: .csv, else JSON lines.")
    ] = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Export the labels of a run that count, as `faithview label` reads them."""
    with open_services(db) as services:
        rows = export_labels(services, run)
    if destination is not None:
        write_labels(rows, destination)
        output.say(f"Wrote {len(rows)} labels to {destination}.")
    if as_json:
        output.print_json({"labels": rows})
    elif destination is None:
        cells = [
            [
                str(row["claim_id"]),
                str(row["verdict"]),
                str(row["reviewer"]),
                str(row["at"]),
                "yes" if row["blind"] else "",
                str(row["note"] or ""),
            ]
            for row in rows
        ]
        output.print_table("Labels", _TABLE, cells)


def agreement(run: RunArgument, db: DbOption = None, as_json: JsonOption = False) -> None:
    """Hold a run's judge against people's labels, and correct its score by a spot-check."""
    with open_services(db) as services:
        document, reason = agreement_document(services, run)
    if reason is not None:
        output.say(f"note: {reason}")
    if as_json:
        output.print_json(document)
        return
    corrected = document["human_corrected"]
    lines = [
        f"labelled claims     {document['labelled_claims']}",
        f"accuracy            {output.share(document['accuracy'])}",
        f"Cohen's kappa       {output.share(document['cohen_kappa'])}",
        f"judge's score       {output.share(document['judge_faithfulness'])}",
    ]
    if corrected["ci"] is not None:
        low, high = corrected["ci"]
        lines.append(
            f"corrected score     {output.share(corrected['estimate'])} ({low:.2f}-{high:.2f}), "
            f"{corrected['method']}, {corrected['labelled_rows']} answers labelled"
        )
    output.print_lines(lines)
    people: list[str] = list(next(iter(document["confusion"].values()), {}))
    rows = [
        [judge, *map(str, counts.values())] for judge, counts in document["confusion"].items() if any(counts.values())
    ]
    if rows:
        output.print_table("Judge (rows) against people (columns)", ["", *(f"{name} " for name in people)], rows)
