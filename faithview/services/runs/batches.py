"""A run judged with the vendor's batches: submit, poll until it is done, collect; can be resumed after a restart."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsBatches
from faithview.services.runs.judge_answer import checked
from faithview.services.runs.judge_rows import JudgedRow, OnJudged, Row, load_groups, pending_pages, share_result
from faithview.store import results, runs
from faithview.store.database import Database

_log = logging.getLogger(__name__)

_HEARTBEAT_S = 1.0
# The maximum number of rows in one transaction.
_SAVED_AT_ONCE = 200
# A batch takes hours; a few failed polls in a row are not an error.
_MOST_FAILURES = 5


def begin_batches(judge: Judge) -> str:
    """Return the state of a batch run before its first batch.

    Raises:
        InvalidInput: the judge does not support batches.
    """
    if not isinstance(judge, SupportsBatches) or judge.batch_client is None:
        raise InvalidInput(f"Judge {judge.name!r} cannot judge by batches; leave --batch out.")
    from faithview.judges.llm.batch import new_state

    return new_state(judge).to_json()


async def judge_by_batches(
    db: Database, run: Run, judge: Judge, *, worker: str, poll_s: float, on_judged: OnJudged | None
) -> bool:
    """Judge every pending row of the run; return False if the run was cancelled.

    Raises:
        JudgeFailed: a batch could not be submitted, or the vendor did not answer for a long time. The batch's id is
            stored, so the run can be resumed.
        RunConflict: another process took over the run.
    """
    from faithview.judges.llm.batch import BatchState, advance

    stored = runs.find_batch_state(db, run.run_id)
    if stored is None or not isinstance(judge, SupportsBatches):
        raise InvalidInput(f"Run {run.run_id} is not judged by batches.")
    state = BatchState.from_json(stored)
    rows = _Rows(db, run, worker, on_judged)
    async with heartbeat(db, run.run_id, worker) as is_over:
        await rows.load()
        failures = 0
        while rows.are_pending and not is_over():
            try:
                progress = await advance(judge, state, rows.to_ask(), keep=rows.save)
            except JudgeFailed as error:
                failures += 1
                if state.batch_id is None or failures >= _MOST_FAILURES:
                    raise
                _log.warning(
                    "The state of batch %s of run %s could not be fetched: %s", state.batch_id, run.run_id, error
                )
            else:
                failures = 0
                state = progress.state
                await asyncio.to_thread(runs.save_batch_state, db, run.run_id, state.to_json())
            await _wait(poll_s if rows.are_pending else 0.0, is_over)
        return not is_over()


class _Rows:
    """The pending rows of the run, in groups with the same texts: chooses those to judge, and stores their results."""

    def __init__(self, db: Database, run: Run, worker: str, on_judged: OnJudged | None) -> None:
        self._db = db
        self._run = run
        self._worker = worker
        self._on_judged = on_judged
        self._groups: list[Sequence[Row]] = []

    @property
    def are_pending(self) -> bool:
        """Whether any row lacks a result."""
        return bool(self._groups)

    async def load(self) -> None:
        """Read the pending rows, and store the results that the verdict cache has for them."""
        async for groups in pending_pages(self._db, self._run, limit=None):
            async for rows, known in load_groups(self._db, self._run, groups):
                if known is None:
                    self._groups.append(rows)
                else:
                    await self._store(share_result(rows, self._checked(known, rows[0][1]))[0])

    def to_ask(self) -> list[Sample]:
        """Return the rows to judge: one of each group."""
        return [rows[0][1] for rows in self._groups]

    async def save(self, by_key: Mapping[str, Result]) -> None:
        """Store results by the rows' keys, together with those of rows with the same texts."""
        judged: list[JudgedRow] = []
        left: list[Sequence[Row]] = []
        for rows in self._groups:
            sample = rows[0][1]
            if sample.key in by_key:
                shared, rows = share_result(rows, self._checked(by_key[sample.key], sample))
                judged += shared
            if rows:
                left.append(rows)
        await self._store(judged)
        self._groups = left

    async def _store(self, rows: Sequence[JudgedRow]) -> None:
        for first in range(0, len(rows), _SAVED_AT_ONCE):
            part = rows[first : first + _SAVED_AT_ONCE]
            await asyncio.to_thread(
                results.save_results,
                self._db,
                self._run.run_id,
                part,
                worker=self._worker,
                now=datetime.now(UTC),
                seconds=0.0,
            )
            for position, _, result in part:
                if self._on_judged is not None:
                    self._on_judged(position, result)

    def _checked(self, result: Result, sample: Sample) -> Result:
        try:
            return checked(result, sample, threshold=self._run.threshold)
        except ValueError as error:
            _log.exception("Judge %s failed on row %s", self._run.fingerprint, sample.key)
            reason = f"The judge failed unexpectedly: {type(error).__name__}: {error!a}"
            return replace(
                result, state=State.FAILED, claims=(), error=reason, suggestions=(), metrics={}, raw_reply=None
            )


@asynccontextmanager
async def heartbeat(db: Database, run_id: str, worker: str) -> AsyncIterator[Callable[[], bool]]:
    """Record a heartbeat every second; yield a function that returns whether the run was cancelled."""
    is_over = asyncio.Event()

    async def beat() -> None:
        nothing: Sequence[JudgedRow] = ()
        while not is_over.is_set():
            await asyncio.sleep(_HEARTBEAT_S)
            goes_on = await asyncio.to_thread(
                results.save_results,
                db,
                run_id,
                nothing,
                worker=worker,
                now=datetime.now(UTC),
                seconds=_HEARTBEAT_S,
            )
            if not goes_on:
                is_over.set()

    beating = asyncio.create_task(beat())

    def has_ended() -> bool:
        if beating.done() and not beating.cancelled() and (error := beating.exception()) is not None:
            raise error  # the run was taken over, or the store is unavailable
        return is_over.is_set()

    try:
        yield has_ended
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)


async def _wait(seconds: float, is_over: Callable[[], bool]) -> None:
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while (left := until - loop.time()) > 0 and not is_over():  # noqa: ASYNC110 - it may end in an error too
        await asyncio.sleep(min(left, _HEARTBEAT_S))
