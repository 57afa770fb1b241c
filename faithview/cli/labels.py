"""`faithview labels`: reviewers' labels, and how well the judge agrees with them."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import MOST_ID, JsonOption, RunArgument, StoreOptions, command
from faithview.cli.reading import say_left_out
from faithview.domain.errors import InvalidInput
from faithview.domain.scoring import Interval
from faithview.formats.files.atomic_file import destination_words
from faithview.services.json_documents import agreement_document
from faithview.services.review.label_files import export_labels, import_labels, write_labels
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import rate_lines
from faithview.wording.verdict_styles import verdict_word

app = typer.Typer(help="Import and export reviewers' labels, and measure a judge against them.")
_TABLE = ["claim", "verdict", "reviewer", "at", "blind", "note"]


@command(
    app,
    "import",
    "faithview labels import monday labels.jsonl",
    "faithview labels import monday labels.csv --spot-check 3",
)
def import_file(
    place: StoreOptions,
    run: RunArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSON lines or CSV with claim_id, verdict and reviewer.")
    ],
    spot_check: Annotated[
        int | None,
        typer.Option(
            "--spot-check",
            metavar="ID",
            min=1,
            max=MOST_ID,
            help="The spot-check that the labels were given in; only such labels change the corrected score. Claims "
            "that it did not draw are left out.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Import reviewers' labels; labels that are already stored are skipped."""
    with place.open() as store:
        report = import_labels(store, run, file, spot_check_id=spot_check)
    added, known, bad = report.added, report.known, len(report.problems)
    say_left_out(report.problems, bad)
    if bad and not report.usable:
        rows = "not one row" if bad == 1 else f"none of the {bad} rows"
        raise InvalidInput(f"No label was stored: {rows} of {file.name!r} could be used.")
    words = f"{fmt.plural(added, 'label')} added, {known} already stored, {fmt.plural(bad, 'row')} left out."
    output.show({"added": added, "known": known, "problems": bad}, [words], as_json=as_json)


@command(app, "export", "faithview labels export monday -o labels.csv", "faithview labels export monday --json")
def export(
    place: StoreOptions,
    run: RunArgument,
    destination: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write to a file: CSV if it ends with .csv, otherwise JSON lines; - is standard output.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Export a run's labels that count, in a format that `faithview labels import` reads."""
    output.refuse_two_documents(destination, as_json=as_json)
    with place.open() as store:
        rows = export_labels(store, run)
    if destination is not None:
        write_labels(rows, destination)
        output.say(f"Wrote {fmt.plural(len(rows), 'label')} to {destination_words(destination)}.")
    if as_json or destination is None:
        cells = [
            [row.claim_id, row.verdict, row.reviewer, row.at, "yes" if row.blind else "", row.note or ""]
            for row in rows
        ]
        document = {"labels": [row.to_dict() for row in rows]}
        output.show(document, output.Table("Labels", _TABLE, cells), as_json=as_json)


@command(app, "agreement", "faithview labels agreement monday", "faithview labels agreement monday --json")
def agreement(run: RunArgument, place: StoreOptions, as_json: JsonOption = False) -> None:
    """Compare a run's judge with reviewers' labels, and correct its score with a spot-check."""
    with place.open() as store:
        document, figures, reason = agreement_document(store, run)
    if reason is not None:
        output.say(f"note: {reason}")
    corrected = document["human_corrected"]
    weighted = ", weighted by inclusion probability" if figures.is_weighted else ""
    others = document["labelled_claims"] - figures.used
    lines = [
        f"labelled claims     {document['labelled_claims']}"
        + (f", {others} of them outside a spot-check and left out" if others else ""),
        *(f"{name:20}{text}" for name, text in rate_lines(figures)),
        f"Cohen's kappa       {fmt.inner_share(figures.kappa.value)}{weighted}",
        f"judge's score       {fmt.share(document['judge_faithfulness'])}",
    ]
    if corrected["ci"] is not None:
        low, high = corrected["ci"]
        lines.append(
            f"corrected score     {fmt.share(corrected['estimate'])} ({fmt.ends(Interval(low=low, high=high))}), "
            f"{corrected['method']}, {fmt.plural(corrected['labels'], 'label')} in "
            f"{fmt.plural(corrected['labelled_rows'], 'answer')}"
        )
    people: list[str] = list(next(iter(figures.confusion.values()), {}))
    rows = [
        [verdict_word(judge), *map(str, counts.values())]
        for judge, counts in figures.confusion.items()
        if any(counts.values())
    ]
    columns = ["", *(f"{verdict_word(name)} " for name in people)]
    table = output.Table("Judge (rows) and reviewers (columns), in claims", columns, rows)
    output.show(document, lines, *([table] if rows else []), as_json=as_json)
