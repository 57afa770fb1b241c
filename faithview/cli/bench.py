"""`faithview bench` and `fit`: a judge against a labelled file; the embedded judge's model fitted to labelled files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from faithview.cli import output
from faithview.cli.options import (
    CompanionsOption,
    ConcurrencyOption,
    JsonOption,
    JudgeOptions,
    StoreOptions,
    ThresholdOption,
    WorkersOption,
    command,
)
from faithview.cli.reading import FormatOption, WithOption, say_report
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.formats.files.atomic_file import destination_words
from faithview.services.dataset_files import open_dataset
from faithview.services.judge_quality.benchmarks import bench as run_bench
from faithview.services.judge_quality.benchmarks import store_benchmark
from faithview.services.judge_quality.fit import cross_validated, read_answers, write_model
from faithview.wording import numbers as fmt

app = typer.Typer()
_COLUMNS = {
    "balanced_accuracy": "bal. acc. ",
    "f1_unfaithful": "F1 ",
    "precision_unfaithful": "precision ",
    "recall_unfaithful": "recall ",
    "auroc": "AUROC ",
    "claim_auroc": "claim AUROC ",
    "span_f1": "span F1 ",
}


@command(
    app,
    "bench",
    "faithview bench labelled.jsonl",
    "faithview bench labelled.jsonl --judge lexical --explain 5",
)
def bench(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A labelled file in FaithView's format, or that of RAGTruth or LLM-AggreFact."
        ),
    ],
    judge: JudgeOptions,
    place: StoreOptions,
    format_name: FormatOption = None,
    others: WithOption = None,
    companions: CompanionsOption = False,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    concurrency: ConcurrencyOption = 8,
    workers: WorkersOption = 1,
    explain: Annotated[
        int, typer.Option("--explain", metavar="N", min=0, help="List the N worst mistakes of either kind.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare a judge with human labels, and store the figures for the page Judges. "Positive" is unfaithful."""
    rows, report = open_dataset(file, format_name=format_name, others=others or ()).read_labelled()
    say_report(report)
    spec = judge.spec(companions=companions, workers=workers)
    with output.progress(f"Judging {file.name}", len(rows)) as step:
        document = run_bench(
            rows,
            file=file.name,
            judge=spec,
            threshold=threshold,
            concurrency=concurrency,
            mistakes=explain,
            on_judged=step,
        )
    with place.open(begins=True) as store:
        # The figures only: the texts of a labelled file are not the store's.
        store_benchmark(store, spec, {name: value for name, value in document.items() if name != "mistakes"})
    table = [["all", *_cells(document)]]
    table += [[task, *_cells(figures)] for task, figures in document["tasks"].items()]
    table.append(["mean of tasks", *_cells(document["macro"])])
    title = (
        f"{document['judge']} on {document['file']}: {document['rows']} rows, {document['failed']} failed, "
        f"{fmt.fixed(document['answers_per_second'], 0)} answers per second"
    )
    lines = [f"  {name}: {fmt.share(value)}" for name, value in document.get("companions", {}).items()]
    for mistake in document.get("mistakes", []):
        lines += ["", f"{mistake['key']}: {mistake['what']} (score {fmt.fixed(mistake['score'], 2)})"]
        for claim in mistake["claims"]:
            lines += [f"  {claim['verdict']}: {claim['text']}", f"    {claim['explanation']}"]
    output.show(document, output.Table(title, ["", *_COLUMNS.values()], table), lines, as_json=as_json)


def _cells(figures: dict[str, Any]) -> list[str]:
    return [fmt.fixed(figures[name], 3) for name in _COLUMNS]


_FIT_COLUMNS = {"claim_auroc": "claim AUROC", "auroc": "AUROC", "balanced_accuracy": "bal. acc."}


@command(app, "fit", "faithview fit labelled.jsonl -o model.json", "faithview fit a.jsonl b.jsonl -o model.json")
def fit(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Labelled files in FaithView's format, or those of RAGTruth or LLM-AggreFact."
        ),
    ],
    format_name: FormatOption = None,
    others: WithOption = None,
    into: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write the fitted model to; - is standard output.")
    ] = Path("model.json"),
    as_json: JsonOption = False,
) -> None:
    """Fit the embedded judge to your own labels; then set FAITHVIEW_LEXICAL_MODEL=PATH to use the model.

    --format is the format of all the files.
    """
    output.refuse_two_documents(into, as_json=as_json)
    labelled = {}
    for file in files:
        labelled[file.name], report = open_dataset(file, format_name=format_name, others=others or ()).read_labelled()
        say_report(report)
    fitted, figures = cross_validated({name: read_answers(rows) for name, rows in labelled.items()})
    write_model(fitted, into)
    lines = [f"Wrote {destination_words(into)}. Each file judged by trees that have not seen its documents:"]
    for name, row in figures.items():
        cells = [f"{column} {fmt.fixed(row[key], 3)}" for key, column in _FIT_COLUMNS.items()]
        lines.append(f"{name}: {', '.join(cells)} ({fmt.plural(len(labelled[name]), 'row')})")
    output.show({"model": into, "files": figures}, "\n".join(lines), as_json=as_json)
