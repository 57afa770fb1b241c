"""`faithview evaluate` and `faithview resume`: a run over a dataset."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import (
    ConcurrencyOption,
    DbOption,
    JsonOption,
    JudgeOption,
    MethodOption,
    ThresholdOption,
    judge_spec,
    open_services,
)
from faithview.cli.runs import print_run
from faithview.domain.result import State
from faithview.domain.run import Run, RunSummary
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.container import Services
from faithview.services.datasets import ReadReport, open_dataset
from faithview.services.documents import run_document
from faithview.services.evaluation import check_judge, create_run, judge_here

_GATE_FAILED = 1
_ROWS_FAILED = 3
_SHOWN_PROBLEMS = 10


def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="csv, tsv, json, jsonl, parquet or xlsx; .gz too.")],
    name: Annotated[str | None, typer.Option("--name", metavar="N", help="The run's name; else the file's.")] = None,
    judge: JudgeOption = "lexical",
    method: MethodOption = "claims",
    mapping: Annotated[
        list[str] | None, typer.Option("--map", metavar="FIELD=COLUMN", help="What a column is, where it is not seen.")
    ] = None,
    segment: Annotated[
        str | None, typer.Option("--segment", metavar="COLUMN", help="The column that names a row's segment.")
    ] = None,
    kb_version: Annotated[
        str | None, typer.Option("--kb-version", metavar="V", help="The knowledge base's version.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Judge the first N usable rows only.")] = None,
    concurrency: ConcurrencyOption = 8,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    fail_under: Annotated[
        float | None,
        typer.Option("--fail-under", min=0.0, max=1.0, help="Exit with 1 if the mean faithfulness is below this."),
    ] = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge every answer of a file as one run."""
    dataset = open_dataset(file)
    items = list(mapping or [])
    if segment is not None:
        items.append(f"segment={segment}")
    dataset = dataset.remap(items)
    for warning in (*dataset.table.warnings, *dataset.detection.warnings):
        output.say(f"warning: {warning}")
    samples, report = dataset.read(limit=limit)
    _say_report(report)
    spec = judge_spec(judge, method)
    check_judge(spec)  # before the store is made: a wrong name must not leave an empty one behind
    with open_services(db) as services:
        run = create_run(
            services,
            samples,
            name=name or _stem(file),
            judge=spec,
            threshold=threshold,
            kb_version=kb_version,
            source=file.name,
        )
        _judge(services, run, concurrency=concurrency, fail_under=fail_under, as_json=as_json)


def resume(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")],
    concurrency: ConcurrencyOption = 8,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with an interrupted or cancelled run; judged rows are not judged again."""
    with open_services(db) as services:
        _judge(services, services.get_run(run), concurrency=concurrency, fail_under=None, as_json=as_json)


def _judge(services: Services, run: Run, *, concurrency: int, fail_under: float | None, as_json: bool) -> None:
    before = services.get_progress(run.run_id)
    with output.progress(f"Judging {run.name}", before.total - before.done) as step:
        summary = judge_here(services, run, concurrency=concurrency, on_judged=lambda _position, _result: step())
    if as_json:
        output.print_json(run_document(summary))
    else:
        print_run(summary)
    _exit(summary, fail_under)


def _exit(summary: RunSummary, fail_under: float | None) -> None:
    mean = summary.score.mean
    if fail_under is not None and (mean is None or mean < fail_under):
        # Rounded to two digits 0.7996 would be "0.80, below 0.8".
        shown = "–" if mean is None else f"{mean:.4f}"
        output.say(f"faithview: faithfulness {shown} is below {fail_under}.")
        raise typer.Exit(_GATE_FAILED)
    failed = summary.states[State.FAILED]
    if failed:
        output.say(f"faithview: {failed} of {summary.rows} answers could not be judged; their errors are stored.")
        raise typer.Exit(_ROWS_FAILED)


def _say_report(report: ReadReport) -> None:
    for problem in report.problems[:_SHOWN_PROBLEMS]:
        output.say(f"left out: {problem}")
    if report.problem_count > _SHOWN_PROBLEMS:
        output.say(f"left out: {report.problem_count - _SHOWN_PROBLEMS} further rows")
    for text, count in report.warnings.items():
        output.say(f"warning: {text}" + (f" ({count} times)" if count > 1 else ""))
    for note in report.notes:
        output.say(f"note: {note}")


def _stem(file: Path) -> str:
    name = file.name.removesuffix(".gz")
    return name.rpartition(".")[0] or name
