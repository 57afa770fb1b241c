"""The embedded judge in several processes: the same results, faster on a machine with several cores."""

import asyncio
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.collector import collect_rarely
from faithview.judges.lexical.judge import NAME, LexicalJudge, judge_sample
from faithview.judges.lexical.model import Model

# Few machines have more cores.
MOST_WORKERS = 256

# A process gets at most so many answers at a time: sending one takes a tenth of the time of judging it.
BATCH = 16

_Waiting = tuple[Sample, asyncio.Future[Result]]


class ParallelJudge:
    """Judges in `workers` processes, which start with the first answer.

    Answers that are asked for together are sent together, so keep a few batches (`BATCH`) per process under way to keep
    the processes busy. The processes are spawned and not forked: a dashboard or a notebook has threads, which do not
    survive a fork.
    """

    def __init__(self, workers: int, model: Model | None, model_path: str | None) -> None:
        self._judge = LexicalJudge(model)
        self._workers = workers
        self._model_path = model_path
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: list[_Waiting] = []
        self._batches_out = 0

    @property
    def name(self) -> str:
        """Always "lexical"."""
        return NAME

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
                    initializer=_prepare,
                    initargs=(self._model_path,),
                )
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
                "A worker process of the judge ended unexpectedly, perhaps for want of memory; try fewer workers."
            )
            lost.__cause__ = error
            future.set_exception(lost)
        else:
            future.set_exception(error)


# The model of a worker process, read once; None is the packaged one.
_model: Model | None = None


def _prepare(model_path: str | None) -> None:
    global _model
    if model_path is not None:
        from pathlib import Path

        from faithview.judges.lexical.model import read_model

        _model = read_model(Path(model_path))
    collect_rarely()


def _judge(samples: list[Sample]) -> list[Result]:
    return [judge_sample(sample, _model) for sample in samples]
