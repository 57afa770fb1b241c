"""`faithview bench`: a judge against a labelled file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from faithview.cli import output
from faithview.cli.options import (
    CompanionsOption,
    ConcurrencyOption,
    DbOption,
    JsonOption,
    JudgeOption,
    JudgeOptionsOption,
    MethodOption,
    PromptOption,
    StrictnessOption,
    ThresholdOption,
    WorkersOption,
    judge_spec,
    open_services,
)
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.datasets import open_dataset
from faithview.services.judge_quality.benchmark import bench as run_bench
from faithview.services.judge_quality.benchmark import store_benchmark
from faithview.services.runs.worker_process import collecting_rarely
from faithview.wording import numbers as fmt

_COLUMNS = {
    "balanced_accuracy": "bal. acc. ",
    "f1_unfaithful": "F1 ",
    "precision_unfaithful": "precision ",
    "recall_unfaithful": "recall ",
    "auroc": "AUROC ",
    "claim_auroc": "claim AUROC ",
    "span_f1": "span F1 ",
}


def bench(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A labelled benchmark file (JSON lines; .gz too).")],
    judge: JudgeOption = "lexical",
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    prompt: PromptOption = None,
    companions: CompanionsOption = False,
    judge_option: JudgeOptionsOption = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    concurrency: ConcurrencyOption = 8,
    workers: WorkersOption = 1,
    explain: Annotated[
        int, typer.Option("--explain", metavar="N", min=0, help="List the N worst mistakes of either kind.")
    ] = 0,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a judge with people's labels, and store the figures for the page Judges. "Positive" is unfaithful."""
    rows, report = open_dataset(file).read_labelled()
    for problem in report.problems:
        output.say(f"left out: {problem}")
    spec = judge_spec(
        judge,
        method,
        strictness=strictness,
        prompt=prompt,
        companions=companions,
        workers=workers,
        options=judge_option,
    )
    with collecting_rarely(), output.progress(f"Judging {file.name}", len(rows)) as step:
        document = run_bench(
            rows,
            file=file.name,
            judge=spec,
            threshold=threshold,
            concurrency=concurrency,
            mistakes=explain,
            on_judged=step,
        )
    with open_services(db) as services:
        # The figures only: the texts of a labelled file are not the store's.
        store_benchmark(services, spec, {name: value for name, value in document.items() if name != "mistakes"})
    if as_json:
        output.print_json(document)
        return
    table = [["all", *_cells(document)]]
    table += [[task, *_cells(figures)] for task, figures in document["tasks"].items()]
    table.append(["mean of tasks", *_cells(document["macro"])])
    title = (
        f"{document['judge']} on {document['file']}: {document['rows']} rows, {document['failed']} failed, "
        f"{document['answers_per_second']:.0f} answers a second"
    )
    output.print_table(title, ["", *_COLUMNS.values()], table)
    if "companions" in document:
        output.print_lines([f"  {name}: {fmt.share(value)}" for name, value in document["companions"].items()])
    for mistake in document.get("mistakes", []):
        lines = ["", f"{mistake['key']}: {mistake['what']} (score {mistake['score']:.2f})"]
        for claim in mistake["claims"]:
            lines += [f"  {claim['verdict']}: {claim['text']}", f"    {claim['explanation']}"]
        output.print_lines(lines)


def _cells(figures: dict[str, Any]) -> list[str]:
    return ["–" if figures[name] is None else f"{figures[name]:.3f}" for name in _COLUMNS]
