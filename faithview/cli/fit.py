"""`faithview fit`: fit the embedded judge's model to labelled files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption
from faithview.services.datasets import open_dataset
from faithview.services.judge_quality.training import cross_validate_files, write_model

_COLUMNS = {"claim_auroc": "claim AUROC ", "auroc": "AUROC ", "balanced_accuracy": "bal. acc. "}


def fit(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Labelled files (JSON lines; .gz too).")],
    into: Annotated[Path, typer.Option("--output", "-o", help="Where to write the fitted model.")] = Path("model.json"),
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the embedded judge to your own labels; then set FAITHVIEW_LEXICAL_MODEL=PATH to use the model."""
    del db  # every command takes a store; this one has no use for it
    labelled = {}
    for file in files:
        rows, report = open_dataset(file).read_labelled()
        for problem in report.problems:
            output.say(f"{file.name}: left out: {problem}")
        labelled[file.name] = rows
    fitted, figures = cross_validate_files(labelled)
    write_model(fitted, into)
    if as_json:
        output.print_json({"model": str(into), "files": figures})
        return
    table = [[name, str(len(labelled[name])), *_cells(row)] for name, row in figures.items()]
    title = f"Wrote {into}. Each file judged by trees that have not seen its documents:"
    output.print_table(title, ["", "rows ", *_COLUMNS.values()], table)


def _cells(figures: dict[str, Any]) -> list[str]:
    return ["–" if figures[name] is None else f"{figures[name]:.3f}" for name in _COLUMNS]
