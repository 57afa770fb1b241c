"""`faithview import`: another tool's results as a run, without judging."""

from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import INCOMPLETE
from faithview.cli.options import (
    DbOption,
    JsonOption,
    KbVersionOption,
    SeriesOfRunOption,
    ThresholdOption,
    open_store,
)
from faithview.cli.reading import (
    DateFormatOption,
    FileArgument,
    FormatOption,
    MapOption,
    PreviewOption,
    SegmentOption,
    WithOption,
    opened,
    print_preview,
    say_noticed,
    say_report,
    stem,
)
from faithview.cli.runs import print_run
from faithview.domain.result import State
from faithview.domain.run import RunSummary
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.services.container import Store
    from faithview.services.dataset_files import Dataset
    from faithview.services.imports import ImportedRun
    from faithview.services.results import RunTroubles


def import_results(
    file: FileArgument,
    format_name: FormatOption = None,
    others: WithOption = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The run's name (default: the file's and the judge's).")
    ] = None,
    mapping: MapOption = None,
    segment: SegmentOption = None,
    date_format: DateFormatOption = None,
    kb_version: KbVersionOption = None,
    series: SeriesOfRunOption = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Import only the first N usable rows.")] = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    preview: PreviewOption = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Store another tool's results as a run: its scores, claims, reasons and human annotations; judge nothing."""
    with opened(file, format_name, mapping=mapping, segment=segment, date_format=date_format, others=others) as dataset:
        if preview:
            print_preview(dataset, for_results=True, as_json=as_json)
            return
        summary, troubles = take_results(
            dataset,
            name=name,
            usual_name=stem(file),
            threshold=threshold,
            kb_version=kb_version,
            series=series,
            limit=limit,
            db=db,
        )
    print_imported(summary, troubles, as_json=as_json)


def print_imported(summary: RunSummary, troubles: "RunTroubles", *, as_json: bool) -> None:
    """Print the figures of an imported run; exit with 3 if it has failed rows."""
    if as_json:
        from faithview.documents.runs import RunDocument

        output.print_json(RunDocument.of(summary, troubles=troubles))
    else:
        print_run(summary, troubles)
    if summary.states[State.FAILED]:
        raise typer.Exit(INCOMPLETE)


def take_results(
    dataset: "Dataset",
    *,
    name: str | None,
    usual_name: str,
    threshold: float = DEFAULT_THRESHOLD,
    kb_version: str | None = None,
    series: str | None = None,
    limit: int | None = None,
    db: str | None,
) -> "tuple[RunSummary, RunTroubles]":
    """Store the results in a file as a run, and print notes on standard error."""
    from faithview.services.imports import find_results, import_run
    from faithview.services.results import clean_name

    table = dataset.table
    dataset.check_answered(for_results=True)
    say_noticed(dataset)
    with output.reading(f"Reading {table.name}", table.share_read) as step:
        found = find_results(dataset, limit=limit, on_row=step)
    output.say(f"read as: {dataset.detection.title}. {dataset.detection.why}")
    say_report(found.report)
    if series is not None:
        series = clean_name(series, whose="series")
    with open_store(db, begins=True) as store:
        with output.progress(f"Storing {table.name}", found.rows) as stored:
            imported = import_run(
                store,
                found,
                name=name or name_judged_by(usual_name, found.judge),
                threshold=threshold,
                kb_version=kb_version,
                series=series,
                on_stored=lambda rows: stored(completed=rows),
            )
        return _noticed(store, imported)


def _noticed(store: "Store", imported: "ImportedRun") -> "tuple[RunSummary, RunTroubles]":
    """Say what came with the rows of an imported run and what is missing; return its figures."""
    from faithview.services.results import list_troubles

    if imported.labels:
        output.say(f"{fmt.plural(imported.labels, 'annotation')} became labels.")
    without = imported.summary.states[State.FAILED]
    if without:
        are = fmt.verb(without, "is", "are")
        output.say(f"note: {fmt.plural(without, 'row')} came without a usable result and {are} kept as failed.")
    return imported.summary, list_troubles(store, imported.summary.run.run_id)
