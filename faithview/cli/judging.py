"""Judging with a progress line, for the commands that start or resume a run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace

import typer

from faithview.cli import output
from faithview.cli.exit_codes import INCOMPLETE
from faithview.cli.options import SpeedOptions
from faithview.domain.errors import FaithViewError, RunConflict, StoreError
from faithview.domain.result import Result, Usage
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.services.container import Store
from faithview.services.results import get_progress, get_run, get_summary
from faithview.services.runs.budget import Limits
from faithview.services.runs.cluster import Cluster, disconnect
from faithview.services.runs.create import judge_here
from faithview.wording import numbers as fmt


def _judge_one(store: Store, run: Run, speed: SpeedOptions, limits: Limits) -> tuple[RunSummary, Usage]:
    """Judge a run's pending rows with a progress line; return the run's figures and the usage of this call.

    An error that ends a run which was begun is said and stored with the run.

    Raises:
        FaithViewError: the run could not begin; it stays as it was.
        typer.Exit: the store cannot be used any more, which was said.
    """
    before = get_progress(store, run.run_id)
    used = Usage()
    with output.progress(f"Judging {run.name}", before.total - before.done) as step:

        def on_judged(_position: int, result: Result) -> None:
            nonlocal used
            used += result.usage
            step(_usage_words(used))

        try:
            summary = judge_here(
                store,
                run,
                concurrency=speed.concurrency,
                limits=limits,
                poll_s=speed.poll,
                cluster=speed.cluster(),
                on_judged=on_judged,
            )
        except FaithViewError as error:
            stored = _find_stored(store, run, error)
            # The run and its judged answers are stored; the exit code for bad input would mean that nothing is.
            if isinstance(error, RunConflict) or stored.revision == run.revision:
                raise
            output.say(f"faithview: {' '.join(str(error).split())}")
            summary = get_summary(store, run.run_id)
    if used.llm_calls:
        output.say(_usage_words(used))
    elif used.cached_calls:
        output.say(f"No call was made: {used.cached_calls:,} were answered from earlier runs. --no-cache asks again.")
    if summary.run.status is RunStatus.CANCELLED and summary.run.error:
        output.say(f"note: {summary.run.name}: {summary.run.error}")
    return summary, used


def _usage_words(used: Usage) -> str:
    if not used.llm_calls and not used.cached_calls:
        return ""
    cost = "" if used.cost_usd is None else f" · {fmt.dollars(used.cost_usd)}"
    tokens = f"{used.prompt_tokens:,} + {used.completion_tokens:,} tokens"
    return f"{used.llm_calls:,} calls, {used.cached_calls:,} from the cache · {tokens}{cost}"


def _find_stored(store: Store, run: Run, error: FaithViewError) -> Run:
    """Return the run as it is stored after an error; where the store is away, say how to go on, and exit."""
    try:
        return get_run(store, run.run_id)
    except StoreError:
        # The run's figures are in the store, so there is nothing to print.
        text = f"{error} Judged answers are stored; `faithview resume {run.run_id}` then continues the run."
        output.say(f"faithview: {' '.join(text.split())}")
        raise typer.Exit(INCOMPLETE) from error


def judge_with_progress(store: Store, runs: list[Run], speed: SpeedOptions, limits: Limits) -> list[RunSummary]:
    """Judge a run and its repeats one after the other within one budget; those that do not fit stay pending.

    So do those that follow on a run that an error ended.
    """
    summaries = []
    with _connected(speed.cluster()):
        for run in runs:
            summary, spent = _judge_one(store, run, speed, limits)
            summaries.append(summary)
            if summary.run.status not in (RunStatus.COMPLETE, RunStatus.CANCELLED):  # its repeats would end alike
                summaries += [get_summary(store, left.run_id) for left in runs[len(summaries) :]]
                break
            limits = limits.less(spent)
    first = get_run(store, runs[0].run_id)  # it has repeats by now
    return [replace(summaries[0], run=first), *summaries[1:]]


@contextmanager
def _connected(cluster: Cluster | None) -> Iterator[None]:
    """Leave the cluster at the end; what Ray prints until then is kept out of standard output."""
    if cluster is None:
        yield
        return
    with redirect_stdout(sys.stderr):
        try:
            yield
        finally:
            disconnect()
