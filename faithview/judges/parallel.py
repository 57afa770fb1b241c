"""A judge of this machine in several processes: the same results, faster on a machine with several cores."""

import asyncio
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType

from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.base import Judge

# About fifty answers of the embedded judge between two collections, instead of one.
_ALLOCATIONS = 50_000


def collect_rarely() -> None:
    """Leave out of collections what has been imported, and make them rare, until the process ends."""
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Do as `collect_rarely` while the block runs: for a command, which tests may call within their own process."""
    thresholds = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


# Few machines have more cores.
MOST_WORKERS = 256

# A process gets at most this many answers at a time: sending one takes a tenth of the time of judging it.
BATCH = 16

SampleJudge = Callable[[Sample], Result]

_Waiting = tuple[Sample, asyncio.Future[Result]]


def read_workers(given: object) -> int:
    """Return the number of processes that an option names.

    Raises:
        JudgeUnavailable: it is not a number from 1 to `MOST_WORKERS`.
    """
    workers = str(given)
    if not workers.isdecimal() or not 1 <= int(workers) <= MOST_WORKERS:
        raise JudgeUnavailable(
            f"The embedded judge cannot have {workers} workers; give a number from 1 to {MOST_WORKERS}."
        )
    return int(workers)


class ParallelJudge:
    """Judges in `workers` processes, which start with the first answer.

    Answers that are asked for together are sent together, so keep a few batches (`BATCH`) per process under way to keep
    the processes busy. The processes are spawned and not forked: a dashboard or a notebook has threads, which do not
    survive a fork.
    """

    def __init__(self, workers: int, judge: Judge, prepare: Callable[[], SampleJudge]) -> None:
        """Make the judge; no process is started yet.

        Args:
            workers: the number of processes.
            judge: the same judge in one process, for its name and fingerprint.
            prepare: called once in each process; returns the function that judges there. It is sent to the processes,
                so it is a function of a module, or a partial of one.
        """
        self._judge = judge
        self._workers = workers
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: list[_Waiting] = []
        self._batches_out = 0

    @property
    def name(self) -> str:
        """The name of the judge in one process."""
        return self._judge.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge in one process: the number of processes does not change results."""
        return self._judge.fingerprint

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer in one of the processes.

        Raises:
            JudgeFailed: a process was killed, perhaps because memory ran out.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._send)  # after all other requests of this turn of the loop
        self._waiting.append((sample, future))
        return await future

    async def aclose(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _send(self) -> None:
        waiting = [(sample, future) for sample, future in self._waiting if not future.done()]
        self._waiting = []
        # A process without work gets its share at once; busy processes get full batches later.
        idle = max(1, self._workers - self._batches_out)
        size = min(BATCH, -(-len(waiting) // idle))
        for at in range(0, len(waiting), size or 1):
            self._submit(waiting[at : at + size])

    def _submit(self, batch: Sequence[_Waiting]) -> None:
        loop = asyncio.get_running_loop()
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    self._workers,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=_start,
                    initargs=(self._prepare,),
                )
            with _deaf_to_ctrl_c(), _without_main():
                done = self._pool.submit(_judge, [sample for sample, _ in batch])
        except BrokenProcessPool as error:
            _fail(batch, error)
            return
        self._batches_out += 1
        done.add_done_callback(lambda done: loop.call_soon_threadsafe(self._receive, batch, done))

    def _receive(self, batch: Sequence[_Waiting], done: Future[list[Result]]) -> None:
        self._batches_out -= 1
        if done.cancelled():
            for _, future in batch:
                future.cancel()
            return
        error = done.exception()
        if error is None:
            for (_, future), result in zip(batch, done.result(), strict=True):
                if not future.done():
                    future.set_result(result)
        elif len(batch) == 1 or isinstance(error, BrokenProcessPool):
            _fail(batch, error)
        else:  # one answer cannot be judged; the others can
            for asked in batch:
                self._submit([asked])


def _fail(batch: Sequence[_Waiting], error: BaseException) -> None:
    for _, future in batch:
        if future.done():
            continue
        if isinstance(error, BrokenProcessPool):
            lost = JudgeFailed(
                "A worker process of the judge ended unexpectedly, perhaps because memory ran out; try fewer workers."
            )
            lost.__cause__ = error
            future.set_exception(lost)
        else:
            future.set_exception(error)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back from this thread, and for good from the processes that it starts meanwhile.

    A process inherits which signals are blocked. One that hears of Ctrl-C while it starts, before `_start`, prints a
    traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Let the processes that start meanwhile not import the program that started them.

    A spawned process imports the `__main__` of its parent. Here nothing of it is needed, and it may be a page that
    Streamlit runs, or a script that would judge again because it does not look at `__name__`.
    """
    main = sys.modules["__main__"]
    nothing = sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        if sys.modules["__main__"] is nothing:  # Streamlit may have put another page there
            sys.modules["__main__"] = main


# The judge of a worker process, set by `_start`.
_judges: list[SampleJudge] = []


def _start(prepare: Callable[[], SampleJudge]) -> None:
    # A terminal sends Ctrl-C to these processes too; they end when the one that started them has heard of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _judges[:] = [prepare()]
    collect_rarely()


def _end_with_parent() -> None:
    """End this process once the one that started it is gone: one that was killed cannot say that it ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _judge(samples: list[Sample]) -> list[Result]:
    judge_sample = _judges[0]
    return [judge_sample(sample) for sample in samples]
