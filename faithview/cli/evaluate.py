"""`faithview evaluate`, `resume` and `rejudge`: a run over a file; with `--estimate`, its expected cost."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED, INCOMPLETE
from faithview.cli.judging import judge_all_with_progress, store_runs
from faithview.cli.options import (
    BaselineOption,
    CascadeShareOption,
    CompanionsOption,
    ConcurrencyOption,
    DbOption,
    Engine,
    EngineOption,
    FailOnRegressionOption,
    FailUnderOption,
    JsonOption,
    JudgeOption,
    JudgeOptionsOption,
    KbVersionOption,
    LogFormatOption,
    LogLevelOption,
    MaxCallsOption,
    MaxCostOption,
    MethodOption,
    MinCoverageOption,
    PollOption,
    PromptOption,
    RayAddressOption,
    RayGpusOption,
    RayWorkersOption,
    RequireBaselineOption,
    SeriesOfRunOption,
    StrictnessOption,
    ThresholdOption,
    WorkersOption,
    cluster_of,
    has_store,
    judge_spec,
    open_store,
)
from faithview.cli.reading import (
    DateFormatOption,
    FileArgument,
    FormatOption,
    MapOption,
    PreviewOption,
    SegmentOption,
    Source,
    WithOption,
    answers_of,
    opened,
    print_preview,
    stem,
)
from faithview.cli.runs import error_lines, noise_line, print_run
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.run import DEFAULT_JUDGE, POLL_S, Run, RunStatus, RunSummary
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.runs.budget import Limits
from faithview.wording import numbers as fmt
from faithview.wording.findings import failed_words, retry_words

if TYPE_CHECKING:
    from faithview.documents.runs import RunEstimate
    from faithview.services.container import Store
    from faithview.services.gates import Gates
    from faithview.services.runs.create import RunRequest


def print_estimate(
    samples: Iterable[Sample], request: "RunRequest", *, db: str | None, repeat: int, as_json: bool
) -> None:
    """Print the expected calls and cost of judging these answers; judge and store nothing."""
    from faithview.services.runs.create import estimate_run

    with ExitStack() as stack:
        # An estimate creates no store.
        store = stack.enter_context(open_store(db)) if has_store(db) else None
        estimate = estimate_run(
            samples,
            request.judge,
            store=store,
            use_cache=request.use_cache,
            repeat=repeat,
            is_batch=request.by_batches,
        )
    output.print_json(estimate) if as_json else output.print_lines(estimate_lines(estimate))


def estimate_lines(estimate: "RunEstimate") -> list[str]:
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


def evaluate(
    file: FileArgument,
    format_name: FormatOption = None,
    others: WithOption = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The run's name (default: the file's).")
    ] = None,
    judge: JudgeOption = DEFAULT_JUDGE,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    prompt: PromptOption = None,
    companions: CompanionsOption = False,
    judge_option: JudgeOptionsOption = None,
    cascade_share: CascadeShareOption = None,
    mapping: MapOption = None,
    segment: SegmentOption = None,
    date_format: DateFormatOption = None,
    preview: PreviewOption = False,
    kb_version: KbVersionOption = None,
    kb: Annotated[
        Path | None,
        typer.Option(
            "--kb", metavar="FILE", help="A file with the knowledge base's chunks, to store under its version."
        ),
    ] = None,
    series: SeriesOfRunOption = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Judge only the first N usable rows.")] = None,
    concurrency: ConcurrencyOption = 8,
    workers: WorkersOption = 1,
    engine: EngineOption = Engine.LOCAL,
    ray_address: RayAddressOption = None,
    ray_workers: RayWorkersOption = None,
    ray_gpus: RayGpusOption = 0.0,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
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
    poll: PollOption = POLL_S,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print the expected calls and cost, and judge nothing.")
    ] = False,
    fail_under: FailUnderOption = None,
    min_coverage: MinCoverageOption = None,
    fail_on_regression: FailOnRegressionOption = False,
    baseline: BaselineOption = None,
    require_baseline: RequireBaselineOption = False,
    log_level: LogLevelOption = None,
    log_format: LogFormatOption = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge every answer of a file as one run."""
    from faithview.services.gates import Gates, find_baseline
    from faithview.services.knowledge.versions import save_knowledge_base
    from faithview.services.results import clean_name
    from faithview.services.runs.cluster import check_cluster
    from faithview.services.runs.create import RunRequest, check_judge

    gates = Gates(
        fail_under=fail_under,
        min_coverage=min_coverage,
        fail_on_regression=fail_on_regression,
        baseline=baseline,
        require_baseline=require_baseline,
    )
    if preview:
        with opened(
            file, format_name, mapping=mapping, segment=segment, date_format=date_format, others=others
        ) as table:
            print_preview(table, for_results=False, as_json=as_json)
        return
    cluster = cluster_of(engine, address=ray_address, workers=ray_workers, gpus=ray_gpus)
    # Before a large file is read: a mistyped judge is known at once.
    spec = judge_spec(
        judge,
        method,
        strictness=strictness,
        prompt=prompt,
        companions=companions,
        workers=workers,
        cascade_share=cascade_share,
        options=judge_option,
    )
    source = Source(
        file=file,
        mapping=mapping or [],
        segment=segment,
        limit=limit,
        kb=kb,
        kb_version=kb_version,
        format_name=format_name,
        date_format=date_format,
        others=others or (),
    )
    request = RunRequest(
        name=name or stem(file),
        judge=spec,
        threshold=threshold,
        source="standard input" if file.name == "-" else file.name,
        use_cache=not no_cache,
        by_batches=batch,
        series=None if series is None else clean_name(series, whose="series"),
    )
    with answers_of(source) as answers:
        request = replace(request, kb_version=answers.kb_version, rows_left_out=answers.check.report.problem_count)
        if estimate:
            print_estimate(answers.iterate(), request, db=db, repeat=repeat, as_json=as_json)
            return
        limits = _limits(max_calls, max_cost, batch=batch)
        if batch and repeat > 1:
            raise InvalidInput("Repeats cannot be judged in batches; leave --repeat or --batch out.")
        # Before the store is created: a wrong name must not leave an empty one behind.
        check_judge(request.judge, limits=limits, by_batches=batch)
        if cluster is not None:
            check_cluster(cluster, limits=limits, by_batches=batch)
        with open_store(db, begins=True) as store:
            baseline_run = find_baseline(store, gates)
            if kb is not None and answers.kb_version is not None:
                save_knowledge_base(store, answers.kb_version, answers.chunks, source=kb.name)
            runs = store_runs(store, answers, request, repeat=repeat)
            summaries = judge_all_with_progress(
                store, runs, concurrency=concurrency, limits=limits, poll_s=poll, cluster=cluster
            )
            _report(store, summaries, gates, limits=limits, baseline=baseline_run, as_json=as_json)


def resume(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")],
    retry: Annotated[bool, typer.Option("--retry-failed", help="Also judge failed answers again.")] = False,
    concurrency: ConcurrencyOption = 8,
    engine: EngineOption = Engine.LOCAL,
    ray_address: RayAddressOption = None,
    ray_workers: RayWorkersOption = None,
    ray_gpus: RayGpusOption = 0.0,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
    poll: PollOption = POLL_S,
    fail_under: FailUnderOption = None,
    min_coverage: MinCoverageOption = None,
    fail_on_regression: FailOnRegressionOption = False,
    baseline: BaselineOption = None,
    require_baseline: RequireBaselineOption = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Continue an interrupted or cancelled run and its repeats; judged rows are not judged again."""
    from faithview.services.gates import Gates, find_baseline
    from faithview.services.results import get_run, retry_failed
    from faithview.services.runs.create import check_judge, is_batch_run

    gates = Gates(
        fail_under=fail_under,
        min_coverage=min_coverage,
        fail_on_regression=fail_on_regression,
        baseline=baseline,
        require_baseline=require_baseline,
    )
    cluster = cluster_of(engine, address=ray_address, workers=ray_workers, gpus=ray_gpus)
    with open_store(db) as store:
        first = get_run(store, run)
        baseline_run = find_baseline(store, gates, run=first)
        limits = _limits(max_calls, max_cost, batch=is_batch_run(store, first))
        repeats = [get_run(store, repeat) for repeat in first.repeats]
        if retry:
            check_judge(first.judge, limits=limits)  # with nothing reset if the key is still missing
            retried = [retry_failed(store, again.run_id) for again in (first, *repeats)]
            output.say(f"{fmt.plural(sum(retried), 'failed answer')} to be judged again.")
            repeats = [get_run(store, again.run_id) for again in repeats]
        repeats = [r for r in repeats if r.status not in (RunStatus.COMPLETE, RunStatus.RUNNING)]
        summaries = judge_all_with_progress(
            store, [first, *repeats], concurrency=concurrency, limits=limits, poll_s=poll, cluster=cluster
        )
        _report(store, summaries, gates, limits=limits, baseline=baseline_run, as_json=as_json)


def rejudge(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")],
    judge: JudgeOption = DEFAULT_JUDGE,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    prompt: PromptOption = None,
    judge_option: JudgeOptionsOption = None,
    cascade_share: CascadeShareOption = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="The new run's name (default: the run's and the judge's)."),
    ] = None,
    series: Annotated[
        str | None, typer.Option("--series", metavar="NAME", help="The new run's series (default: the run's).")
    ] = None,
    concurrency: ConcurrencyOption = 8,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print the expected calls and cost, and judge nothing.")
    ] = False,
    fail_under: FailUnderOption = None,
    min_coverage: MinCoverageOption = None,
    fail_on_regression: FailOnRegressionOption = False,
    baseline: BaselineOption = None,
    require_baseline: RequireBaselineOption = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge the answers of a stored run with another judge, as a new run of its series."""
    from faithview.services.gates import Gates, find_baseline
    from faithview.services.results import clean_name, get_run
    from faithview.services.runs.create import RunRequest, iterate_samples, judge_again

    gates = Gates(
        fail_under=fail_under,
        min_coverage=min_coverage,
        fail_on_regression=fail_on_regression,
        baseline=baseline,
        require_baseline=require_baseline,
    )
    spec = judge_spec(
        judge, method, strictness=strictness, prompt=prompt, cascade_share=cascade_share, options=judge_option
    )
    new_series = None if series is None else clean_name(series, whose="series")
    limits = _limits(max_calls, max_cost, batch=False)
    with open_store(db) as store:
        first = get_run(store, run)
        if estimate:
            request = RunRequest(name=first.name, judge=spec)
            print_estimate(iterate_samples(store, first), request, db=db, repeat=1, as_json=as_json)
            return
        baseline_run = find_baseline(store, gates)
        again = judge_again(store, first, spec, name=name, series=new_series, limits=limits)
        summaries = judge_all_with_progress(store, [again], concurrency=concurrency, limits=limits, poll_s=POLL_S)
        _report(store, summaries, gates, limits=limits, baseline=baseline_run, as_json=as_json)


def _limits(max_calls: int | None, max_cost: float | None, *, batch: bool) -> Limits:
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    if batch and limits.are_set:
        raise InvalidInput(
            "A batch is submitted as a whole, so no budget can stop it; use --limit to judge fewer rows."
        )
    return limits


def _report(
    store: "Store",
    summaries: list[RunSummary],
    gates: "Gates",
    *,
    limits: Limits,
    baseline: Run | None,
    as_json: bool,
) -> None:
    from faithview.services.gates import check_gates
    from faithview.services.results import list_troubles

    first = summaries[0]
    troubles = [list_troubles(store, summary.run.run_id) for summary in summaries]
    if as_json:
        from faithview.documents.runs import RunDocument

        output.print_json(RunDocument.of(first, troubles=troubles[0]))
    else:
        for summary, trouble in zip(summaries, troubles, strict=True):
            print_run(summary, trouble)
    _say_noise_and_alerts(store, first.run)
    outcome = check_gates(store, first, gates, baseline=baseline)
    for note in outcome.notes:
        output.say(f"note: {note}")
    is_unfinished = _is_unfinished(summaries)
    if is_unfinished:
        output.say(f"faithview: {_why_pending(summaries, limits)}; `faithview resume {first.run.run_id}` continues it.")
    if outcome.failures:
        output.say(f"faithview: {'; '.join(outcome.failures)}.")
        raise typer.Exit(CHECK_FAILED)
    # What ended it early is stored with it and was said.
    if is_unfinished:
        raise typer.Exit(INCOMPLETE)
    failed = next((pair for pair in zip(summaries, troubles, strict=True) if pair[1].errors), None)
    if failed is not None:
        summary, trouble = failed
        for line in error_lines(trouble) if as_json else ():  # else they are among the figures
            output.say(line)
        words = failed_words(trouble.failed, summary.rows, len(trouble.errors))
        output.say(f"faithview: {words}; {retry_words(first.run.run_id)}.")
        raise typer.Exit(INCOMPLETE)


def _say_noise_and_alerts(store: "Store", run: Run) -> None:
    from faithview.services.comparison.judge_noise import repeat_noise
    from faithview.store.alerts import list_alerts

    noise = repeat_noise(store, run)
    if noise is not None:
        output.say(f"noise: {noise_line(noise)}")
    for alert in list_alerts(store.db, run_id=run.run_id):
        output.say(f"alert: {alert.message}" + (f" {alert.post_error}" if alert.post_error else ""))


def _is_unfinished(summaries: Sequence[RunSummary]) -> bool:
    """Return whether rows are pending or a run has not ended; a run whose end could not be stored counts as running."""
    return any(
        summary.states[State.PENDING] or summary.run.status not in (RunStatus.COMPLETE, RunStatus.CANCELLED)
        for summary in summaries
    )


def _why_pending(summaries: list[RunSummary], limits: Limits) -> str:
    """Return why the run stopped, and how many rows it left."""
    options = [
        name
        for name, limit in (("--max-calls", limits.max_calls), ("--max-cost", limits.max_cost))
        if limit is not None
    ]
    is_budget = options and any(summary.run.error for summary in summaries)
    stopped = f"stopped by {' or '.join(options)}" if is_budget else "stopped"
    waiting = [summary.states[State.PENDING] for summary in summaries]
    text = f"{stopped} with {fmt.plural(sum(waiting), 'row')} pending"
    repeats = sum(count > 0 for count in waiting[1:])
    return text if waiting[0] or not repeats else f"{text} in {fmt.plural(repeats, 'repeat')}"
