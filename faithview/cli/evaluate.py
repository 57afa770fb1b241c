"""`faithview evaluate`, `resume` and `rejudge`: a run over a file; with `--estimate`, its expected cost."""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED, INCOMPLETE
from faithview.cli.judging import judge_with_progress
from faithview.cli.options import (
    BudgetOptions,
    CompanionsOption,
    EstimateOption,
    GateOptions,
    JsonOption,
    JudgeOptions,
    KbVersionOption,
    RunArgument,
    SeriesOfRunOption,
    SpeedOptions,
    StoreOptions,
    ThresholdOption,
    WorkersOption,
    command,
)
from faithview.cli.reading import FileOptions, print_preview, say_noticed, say_report
from faithview.cli.runs import error_lines, noise_line, print_run
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.comparison.judge_noise import repeat_noise
from faithview.services.container import Store
from faithview.services.dataset_files import check_file
from faithview.services.gates import Gates, check_gates, find_baseline
from faithview.services.results import clean_name, get_run, list_troubles, retry_failed
from faithview.services.runs.budget import RunEstimate
from faithview.services.runs.cluster import check_cluster
from faithview.services.runs.create import (
    RunRequest,
    check_judge,
    create_repeats,
    create_run,
    estimate_run,
    is_batch_run,
    iterate_samples,
    judge_again,
)
from faithview.store.alerts import list_alerts
from faithview.wording import numbers as fmt
from faithview.wording.findings import failed_words, retry_words

app = typer.Typer()


@command(
    app,
    "evaluate",
    "faithview evaluate answers.jsonl --name monday",
    "faithview evaluate a.csv --map answer=reply --preview",
    "faithview evaluate answers.jsonl --fail-under 0.8",
)
def evaluate(
    source: FileOptions,
    judge: JudgeOptions,
    speed: SpeedOptions,
    budget: BudgetOptions,
    gate: GateOptions,
    place: StoreOptions,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The run's name (default: the file's).")
    ] = None,
    series: SeriesOfRunOption = None,
    companions: CompanionsOption = False,
    kb_version: KbVersionOption = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    workers: WorkersOption = 1,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Ask the model again, even if an earlier run has its verdicts.")
    ] = False,
    repeat: Annotated[
        int,
        typer.Option(
            "--repeat", min=1, max=50, help="Judge everything N times, as separate runs, to measure the judge's noise."
        ),
    ] = 1,
    batch: Annotated[
        bool,
        typer.Option("--batch", help="Use the vendor's batch endpoint: results within a day, at about half the price."),
    ] = False,
    estimate: EstimateOption = False,
    as_json: JsonOption = False,
) -> None:
    """Judge every answer of a file as one run."""
    gates = gate.gates()
    if source.preview:
        with source.opened() as dataset:
            print_preview(dataset, for_results=False, as_json=as_json)
        return
    cluster = speed.cluster()
    # Before a large file is read: a mistyped judge is known at once.
    spec = judge.spec(companions=companions, workers=workers)
    new_series = None if series is None else clean_name(series, whose="series")
    with source.opened() as dataset:
        table = dataset.table
        dataset.check_answered(for_results=False)
        say_noticed(dataset)
        with output.reading(f"Reading {table.name}", table.share_read) as step:
            checked = check_file(dataset, limit=source.limit, on_row=step)
        say_report(checked.report)
        request = RunRequest(
            name=name or source.stem,
            judge=spec,
            threshold=threshold,
            source="standard input" if source.file.name == "-" else source.file.name,
            use_cache=not no_cache,
            by_batches=batch,
            series=new_series,
            kb_version=kb_version,
            rows_left_out=checked.report.problem_count,
        )
        samples = checked.dataset.samples(limit=source.limit)
        if estimate:
            _print_estimate(samples, request, place, repeat=repeat, as_json=as_json)
            return
        limits = budget.limits(batch=batch)
        if batch and repeat > 1:
            raise InvalidInput("Repeats cannot be judged in batches; leave --repeat or --batch out.")
        # Before the store is created: a wrong name must not leave an empty one behind.
        check_judge(request.judge, limits=limits, by_batches=batch)
        if cluster is not None:
            check_cluster(cluster, limits=limits, by_batches=batch)
        with place.open(begins=True) as store:
            baseline = find_baseline(store, gates)
            with output.reading(f"Storing {table.name}", table.share_read) as step:
                run = create_run(store, output.stepping(samples, step), request, has_keys=True)
            runs = [run, *create_repeats(store, run, repeat=repeat)]
            summaries = judge_with_progress(store, runs, speed, limits)
            _report(store, summaries, gates, baseline, as_json=as_json)


@command(app, "resume", "faithview resume monday", "faithview resume monday --retry-failed")
def resume(
    run: RunArgument,
    speed: SpeedOptions,
    budget: BudgetOptions,
    gate: GateOptions,
    place: StoreOptions,
    retry: Annotated[bool, typer.Option("--retry-failed", help="Also judge failed answers again.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Continue an interrupted or cancelled run and its repeats; judged rows are not judged again."""
    gates = gate.gates()
    speed.cluster()  # raises what is wrong with the options
    with place.open() as store:
        first = get_run(store, run)
        baseline = find_baseline(store, gates, run=first)
        limits = budget.limits(batch=is_batch_run(store, first))
        repeats = [get_run(store, repeat) for repeat in first.repeats]
        if retry:
            check_judge(first.judge, limits=limits)  # with nothing reset if the key is still missing
            retried = [retry_failed(store, again.run_id) for again in (first, *repeats)]
            output.say(f"{fmt.plural(sum(retried), 'failed answer')} to be judged again.")
            repeats = [get_run(store, again.run_id) for again in repeats]
        repeats = [r for r in repeats if r.status not in (RunStatus.COMPLETE, RunStatus.RUNNING)]
        summaries = judge_with_progress(store, [first, *repeats], speed, limits)
        _report(store, summaries, gates, baseline, as_json=as_json)


@command(
    app,
    "rejudge",
    "faithview rejudge monday --judge openai:gpt-4.1-mini",
    "faithview rejudge monday --judge lexical --estimate",
)
def rejudge(
    run: RunArgument,
    judge: JudgeOptions,
    speed: SpeedOptions,
    budget: BudgetOptions,
    gate: GateOptions,
    place: StoreOptions,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="The new run's name (default: the run's and the judge's)."),
    ] = None,
    series: Annotated[
        str | None, typer.Option("--series", metavar="NAME", help="The new run's series (default: the run's).")
    ] = None,
    estimate: EstimateOption = False,
    as_json: JsonOption = False,
) -> None:
    """Judge the answers of a stored run with another judge, as a new run of its series."""
    gates, limits, spec = gate.gates(), budget.limits(), judge.spec()
    speed.cluster()  # raises what is wrong with the options
    new_series = None if series is None else clean_name(series, whose="series")
    with place.open() as store:
        first = get_run(store, run)
        if estimate:
            request = RunRequest(name=first.name, judge=spec)
            _print_estimate(iterate_samples(store, first), request, place, repeat=1, as_json=as_json)
            return
        baseline = find_baseline(store, gates)
        again = judge_again(store, first, spec, name=name, series=new_series, limits=limits)
        summaries = judge_with_progress(store, [again], speed, limits)
        _report(store, summaries, gates, baseline, as_json=as_json)


def _print_estimate(
    samples: Iterable[Sample], request: RunRequest, place: StoreOptions, *, repeat: int, as_json: bool
) -> None:
    """Print the expected calls and cost of judging these answers; judge and store nothing."""
    with place.open() if place.exists() else nullcontext() as store:  # an estimate creates no store
        estimate = estimate_run(
            samples,
            request.judge,
            store=store,
            use_cache=request.use_cache,
            repeat=repeat,
            is_batch=request.by_batches,
        )
    output.show(estimate, estimate_lines(estimate), as_json=as_json)


def estimate_lines(estimate: RunEstimate) -> list[str]:
    """Return what judging is expected to take, in lines."""
    cost = "no price is known" if estimate.cost_usd is None else f"about {fmt.dollars(estimate.cost_usd)}"
    if estimate.cost_usd is not None and estimate.prices_as_of:
        cost += f" at prices of {estimate.prices_as_of}"
    before = f", {estimate.cached_answers:,} of them judged before" if estimate.cached_answers else ""
    lines = [f"{fmt.plural(estimate.answers, 'answer')} to judge by {estimate.judge}{before}"]
    lines.append(f"  called        {estimate.host or 'nothing: the judge needs no server'}")
    if estimate.host is not None:
        lines.append(f"  calls         about {estimate.calls:,}")
        lines.append(f"  tokens        about {estimate.prompt_tokens:,} in and {estimate.completion_tokens:,} out")
        lines.append(f"  cost          {cost}")
    if estimate.examined_answers:
        lines.append(f"  counted on    {fmt.plural(estimate.examined_answers, 'answer')}")
    return lines


def _report(store: Store, summaries: list[RunSummary], gates: Gates, baseline: Run | None, *, as_json: bool) -> None:
    first = summaries[0]
    troubles = [list_troubles(store, summary.run.run_id) for summary in summaries]
    for summary, trouble in zip(summaries[:1] if as_json else summaries, troubles, strict=False):
        print_run(summary, trouble, as_json=as_json)
    _say_noise_and_alerts(store, first.run)
    outcome = check_gates(store, first, gates, baseline=baseline)
    for note in outcome.notes:
        output.say(f"note: {note}")
    pending = sum(summary.states[State.PENDING] for summary in summaries)
    # A run whose end could not be stored counts as running.
    ended = all(summary.run.status in (RunStatus.COMPLETE, RunStatus.CANCELLED) for summary in summaries)
    if pending or not ended:
        left = f"{fmt.plural(pending, 'row')} pending; `faithview resume {first.run.run_id}` continues it."
        output.say(f"faithview: stopped with {left}")
    if outcome.failures:
        output.say(f"faithview: {'; '.join(outcome.failures)}.")
        raise typer.Exit(CHECK_FAILED)
    # What ended it early is stored with it and was said.
    if pending or not ended:
        raise typer.Exit(INCOMPLETE)
    for summary, trouble in zip(summaries, troubles, strict=True):
        if trouble.errors:
            for line in error_lines(trouble) if as_json else ():  # else they are among the figures
                output.say(line)
            words = failed_words(trouble.failed, summary.rows, len(trouble.errors))
            output.say(f"faithview: {words}; {retry_words(first.run.run_id)}.")
            raise typer.Exit(INCOMPLETE)


def _say_noise_and_alerts(store: Store, run: Run) -> None:
    noise = repeat_noise(store, run)
    if noise is not None:
        output.say(f"noise: {noise_line(noise)}")
    for alert in list_alerts(store.db, run_id=run.run_id):
        output.say(f"alert: {alert.message}" + (f" {alert.post_error}" if alert.post_error else ""))
