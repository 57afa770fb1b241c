"""`faithview watch`: judge what live applications log."""

import asyncio
import re
import signal
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import INCOMPLETE
from faithview.cli.options import (
    BudgetOptions,
    ConcurrencyOption,
    JsonOption,
    JudgeOptions,
    KbVersionOption,
    StoreOptions,
    ThresholdOption,
    command,
)
from faithview.documents.runs import RunFigures
from faithview.domain.errors import InvalidInput
from faithview.domain.live import KEEP_DAYS, WindowLength
from faithview.domain.retention import Retention, parse_days
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.container import Store
from faithview.services.live.watch import Round, Watch, WatchPlan, check_plan
from faithview.services.results import get_summary, list_troubles
from faithview.settings import RETENTION_VARIABLE, read_variable
from faithview.store.live import list_backlogs
from faithview.wording import numbers as fmt
from faithview.wording.live import round_words, sample_words
from faithview.wording.runs import deleted_words

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|)")
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST_S = 86_400.0


app = typer.Typer()


@command(app, "watch", "faithview watch --sample 0.05", "faithview watch --once --application support")
def watch(
    judge: JudgeOptions,
    budget: BudgetOptions,
    place: StoreOptions,
    application: Annotated[
        str | None,
        typer.Option(
            "--application", metavar="NAME", help="Judge only the answers of this application (default: all)."
        ),
    ] = None,
    sample: Annotated[
        float, typer.Option("--sample", metavar="SHARE", help="The share of the answers to judge; 0.05 is 5%.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="A different seed draws a different sample.")] = 0,
    window: Annotated[
        WindowLength, typer.Option("--window", help="Window length (UTC); each window becomes one run.")
    ] = WindowLength.DAY,
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="Time between two rounds: 30s, 5m or 1h.")
    ] = "30s",
    once: Annotated[bool, typer.Option("--once", help="Judge the waiting answers, then exit.")] = False,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    kb_version: KbVersionOption = None,
    series: Annotated[
        str | None, typer.Option("--series", metavar="NAME", help="The runs' series (default: the application's).")
    ] = None,
    concurrency: ConcurrencyOption = 8,
    keep_days: Annotated[
        int, typer.Option("--keep-days", min=0, help="After N days, delete the texts of answers that were not drawn.")
    ] = KEEP_DAYS,
    retention: Annotated[
        str | None,
        typer.Option(
            "--retention",
            metavar="TIME",
            envvar=RETENTION_VARIABLE,
            help="Delete all runs and logged texts after a time: 90d, 12h or 4w.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge the answers that live applications log, or a share of them, until you stop it."""
    every_s = _seconds(every)
    if retention is None or not retention.strip():
        read_variable(RETENTION_VARIABLE)  # an empty one would keep everything
    plan = WatchPlan(
        application=application,
        judge=judge.spec(),
        rate=sample,
        seed=seed,
        length=window,
        threshold=threshold,
        kb_version=kb_version,
        series=series,
        concurrency=concurrency,
        limits=budget.limits(),
        keep_days=keep_days,
        retention=None if retention is None else Retention(keep_days=parse_days(retention)),
    )
    check_plan(plan)  # before the store is created: a wrong name must not leave an empty one behind
    with place.open(begins=True) as store:
        total = asyncio.run(_watch(store, plan, every_s=None if once else every_s, as_json=as_json))
        if as_json:
            output.print_json(_document(store, plan, total))
        if total.is_spent:
            output.say("faithview: stopped by --max-calls or --max-cost; the next watch continues.")
        if total.is_spent or (once and total.failed):
            raise typer.Exit(INCOMPLETE)


async def _watch(store: Store, plan: WatchPlan, *, every_s: float | None, as_json: bool) -> Round:
    """Run the rounds and return what all of them did together."""
    total = Round()

    def on_round(done: Round) -> None:
        total.add(done)
        _say(store, plan, done, as_json=as_json, is_only=every_s is None)

    if every_s is not None:
        output.say(f"Watching {plan.application or 'all applications'}; Ctrl-C stops.")
    rounds = asyncio.create_task(Watch(store, plan).run(every_s=every_s, on_round=on_round))
    with suppress(NotImplementedError):  # on Windows, where Ctrl-C cancels what `asyncio.run` runs
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, rounds.cancel)
    try:
        await rounds
    except asyncio.CancelledError:
        output.say("faithview: stopped. The next watch judges the answers that were in progress.")
    total.backlogs = list_backlogs(store.db, application=plan.application)
    return total


def _say(store: Store, plan: WatchPlan, done: Round, *, as_json: bool, is_only: bool) -> None:
    """Print the results of a round, if there are any."""
    lines = []
    if done.taken or done.skipped or done.judged or is_only:
        waiting = sum(backlog.waiting for backlog in done.backlogs)
        words = round_words(done.taken, done.skipped, done.judged, done.failed, waiting, rate=plan.rate)
        lines.append(words if is_only else f"{datetime.now(UTC):%H:%M:%S} {words}")
    summaries = [get_summary(store, run_id) for run_id in done.run_ids]
    lines += [f"  {one.run.name}  {fmt.score(one.score)}  {sample_words(one) or ''}" for one in summaries]
    for line in lines:
        output.say(line) if as_json else output.print_lines([line])
    for old in done.retained:
        if not old.is_empty:
            words = deleted_words(len(old.runs), old.answers, old.logged)
            output.say(f"note: deleted {words}, which were older than the retention limit.")
    for run_id in done.busy:
        output.say(f"note: another process judges run {run_id}; the next round checks again.")
    for alert in done.alerts:
        output.say(f"alert: {alert.message}" + (f" {alert.post_error}" if alert.post_error else ""))


def _document(store: Store, plan: WatchPlan, total: Round) -> dict[str, object]:
    summaries = [get_summary(store, run_id) for run_id in total.run_ids]
    return {
        "judge": plan.judge.name,
        "sample_rate": plan.rate,
        "taken": total.taken,
        "skipped": total.skipped,
        "judged": total.judged,
        "failed": total.failed,
        "texts_removed": total.texts_removed,
        "runs_deleted": [run.run_id for old in total.retained for run in old.runs],
        "runs": [RunFigures.of(one, troubles=list_troubles(store, one.run.run_id)).to_dict() for one in summaries],
        "alerts": total.alerts,
        "busy": total.busy,
        "applications": total.backlogs,
    }


def _seconds(text: str) -> float:
    match = _DURATION.fullmatch(text.strip().lower())
    seconds = float(match[1]) * _SECONDS[match[2]] if match else 0.0
    if not 0 < seconds <= _LONGEST_S:
        raise InvalidInput(f"The time {text!r} cannot be read; write 30s, 5m or 1h, at most a day.")
    return seconds
