"""`faithview fit`: fit the embedded judge's model to labelled files."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, has_store, open_services
from faithview.cli.reading import FormatOption, WithOption
from faithview.services.destination import is_standard_output
from faithview.wording import numbers as fmt

_COLUMNS = {"claim_auroc": "claim AUROC ", "auroc": "AUROC ", "balanced_accuracy": "bal. acc. "}


def fit(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Labelled files: FaithView's own, RAGTruth, FaithBench and so on."),
    ],
    format_name: FormatOption = None,
    others: WithOption = None,
    into: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the fitted model; - is standard output.")
    ] = Path("model.json"),
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the embedded judge to your own labels; then set FAITHVIEW_LEXICAL_MODEL=PATH to use the model.

    --format is the format of all the files. Rows that are held out in a data set of the store are left out.
    """
    from faithview.services.datasets import open_dataset
    from faithview.services.judge_quality.held_out import split_rows
    from faithview.services.judge_quality.training import cross_validate_files, write_model

    output.refuse_two_documents(into, as_json=as_json)
    labelled, held_out = {}, {}
    with ExitStack() as stack:
        # Fitting creates no store.
        services = stack.enter_context(open_services(db)) if has_store(db) else None
        for file in files:
            rows, report = open_dataset(file, format_name=format_name, others=others or ()).read_labelled()
            for problem in report.problems:
                output.say(f"{file.name}: left out: {problem}")
            parts = split_rows(services, rows)
            labelled[file.name], held_out[file.name] = parts.rest, len(parts.held_out)
            if parts.held_out:
                output.say(f"{file.name}: left out: {fmt.plural(len(parts.held_out), 'row')} held out in a data set")
    fitted, figures = cross_validate_files(labelled)
    write_model(fitted, into)
    if as_json:
        from faithview.documents.benchmarks import FitDocument

        output.print_json(FitDocument(model=str(into), files=figures, held_out=held_out))
        return
    if is_standard_output(into):
        for name, row in figures.items():
            cells = zip(_COLUMNS.values(), _cells(row), strict=True)
            output.say(f"{name}: " + ", ".join(f"{column.strip()} {cell}" for column, cell in cells))
        return
    table = [[name, str(len(labelled[name])), *_cells(row)] for name, row in figures.items()]
    title = f"Wrote {into}. Each file judged by trees that have not seen its documents:"
    output.print_table(title, ["", "rows ", *_COLUMNS.values()], table)


def _cells(figures: dict[str, Any]) -> list[str]:
    return [fmt.fixed(figures[name], 3) for name in _COLUMNS]
