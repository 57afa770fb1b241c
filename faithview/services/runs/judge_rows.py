"""Judge the pending rows of a run, several at a time, and store each as soon as it is judged.

`batches` and `cluster` judge rows elsewhere, and read and store them as is done here.

The same texts are judged only once. Rows are grouped by them, and verdicts of earlier runs are reused for answers with
exactly the same texts and the same judge. The store is the cache, and only judges that are called over a network use
it, because the embedded judge is as fast as a look-up.

"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import TypeAlias

from faithview.domain.claim import Claim, Evidence
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.services.judge_catalogue import is_remote, wants_companions
from faithview.services.runs.budget import Spent
from faithview.services.runs.judge_answer import checked, judge_one
from faithview.services.runs.judge_preflight import PreflightJudge
from faithview.store import results, samples
from faithview.store.database import Database

Row = tuple[int, Sample]
JudgedRow = tuple[int, Sample, Result]
OnJudged: TypeAlias = Callable[[int, Result], None]
# Stores judged rows, and returns when they are stored.
Save: TypeAlias = Callable[[Sequence[JudgedRow]], Awaitable[None]]


def uses_cache(run: Run) -> bool:
    """Return whether the run reuses verdicts of earlier runs."""
    return run.use_cache and is_remote(run.judge)


def find_cached(db: Database, fingerprint: str, samples: Sequence[Sample]) -> list[Result | None]:
    """Return for each answer this judge's earlier result on the same texts, or None."""
    hashes = [sample.content_hash for sample in samples]
    known = results.find_judged(db, fingerprint=fingerprint, content_hashes=sorted(set(hashes)))
    # If a part of a result is missing, for example relevance metrics, the answer is judged again.
    whole = {content_hash: detail for content_hash, detail in known.items() if detail.result.is_whole}
    return [
        reuse_result(whole[content_hash].sample, whole[content_hash].result, sample) if content_hash in whole else None
        for content_hash, sample in zip(hashes, samples, strict=True)
    ]


def share_result(rows: Sequence[Row], result: Result) -> tuple[list[JudgedRow], Sequence[Row]]:
    """Give the result of the first of some rows with the same texts to all of them.

    Returns:
        The rows with their results, and the rows that are still to be judged: all but the first if its result cannot be
        reused, because it failed or a part is missing.
    """
    position, sample = rows[0]
    judged = [(position, sample, result)]
    if result.state is State.FAILED or not result.is_whole:
        return judged, rows[1:]
    return judged + [(other, twin, reuse_result(sample, result, twin)) for other, twin in rows[1:]], ()


def reuse_result(judged: Sample, result: Result, sample: Sample) -> Result:
    """Return the result of one answer for another with the same texts, whose chunks may have other ids.

    Its calls count as answered from the cache.
    """
    ids = dict(
        zip((chunk.chunk_id for chunk in judged.chunks), (chunk.chunk_id for chunk in sample.chunks), strict=True)
    )
    usage = result.usage
    return replace(
        result,
        claims=tuple(_with_ids(claim, ids) for claim in result.claims),
        metrics={_metric(name, ids): value for name, value in result.metrics.items()},
        usage=Usage(cached_calls=usage.llm_calls + usage.cached_calls),
        seconds=0.0,
    )


def _with_ids(claim: Claim, ids: Mapping[str, str]) -> Claim:
    return replace(
        claim,
        supporting_chunk_ids=tuple(ids[chunk_id] for chunk_id in claim.supporting_chunk_ids),
        evidence=tuple(
            Evidence(chunk_id=ids[item.chunk_id], quote=item.quote, span=item.span) for item in claim.evidence
        ),
    )


def _metric(name: str, ids: Mapping[str, str]) -> str:
    """Return a metric's name with the chunk's id in the other answer: "context_relevance[ID]"."""
    kind, bracket, rest = name.partition("[")
    chunk_id = rest.removesuffix("]")
    return f"{kind}[{ids[chunk_id]}]" if bracket and chunk_id in ids else name


# How many pending rows are grouped at a time, by their hashes, and how many groups are in memory with their texts.
_PAGE = 10_000
_LOADED = 50


async def pending_pages(db: Database, run: Run, *, limit: int | None = _PAGE) -> AsyncIterator[list[list[int]]]:
    """Yield the positions of the pending rows, grouped: rows with the same texts together if verdicts are reused.

    A page has `limit` rows, None for all.
    """
    by_text = uses_cache(run)
    after = 0
    while page := await asyncio.to_thread(samples.list_pending, db, run.run_id, after=after, limit=limit):
        groups: dict[object, list[int]] = {}
        for position, content_hash in page:
            groups.setdefault(content_hash if by_text else position, []).append(position)
        yield list(groups.values())
        after = page[-1][0]


async def load_groups(
    db: Database, run: Run, groups: Sequence[Sequence[int]]
) -> AsyncIterator[tuple[Sequence[Row], Result | None]]:
    """Yield the rows of each group, with the result of the first one if the verdict cache has it."""
    for first in range(0, len(groups), _LOADED):
        part = groups[first : first + _LOADED]
        found = await asyncio.to_thread(samples.load_samples, db, run.run_id, [row for group in part for row in group])
        rows = [[(position, found[position]) for position in group if position in found] for group in part]
        rows = [group for group in rows if group]  # the run may have been deleted
        known: list[Result | None] = [None] * len(rows)
        if uses_cache(run):
            known = await asyncio.to_thread(find_cached, db, run.fingerprint, [group[0][1] for group in rows])
        for group, result in zip(rows, known, strict=True):
            yield group, result


async def load_unknown(db: Database, run: Run, save: Save) -> list[Sequence[Row]]:
    """Save the pending rows that the verdict cache knows, and return all others, grouped by their texts."""
    unknown: list[Sequence[Row]] = []
    async for groups in pending_pages(db, run, limit=None):
        async for rows, known in load_groups(db, run, groups):
            if known is None:
                unknown.append(rows)
            else:
                await save(share_result(rows, checked(known, rows[0][1], threshold=run.threshold))[0])
    return unknown


async def judge_rows(db: Database, run: Run, judge: Judge, save: Save, *, concurrency: int, spent: Spent) -> None:
    """Judge the run's pending rows, `concurrency` answers at a time, and save each as soon as it is judged.

    Rows that the budget does not allow stay pending. Results of the cache cost nothing, so they are always stored.
    """
    with_companions = wants_companions(run.judge)
    judge = judge if run.preflight_of is None else PreflightJudge(judge, db, run.preflight_of)
    gate = asyncio.Semaphore(max(1, concurrency))

    async def judge_group(rows: Sequence[Row], known: Result | None) -> None:
        try:
            while rows:
                sample = rows[0][1]
                if known is not None:
                    result, known = checked(known, sample, threshold=run.threshold), None
                elif spent.allows_another():
                    result = await judge_one(judge, sample, threshold=run.threshold, with_companions=with_companions)
                    spent.add(result.usage)
                else:
                    return
                judged, rows = share_result(rows, result)
                await save(judged)
        finally:
            gate.release()

    async for groups in pending_pages(db, run):
        # A page is stored to its end before the next is read, so the verdict cache has its answers.
        async with asyncio.TaskGroup() as judging:
            async for rows, known in load_groups(db, run, groups):
                await gate.acquire()
                judging.create_task(judge_group(rows, known))


# How often a run records a heartbeat and checks whether it was cancelled.
_HEARTBEAT_S = 1.0
# The maximum number of rows in one transaction.
_BATCH = 200


class _Cancelled(Exception):
    """A user cancelled the run."""


class _Writer:
    """Stores the rows of a run that are judged side by side, each transaction all that were judged since the last."""

    def __init__(self, db: Database, run_id: str, worker: str, on_judged: OnJudged | None) -> None:
        self._store = partial(results.save_results, db, run_id, worker=worker)
        self._on_judged = on_judged
        self._waiting: list[JudgedRow] = []
        self._stored = 0
        self._turn = asyncio.Lock()
        self._last = perf_counter()

    async def save(self, rows: Sequence[JudgedRow]) -> None:
        """Store these rows, or only a heartbeat if there are none; raises RunConflict, or _Cancelled after storing."""
        self._waiting += rows
        end = self._stored + len(self._waiting)
        async with self._turn:
            while self._stored < end or not rows:
                await asyncio.sleep(0)  # rows that are ready join the transaction, which takes longer than a row
                batch = self._waiting[:_BATCH]
                seconds, self._last = perf_counter() - self._last, perf_counter()
                goes_on = await asyncio.to_thread(self._store, batch, now=datetime.now(UTC), seconds=seconds)
                del self._waiting[: len(batch)]
                self._stored += len(batch)
                for position, _, result in batch:
                    if self._on_judged is not None:
                        self._on_judged(position, result)
                if not goes_on:
                    raise _Cancelled
                if not rows:
                    return

    async def beat(self, over: asyncio.Event) -> None:
        """Record a heartbeat every second until judging is over, and then the last one."""
        while not over.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_HEARTBEAT_S):
                    await over.wait()
            await self.save(())


async def store_while_judging(
    db: Database,
    run_id: str,
    judge_all: Callable[[Save], Awaitable[None]],
    *,
    worker: str,
    on_judged: OnJudged | None,
) -> bool:
    """Let `judge_all` save rows, and record a heartbeat every second; return False if a user cancelled the run.

    Raises:
        RunConflict: another process took over the run.
    """
    writer, over = _Writer(db, run_id, worker, on_judged), asyncio.Event()
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(writer.beat(over))
            await judge_all(writer.save)
            over.set()
    except ExceptionGroup as errors:
        error: Exception = errors
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, _Cancelled):
            return False
        raise error from None
    return True
