"""Judge the rows of a run concurrently: tasks put judged rows into a queue, and one writer stores them.

`cluster` uses the same queue and writer for rows that are judged on other machines.

The same texts are judged only once. Verdicts of earlier runs are reused for answers with exactly the same texts and the
same judge. The store is the cache, and only judges that are called over a network use it, because the embedded judge is
as fast as a look-up. Files often contain the same row twice, and a row that is being judged is not in the store yet, so
one of them is judged and the others wait for its result.

"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter
from typing import TypeAlias

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Claim, Evidence
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.services.judge_catalogue import is_remote, wants_companions
from faithview.services.runs.budget import Spent
from faithview.services.runs.intake import check_read_on
from faithview.services.runs.judge_answer import checked, judge_one
from faithview.services.runs.judge_preflight import PreflightJudge
from faithview.store import results, samples
from faithview.store.database import Database
from faithview.store.intake_marks import find_intake

# Databases limit the number of values in a statement.
_MOST_HASHES = 500


def uses_cache(run: Run) -> bool:
    """Return whether the run reuses verdicts of earlier runs."""
    return run.use_cache and is_remote(run.judge)


def find_cached(db: Database, fingerprint: str, samples: Sequence[Sample]) -> list[Result | None]:
    """Return for each answer this judge's earlier result on the same texts, or None."""
    hashes = [sample.content_hash for sample in samples]
    known: dict[str, AnswerDetail] = {}
    wanted = sorted(set(hashes))
    for first in range(0, len(wanted), _MOST_HASHES):
        part = wanted[first : first + _MOST_HASHES]
        known |= results.find_judged(db, fingerprint=fingerprint, content_hashes=part)
    # If a part of a result is missing, for example relevance metrics, the answer is judged again.
    whole = {content_hash: detail for content_hash, detail in known.items() if detail.result.is_whole}
    return [
        reuse_result(whole[content_hash].sample, whole[content_hash].result, sample) if content_hash in whole else None
        for content_hash, sample in zip(hashes, samples, strict=True)
    ]


def is_reusable(result: Result) -> bool:
    """Return whether the result can be reused: failed and incomplete results are judged again."""
    return result.state not in (State.FAILED, State.PENDING) and result.is_whole


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


# How many rows are read at a time.
PAGE = 200
# How long to wait for rows of a file that another process or thread is still reading.
_WAIT_S = 0.3


async def pending_rows(db: Database, run: Run) -> AsyncIterator[tuple[int, Sample, Result | None]]:
    """Yield position and sample of every pending row, in order, with its result if the verdict cache has one.

    While the run's file is still being read, it waits for more rows.

    Raises:
        UnreadableFile: at the end, if the reader of the file stopped early.
    """
    has_cache = uses_cache(run)
    after = 0
    is_whole = False
    while True:
        # Checked before the page is read, because the last rows may be stored in between.
        intake = None if is_whole else await asyncio.to_thread(find_intake, db, run.run_id)
        is_whole = intake is None
        page = await asyncio.to_thread(samples.list_pending, db, run.run_id, after=after, limit=PAGE)
        if not page:
            if intake is None:
                return
            check_read_on(intake)
            await asyncio.sleep(_WAIT_S)
            continue
        cached: list[Result | None] = [None] * len(page)
        if has_cache:
            cached = await asyncio.to_thread(find_cached, db, run.fingerprint, [sample for _, sample in page])
        for (position, sample), known in zip(page, cached, strict=True):
            yield position, sample, known
        after = page[-1][0]


Row = tuple[int, Sample]
JudgedRow = tuple[int, Sample, Result]
OnJudged: TypeAlias = Callable[[int, Result], None]


class InFlightDuplicates:
    """The texts that are being judged or were judged recently. Used from one event loop.

    `remembered` is how many results are kept: at least as many as may be judged but not stored, or stored after the
    pending rows were read.
    """

    def __init__(self, *, remembered: int = 0) -> None:
        self._remembered = remembered
        self._judged: OrderedDict[str, tuple[Sample, Result]] = OrderedDict()
        self._waiting: dict[str, list[Row]] = {}
        self._released: deque[Row] = deque()

    def find(self, sample: Sample) -> Result | None:
        """Return the remembered result of a row with the same texts, or None."""
        known = self._judged.get(sample.content_hash)
        return None if known is None else reuse_result(*known, sample)

    def waits(self, position: int, sample: Sample) -> bool:
        """Return True if a row with the same texts is being judged, so this row waits; otherwise this row is judged."""
        waiting = self._waiting.get(sample.content_hash)
        if waiting is None:
            self._waiting[sample.content_hash] = []
            return False
        waiting.append((position, sample))
        return True

    def end(self, sample: Sample, result: Result | None) -> list[JudgedRow]:
        """Record the result of a judged row; return the rows that waited for it, with their results.

        If the result cannot be reused (None, a failure), these rows must be judged too: see `next_released`.
        """
        waiting = self._waiting.pop(sample.content_hash, [])
        if result is None or not is_reusable(result):
            self._released.extend(waiting)
            return []
        self._judged[sample.content_hash] = (sample, result)
        if len(self._judged) > self._remembered:
            self._judged.popitem(last=False)
        return [(position, duplicate, reuse_result(sample, result, duplicate)) for position, duplicate in waiting]

    def next_released(self) -> Row | None:
        """Return a row whose duplicate had no reusable result, or None."""
        return self._released.popleft() if self._released else None


# Judged rows for the writer; None marks the end.
DoneRows: TypeAlias = asyncio.Queue[JudgedRow | None]

# The maximum number of judged rows in one transaction.
_BATCH = 50
# How often an idle run records a heartbeat and checks whether it was cancelled.
_HEARTBEAT_S = 1.0
# How long a judged row waits to be written with others, because a transaction takes longer than a row.
_GATHER_S = 0.03


async def judge_rows(
    db: Database,
    run: Run,
    judge: Judge,
    *,
    worker: str,
    concurrency: int,
    spent: Spent,
    on_judged: OnJudged | None,
) -> bool:
    """Judge and store the run's pending rows; return False if the run was cancelled."""
    rows = _Rows(db, run, concurrency=concurrency)
    judge_row = _row_judge(db, run, judge, spent)

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
    """The run's pending rows, for several tasks at a time; with the cache, one row per group of equal texts."""

    def __init__(self, db: Database, run: Run, *, concurrency: int) -> None:
        self._pending = pending_rows(db, run)
        self._reading = asyncio.Lock()
        # A judged row may not be stored yet, or may have been stored after its page was read.
        remembered = 3 * _BATCH + PAGE + concurrency
        self._duplicates = InFlightDuplicates(remembered=remembered) if uses_cache(run) else None

    async def next(self) -> tuple[int, Sample, Result | None] | None:
        """Return the next row, with its result if known, None at the end; pass its result to `end`."""
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
        """Record the result of a row, None if it was not judged; return the rows that have the same result."""
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
            await done.put(None)  # otherwise the writer would wait forever
            raise
        await done.put(None)

    judging = asyncio.create_task(judge_to_the_end())
    try:
        goes_on = await _store_queued_rows(db, run_id, done, worker=worker, on_judged=on_judged)
        if goes_on:
            await judging
        return goes_on
    finally:
        judging.cancel()
        # Wait for its end, so the judge is not used after it is closed. Its error, if any, was raised by the
        # `await` above.
        await asyncio.gather(judging, return_exceptions=True)


def _row_judge(db: Database, run: Run, judge: Judge, spent: Spent) -> Callable[[Sample], Awaitable[Result | None]]:
    """Return a function that judges one row; it returns None if the budget does not allow it.

    Later rows are still tried: their results may be in the cache, which costs nothing.
    """
    with_companions = wants_companions(run.judge)
    judge = judge if run.preflight_of is None else PreflightJudge(judge, db, run.preflight_of)

    async def judge_row(sample: Sample) -> Result | None:
        if not spent.allows_another():
            return None
        result = await judge_one(judge, sample, threshold=run.threshold, with_companions=with_companions)
        spent.add(result.usage)
        return result

    return judge_row


async def _store_queued_rows(
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
    """Wait for a row, at most one heartbeat, and take the rows that follow soon; the flag says whether None came."""
    batch: list[JudgedRow] = []
    try:
        # Not `wait_for`, which before Python 3.12 loses a cancel that arrives together with an item.
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
