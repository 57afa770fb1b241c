"""The async core that judges a run: used by the command line, the dashboard's worker and the Python API alike."""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from time import perf_counter

from faithview.domain.errors import FaithViewError, RunConflict
from faithview.domain.result import Result
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.registry import create_judge
from faithview.services.container import Services
from faithview.services.judge_catalogue import answers_at_a_time, to_build, wants_companions
from faithview.services.monitoring.alerts import evaluate_alerts
from faithview.services.review.carry_over import carry_labels
from faithview.services.runs.budget import NO_LIMITS, Budget, BudgetSpent, Limits, check_limits
from faithview.services.runs.in_flight import Twins
from faithview.services.runs.judge_answer import checked, judge_one
from faithview.services.runs.vendor_batches import POLL_S, OnJudged, judge_by_batches
from faithview.services.runs.verdict_cache import find_cached, uses_cache
from faithview.store.database import Database
from faithview.store.runs import batches, results, runs, samples, summaries

# How many pending rows are read at a time, and how many judged ones are written in one transaction at most.
_PAGE = 200
_BATCH = 50
# How often a run that has nothing to write says that it is alive and asks whether it was cancelled.
_HEARTBEAT_S = 1.0
# How long a judged row waits for others to be written with it: a transaction takes longer than the row in it.
_GATHER_S = 0.03


_Judged = tuple[int, Sample, Result]


async def judge_run(
    db: Database,
    run: Run,
    *,
    concurrency: int = 8,
    limits: Limits = NO_LIMITS,
    poll_s: float = POLL_S,
    on_judged: OnJudged | None = None,
) -> RunStatus:
    """Judge every pending row of the run and store each as it is done; rows with an outcome are left alone.

    Whatever ends this early (cancel, an error, a kill) leaves a run that can be taken up again here and that ends with
    the same result, because rows are independent and judged ones are committed.

    Args:
        db: the store.
        run: the run, with all its rows stored.
        concurrency: how many answers are with the judge at a time, at least 1.
        limits: the most that this go at the run may spend; a run that is judged by batches has none.
        poll_s: seconds between two questions whether a batch is done.
        on_judged: called with (position, result) after the row was stored.

    Returns:
        COMPLETE, or CANCELLED if somebody asked for it or the limits were reached; the run's error text says which.

    Raises:
        JudgeUnavailable: the judge cannot be built; the run stays as it was.
        InvalidInput: the limits cannot be kept with this judge; the run stays as it was.
        RunConflict: another process is at it or took it over, or the judge is not the one that the run began with.
    """
    judge = create_judge(to_build(run.judge, concurrency=concurrency))
    concurrency = answers_at_a_time(run.judge, concurrency)
    budget = Budget(limits, judge) if limits.are_set else None
    if judge.fingerprint != run.fingerprint:
        await judge.aclose()
        raise RunConflict(
            f"Run {run.run_id} was begun with judge {run.fingerprint}, which is {judge.fingerprint} by now; verdicts "
            "of both in one run could not be compared. Judge the file again as a new run, or go back to that judge."
        )
    worker = _worker_token()
    try:
        check_limits(judge, limits)
        _release_if_dead(db, run.run_id)
        runs.take_run(db, run.run_id, worker=worker, now=_now())
    except BaseException:
        await judge.aclose()
        raise
    try:
        if batches.find_state(db, run.run_id) is not None:
            goes_on = await judge_by_batches(db, run, judge, worker=worker, poll_s=poll_s, on_judged=on_judged)
        else:
            goes_on = await _judge_rows(
                db, run, judge, worker=worker, concurrency=concurrency, budget=budget, on_judged=on_judged
            )
    except asyncio.CancelledError:
        # Ctrl-C or shutdown: give the run back at once, so that it shows as interrupted and can be resumed.
        runs.release_dead_worker(db, run.run_id, worker=worker)
        raise
    except RunConflict:
        raise
    except Exception as error:
        text = str(error) if isinstance(error, FaithViewError) else f"{type(error).__name__}: {error}"
        with suppress(Exception):  # the store may be what failed; the error that counts is the first one
            runs.finish_run(db, run.run_id, worker=worker, status=RunStatus.FAILED, now=_now(), error=text)
        raise
    finally:
        await judge.aclose()
    reason = budget.reason if budget is not None else None
    status = RunStatus.COMPLETE if goes_on and reason is None else RunStatus.CANCELLED
    runs.finish_run(db, run.run_id, worker=worker, status=status, now=_now(), error=reason)
    summaries.keep_summary(db, run)
    if status is RunStatus.COMPLETE:
        carry_labels(db, run.run_id)
        # Here, where every run ends, whoever judges it; a webhook that is slow to answer keeps nobody else waiting.
        await asyncio.to_thread(evaluate_alerts, Services(db), run)
    return status


async def _judge_rows(
    db: Database,
    run: Run,
    judge: Judge,
    *,
    worker: str,
    concurrency: int,
    budget: Budget | None,
    on_judged: OnJudged | None,
) -> bool:
    """Judge and store; return False if the run was cancelled. The queue is bounded: judging waits for the disk."""
    done: asyncio.Queue[_Judged | None] = asyncio.Queue(maxsize=_BATCH * 2)
    rows = _pending_rows(db, run)
    reading = asyncio.Lock()
    judge_row = _row_judge(run, judge, budget)
    # Judged rows that are not stored yet are in the queue or about to be put there; a page may be as old as itself.
    twins = Twins(remembered=3 * _BATCH + _PAGE + concurrency) if uses_cache(run) else None

    async def next_row() -> tuple[int, Sample, Result | None] | None:
        if twins is not None and (left := twins.next_left()) is not None:
            return (*left, None)
        async with reading:
            return await anext(rows, None)

    async def judge_next() -> None:
        while (row := await next_row()) is not None:
            position, sample, known = row
            if known is None and twins is not None:
                known = twins.find(sample)
                if known is None and twins.waits(position, sample):
                    continue
            result = await judge_row(sample) if known is None else checked(known, sample, threshold=run.threshold)
            if result is not None:
                await done.put((position, sample, result))
            if known is None and twins is not None:
                for twin in twins.end(sample, result):
                    await done.put(twin)
            await asyncio.sleep(0)  # a judge that never waits would keep the writer from its turn

    async def judge_all() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, concurrency)):
                    group.create_task(judge_next())
        except ExceptionGroup as errors:
            await done.put(None)  # else the writer would wait for ever
            raise errors.exceptions[0] from None
        await done.put(None)

    judging = asyncio.create_task(judge_all())
    try:
        goes_on = await _write(db, run.run_id, done, worker=worker, on_judged=on_judged)
        if goes_on:
            await judging
        return goes_on
    finally:
        judging.cancel()
        # Wait for it to end, so that nothing uses the judge after it is closed; its error, if it had one, has reached
        # the writer's caller through the `await` above.
        await asyncio.gather(judging, return_exceptions=True)


def _row_judge(run: Run, judge: Judge, budget: Budget | None) -> Callable[[Sample], Awaitable[Result | None]]:
    """Return what judges one row; its result is None where the budget does not allow for it.

    The rows behind such a one are tried all the same: they may be known already, and those cost nothing.
    """
    with_companions = wants_companions(run.judge)

    async def freely(sample: Sample) -> Result | None:
        return await judge_one(judge, sample, threshold=run.threshold, with_companions=with_companions)

    async def within(limits: Budget, sample: Sample) -> Result | None:
        try:
            async with limits.allow(sample) as allowance:
                counted = allowance.judge_with(judge)
                result = await judge_one(counted, sample, threshold=run.threshold, with_companions=with_companions)
                allowance.settle(judge, result.usage)
                return result
        except BudgetSpent:
            return None

    return freely if budget is None else partial(within, budget)


async def _write(
    db: Database,
    run_id: str,
    done: asyncio.Queue[_Judged | None],
    *,
    worker: str,
    on_judged: OnJudged | None,
) -> bool:
    """Store what comes out of the queue until None does; return False as soon as the run was cancelled."""
    is_over = False
    last = perf_counter()
    while not is_over:
        batch, is_over = await _next_batch(done)
        now = perf_counter()
        goes_on = await asyncio.to_thread(
            results.save_results, db, run_id, batch, worker=worker, now=_now(), seconds=now - last
        )
        last = now
        for position, _, result in batch:
            if on_judged is not None:
                on_judged(position, result)
        if not goes_on:
            return False
    return True


async def _next_batch(done: asyncio.Queue[_Judged | None]) -> tuple[list[_Judged], bool]:
    """Wait for a row, at most one heartbeat, and take with it what comes soon; the flag says that None came."""
    batch: list[_Judged] = []
    try:
        # Not `wait_for`, which until Python 3.12 swallows a cancel that comes together with an item.
        async with asyncio.timeout(_HEARTBEAT_S):
            item = await done.get()
    except TimeoutError:
        return batch, False
    until = asyncio.get_running_loop().time() + _GATHER_S
    while item is not None:
        batch.append(item)
        if len(batch) >= _BATCH:
            return batch, False
        try:
            async with asyncio.timeout_at(until):
                item = await done.get()
        except TimeoutError:
            return batch, False
    return batch, True


async def _pending_rows(db: Database, run: Run) -> AsyncIterator[tuple[int, Sample, Result | None]]:
    """Yield position and sample of every pending row, with its result where the verdict cache has one."""
    has_cache = uses_cache(run)
    after = 0
    while page := await asyncio.to_thread(samples.list_pending, db, run.run_id, after=after, limit=_PAGE):
        cached: list[Result | None] = [None] * len(page)
        if has_cache:
            cached = await asyncio.to_thread(find_cached, db, run.fingerprint, [sample for _, sample in page])
        for (position, sample), known in zip(page, cached, strict=True):
            yield position, sample, known
        after = page[-1][0]


def _worker_token() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def _release_if_dead(db: Database, run_id: str) -> None:
    """Take the run from a worker whose process on this machine is gone, so that nobody has to wait for its lease."""
    worker = runs.find_worker(db, run_id)
    if worker is None:
        return
    host, _, rest = worker.partition(":")
    pid = int(rest.partition(":")[0])
    if host == socket.gethostname() and not _is_running(pid):
        runs.release_dead_worker(db, run_id, worker=worker)


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # signal 0 would end the process there; the lease decides instead
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _now() -> datetime:
    return datetime.now(UTC)
