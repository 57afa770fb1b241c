"""A run judged by way of the vendor's batches: submit, ask until it is done, collect; resumable across restarts."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias, cast

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.services.runs.in_flight import Judged, can_be_taken_over
from faithview.services.runs.judge_answer import checked
from faithview.services.runs.verdict_cache import find_cached, take_over, uses_cache
from faithview.store.database import Database
from faithview.store.runs import batches, results, samples

if TYPE_CHECKING:  # brings a validation library with it, which the embedded judge does not need
    from faithview.judges.llm.judge import LlmJudge

_log = logging.getLogger(__name__)

OnJudged: TypeAlias = Callable[[int, Result], None]

POLL_S = 60.0
_HEARTBEAT_S = 1.0
_PAGE = 1_000
# Rows written in one transaction at most.
_SAVED_AT_ONCE = 200
# A batch takes hours; so many questions in a row may go unanswered before that is an error.
_MOST_FAILURES = 5


def begin_batches(judge: Judge) -> str:
    """Return the state of a run that is to be judged by batches, before the first.

    Raises:
        InvalidInput: the judge has none.
    """
    client = getattr(judge, "client", None)
    if client is None or not hasattr(client, "submit_batch"):
        raise InvalidInput(f"Judge {judge.name!r} cannot judge by batches; leave --batch out.")
    from faithview.judges.llm.batch import new_state

    return new_state(cast("LlmJudge", judge)).to_json()


async def judge_by_batches(
    db: Database, run: Run, judge: Judge, *, worker: str, poll_s: float, on_judged: OnJudged | None
) -> bool:
    """Judge every pending row of the run; return False if the run was cancelled.

    Raises:
        JudgeFailed: a batch could not be handed in, or its vendor did not answer for a long time; what was handed in is
            still known, so the run can be resumed.
        RunConflict: another process took the run over.
    """
    from faithview.judges.llm.batch import BatchState, advance

    llm = cast("LlmJudge", judge)
    kept = batches.find_state(db, run.run_id)
    if kept is None:
        raise InvalidInput(f"Run {run.run_id} is not judged by batches.")
    state = BatchState.from_json(kept)
    pending = await asyncio.to_thread(_all_pending, db, run.run_id)
    rows = _Rows(db, run, worker, on_judged, pending)
    async with _kept_alive(db, run.run_id, worker) as is_over:
        if rows.share_verdicts and pending:
            found = await asyncio.to_thread(find_cached, db, run.fingerprint, list(pending.values()))
            await rows.save({s.key: r for s, r in zip(pending.values(), found, strict=True) if r is not None})
        failures = 0
        while pending and not is_over():
            try:
                progress = await advance(llm, state, rows.to_ask(), keep=rows.save)
            except JudgeFailed as error:
                failures += 1
                if state.batch_id is None or failures >= _MOST_FAILURES:
                    raise
                _log.warning("Batch %s of run %s could not be asked for: %s", state.batch_id, run.run_id, error)
            else:
                failures = 0
                state = progress.state
                await asyncio.to_thread(batches.save_state, db, run.run_id, state.to_json())
            await _wait(poll_s if pending else 0.0, is_over)
        return not is_over()


class _Rows:
    """The pending rows: which of them have to be asked about, and storing what became of them by their keys."""

    def __init__(
        self, db: Database, run: Run, worker: str, on_judged: OnJudged | None, pending: dict[int, Sample]
    ) -> None:
        self._db = db
        self._run = run
        self._worker = worker
        self._on_judged = on_judged
        self._pending = pending
        self.share_verdicts = uses_cache(run)
        self._hashes = {n: sample.content_hash for n, sample in pending.items()} if self.share_verdicts else {}

    def to_ask(self) -> list[Sample]:
        """Return the pending rows, of those with equal texts the first one where verdicts are shared."""
        if not self.share_verdicts:
            return list(self._pending.values())
        first: dict[str, Sample] = {}
        for n, sample in self._pending.items():
            first.setdefault(self._hashes[n], sample)
        return list(first.values())

    async def save(self, by_key: Mapping[str, Result]) -> None:
        """Store results and those of rows with equal texts, and take their rows off the pending ones."""
        rows = [
            (n, sample, self._checked(by_key[sample.key], sample))
            for n, sample in self._pending.items()
            if sample.key in by_key
        ]
        rows += self._twins(rows, by_key)
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
                del self._pending[position]
                if self._on_judged is not None:
                    self._on_judged(position, result)

    def _twins(self, rows: list[Judged], by_key: Mapping[str, Result]) -> list[Judged]:
        if not self.share_verdicts:
            return []
        judged = {self._hashes[n]: (sample, r) for n, sample, r in rows if can_be_taken_over(r)}
        return [
            (n, sample, take_over(*judged[self._hashes[n]], sample))
            for n, sample in self._pending.items()
            if sample.key not in by_key and self._hashes[n] in judged
        ]

    def _checked(self, result: Result, sample: Sample) -> Result:
        try:
            return checked(result, sample, threshold=self._run.threshold)
        except ValueError as error:
            _log.exception("Judge %s failed on row %s", self._run.fingerprint, sample.key)
            reason = f"The judge failed unexpectedly: {type(error).__name__}: {error!a}"
            return replace(
                result, state=State.FAILED, claims=(), error=reason, suggestions=(), metrics={}, raw_reply=None
            )


def _all_pending(db: Database, run_id: str) -> dict[int, Sample]:
    rows: dict[int, Sample] = {}
    after = 0
    while page := samples.list_pending(db, run_id, after=after, limit=_PAGE):
        rows.update(page)
        after = page[-1][0]
    return rows


@asynccontextmanager
async def _kept_alive(db: Database, run_id: str, worker: str) -> AsyncIterator[Callable[[], bool]]:
    """Say every second that the run is being worked on; yields a function that tells whether somebody cancelled it."""
    is_over = asyncio.Event()

    async def beat() -> None:
        nothing: Sequence[tuple[int, Sample, Result]] = ()
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
            raise error  # the run was taken over, or the store is gone
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
