"""Judge one answer: spans are verified, and an error becomes a `failed` result."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import perf_counter
from typing import TypeVar

from faithview.domain.claim import verify_claims
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample, find_unstorable
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsThreads
from faithview.judges.registry import create_judge
from faithview.services.judge_catalogue import to_build, wants_companions

_log = logging.getLogger(__name__)

_T = TypeVar("_T")

# How long work may go on after another thread has asked it to stop.
_STOP_S = 0.1


async def judge_one(
    judge: Judge, sample: Sample, *, threshold: float, with_companions: bool = False, beside_loop: bool = False
) -> Result:
    """Judge one answer; if it cannot be judged, return a `failed` result with the reason.

    `with_companions` adds relevance metrics that need no model; a judge that calls a model has its own. With
    `beside_loop` a judge that only computes does so in a thread, so the event loop is not blocked.
    """
    start = perf_counter()
    try:
        judged = (
            await asyncio.to_thread(judge.judge_now, sample)
            if beside_loop and isinstance(judge, SupportsThreads)
            else await judge.judge(sample)
        )
        result = checked(judged, sample, threshold=threshold)
        if with_companions and result.state is State.JUDGED:
            result = replace(result, metrics={**result.metrics, **_companions(sample)})
    except JudgeFailed as error:
        result = Result(state=State.FAILED, judge=judge.name, error=_storable(str(error)), threshold=threshold)
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) is None or task.cancelling():
            raise
        # This task was not cancelled: a call inside the judge was, and the row must not stay pending.
        reason = "The judge gave up: a call inside it was cancelled."
        result = Result(state=State.FAILED, judge=judge.name, error=reason, threshold=threshold)
    except Exception as error:  # noqa: BLE001 - a border: recorded on the row and logged whole
        # A bug of a judge fails one row, not the run.
        _log.exception("Judge %s failed on row %s", judge.fingerprint, sample.key)
        reason = _storable(f"The judge failed unexpectedly: {type(error).__name__}: {error}")
        result = Result(state=State.FAILED, judge=judge.name, error=reason, threshold=threshold)
    return replace(result, seconds=perf_counter() - start)


async def judge_samples(
    judge: Judge,
    samples: Sequence[Sample],
    *,
    threshold: float,
    concurrency: int,
    with_companions: bool = False,
    on_judged: Callable[[], None] | None = None,
) -> list[Result]:
    """Judge answers as `judge_one` does, `concurrency` of them at a time, and return their results in order."""
    gate = asyncio.Semaphore(max(1, concurrency))

    async def judge_next(sample: Sample) -> Result:
        async with gate:
            result = await judge_one(judge, sample, threshold=threshold, with_companions=with_companions)
        if on_judged is not None:
            on_judged()
        return result

    return await asyncio.gather(*map(judge_next, samples))


def checked(result: Result, sample: Sample, *, threshold: float) -> Result:
    """Return a judge's result with every span verified, and with the threshold.

    Raises:
        ValueError: it cannot be stored, or cites a chunk that the answer does not have.
    """
    claims = verify_claims(result.claims, sample)
    texts = (result.error or "", result.raw_reply or "", *result.suggestions, *result.warnings, *result.metrics)
    for text in texts:
        if find_unstorable(text) is not None:
            raise ValueError(f"The result contains a character that cannot be stored, in {text!r}.")
    scores = (("answer score", result.answer_score), ("score", result.given_score))
    for name, value in (*result.metrics.items(), *scores):
        if value is not None and not 0 <= value <= 1:
            raise ValueError(f"The result's figure {name!r} is {value}, which is not in [0, 1].")
    return replace(result, claims=claims, threshold=threshold)


def _companions(sample: Sample) -> Mapping[str, float]:
    from faithview.judges.companions import companions

    return companions(sample)


def _storable(text: str) -> str:
    """Return the text with characters that databases cannot store as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


def check_sample(sample: Sample, *, judge: JudgeSpec, threshold: float = DEFAULT_THRESHOLD) -> Result:
    """Judge one answer and store nothing.

    Raises:
        InvalidInput: the threshold is not in [0, 1].
        JudgeUnavailable: the judge cannot be built.
    """
    check_threshold(threshold)

    async def check() -> Result:
        built = create_judge(to_build(judge))
        try:
            return await judge_one(built, sample, threshold=threshold, with_companions=wants_companions(judge))
        finally:
            await built.aclose()

    return run_blocking(check())


def run_blocking(work: Coroutine[object, object, _T], *, stop: threading.Event | None = None) -> _T:
    """Run a coroutine to its end from synchronous code, even if an event loop is running already (in a notebook).

    Raises:
        asyncio.CancelledError: another thread has set `stop`, before or while it was running.
    """
    if not _is_in_event_loop():
        return asyncio.run(work if stop is None else _until(stop, work))
    stop = stop or threading.Event()
    with ThreadPoolExecutor(max_workers=1) as pool:
        future = pool.submit(asyncio.run, _until(stop, work))
        try:
            return future.result()
        except BaseException:
            stop.set()  # after an interrupt of the notebook's kernel; otherwise there is nothing left to stop
            raise


def _is_in_event_loop() -> bool:
    """Return whether this thread runs an event loop.

    A separate function: otherwise an error of the work would be shown as raised while handling this one's.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _until(stop: threading.Event, work: Coroutine[object, object, _T]) -> _T:
    """Return what the work returns, and cancel it soon after `stop` is set."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            if stop.is_set():
                task.cancel()
            await asyncio.wait([task], timeout=_STOP_S)
        return await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
