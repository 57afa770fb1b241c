"""The rows of a run, judged concurrently: tasks put judged rows into a queue, and one writer stores them.

`cluster` uses the same queue and writer for rows that are judged on other machines.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import TypeAlias

from faithview.domain.result import Result
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.services.judge_catalogue import wants_companions
from faithview.services.runs.budget import Budget, BudgetSpent
from faithview.services.runs.in_flight import InFlightDuplicates, JudgedRow
from faithview.services.runs.judge_answer import checked, judge_one
from faithview.services.runs.pending import PAGE, pending_rows
from faithview.services.runs.vendor_batches import OnJudged
from faithview.services.runs.verdict_cache import uses_cache
from faithview.store.database import Database
from faithview.store.runs import results

# Judged rows on their way to the writer; None is the end.
DoneRows: TypeAlias = asyncio.Queue[JudgedRow | None]

# At most so many judged rows are written in one transaction.
_BATCH = 50
# How often a run that has nothing to write says that it is alive and asks whether it was cancelled.
_HEARTBEAT_S = 1.0
# How long a judged row waits for others to be written with it: a transaction takes longer than the row in it.
_GATHER_S = 0.03


async def judge_rows(
    db: Database,
    run: Run,
    judge: Judge,
    *,
    worker: str,
    concurrency: int,
    budget: Budget | None,
    on_judged: OnJudged | None,
) -> bool:
    """Judge and store the run's pending rows; return False if the run was cancelled."""
    rows = _Rows(db, run, concurrency=concurrency)
    judge_row = _row_judge(run, judge, budget)

    async def judge_next(done: DoneRows) -> None:
        while (row := await rows.next()) is not None:
            position, sample, known = row
            if known is not None:
                await done.put((position, sample, checked(known, sample, threshold=run.threshold)))
            else:
                result = await judge_row(sample)
                if result is not None:
                    await done.put((position, sample, result))
                for duplicate in rows.end(sample, result):
                    await done.put(duplicate)
            await asyncio.sleep(0)  # lets the writer run, even if the judge never waits

    async def judge_all(done: DoneRows) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, concurrency)):
                    group.create_task(judge_next(done))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    return await store_while_judging(db, run.run_id, judge_all, worker=worker, on_judged=on_judged)


class _Rows:
    """The run's pending rows, for several tasks at a time; where the cache is used, one of those with equal texts."""

    def __init__(self, db: Database, run: Run, *, concurrency: int) -> None:
        self._pending = pending_rows(db, run)
        self._reading = asyncio.Lock()
        # A judged row may not be stored yet (in the queue, or about to be), or was stored after its page had been read.
        remembered = 3 * _BATCH + PAGE + concurrency
        self._duplicates = InFlightDuplicates(remembered=remembered) if uses_cache(run) else None

    async def next(self) -> tuple[int, Sample, Result | None] | None:
        """Return the next row with its result if it is known, None at the end; `end` is told how it was judged."""
        if self._duplicates is None:
            return await self._read()
        while True:
            released = self._duplicates.next_released()
            row = await self._read() if released is None else (*released, None)
            if row is None:
                return None
            position, sample, known = row
            known = known or self._duplicates.find(sample)
            if known is not None or not self._duplicates.waits(position, sample):
                return position, sample, known

    async def _read(self) -> tuple[int, Sample, Result | None] | None:
        async with self._reading:
            return await anext(self._pending, None)

    def end(self, sample: Sample, result: Result | None) -> list[JudgedRow]:
        """Note the result of a row, None where it was not judged; return the rows that have the same result."""
        return [] if self._duplicates is None else self._duplicates.end(sample, result)


async def store_while_judging(
    db: Database,
    run_id: str,
    judge_all: Callable[[DoneRows], Awaitable[None]],
    *,
    worker: str,
    on_judged: OnJudged | None,
) -> bool:
    """Store the rows that `judge_all` puts into a queue; return False if the run was cancelled.

    The queue is bounded, so judging waits for the disk.
    """
    done: DoneRows = asyncio.Queue(maxsize=_BATCH * 2)

    async def judge_to_the_end() -> None:
        try:
            await judge_all(done)
        except Exception:
            await done.put(None)  # else the writer would wait forever
            raise
        await done.put(None)

    judging = asyncio.create_task(judge_to_the_end())
    try:
        goes_on = await _write(db, run_id, done, worker=worker, on_judged=on_judged)
        if goes_on:
            await judging
        return goes_on
    finally:
        judging.cancel()
        # Wait for it to end, so that nothing uses the judge after it is closed. Its error, if any, was raised by the
        # `await` above.
        await asyncio.gather(judging, return_exceptions=True)


def _row_judge(run: Run, judge: Judge, budget: Budget | None) -> Callable[[Sample], Awaitable[Result | None]]:
    """Return a function that judges one row; it returns None if the budget does not allow it.

    Later rows are tried all the same: their results may be in the cache, and those cost nothing.
    """
    with_companions = wants_companions(run.judge)

    async def judge_freely(sample: Sample) -> Result | None:
        return await judge_one(judge, sample, threshold=run.threshold, with_companions=with_companions)

    async def judge_within(limits: Budget, sample: Sample) -> Result | None:
        try:
            async with limits.allow(sample) as allowance:
                limited = allowance.limit(judge)
                result = await judge_one(limited, sample, threshold=run.threshold, with_companions=with_companions)
                allowance.settle(judge, result.usage)
                return result
        except BudgetSpent:
            return None

    return judge_freely if budget is None else partial(judge_within, budget)


async def _write(
    db: Database,
    run_id: str,
    done: DoneRows,
    *,
    worker: str,
    on_judged: OnJudged | None,
) -> bool:
    """Store the rows from the queue until None comes; return False as soon as the run is cancelled."""
    is_over = False
    last = perf_counter()
    while not is_over:
        batch, is_over = await _next_batch(done)
        now = perf_counter()
        goes_on = await asyncio.to_thread(
            results.save_results, db, run_id, batch, worker=worker, now=datetime.now(UTC), seconds=now - last
        )
        last = now
        for position, _, result in batch:
            if on_judged is not None:
                on_judged(position, result)
        if not goes_on:
            return False
    return True


async def _next_batch(done: DoneRows) -> tuple[list[JudgedRow], bool]:
    """Wait for a row, at most one heartbeat, and take the rows that follow soon; the flag says that None came."""
    batch: list[JudgedRow] = []
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
