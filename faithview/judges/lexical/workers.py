"""The embedded judge in several processes: the same results, sooner, where a machine has the cores."""

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import NAME, LexicalJudge, judge_sample
from faithview.judges.lexical.model import Model

# More processes than this are hardly ever cores.
MOST_WORKERS = 256


class ParallelJudge:
    """Judges in `workers` processes, which start with the first answer; as many answers as there are workers at a time.

    The processes are started anew and not forked: a dashboard or a notebook has threads, which do not survive a fork.
    """

    def __init__(self, workers: int, model: Model | None, model_path: str | None) -> None:
        self._judge = LexicalJudge(model)
        self._workers = workers
        self._model_path = model_path
        self._pool: ProcessPoolExecutor | None = None

    @property
    def name(self) -> str:
        """Always "lexical"."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """That of the judge in one process: how many there are changes nothing."""
        return self._judge.fingerprint

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer in one of the processes.

        Raises:
            JudgeFailed: a process was killed, for want of memory say.
        """
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_prepare,
                initargs=(self._model_path,),
            )
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _judge, sample)
        except BrokenProcessPool as error:
            raise JudgeFailed(
                "A worker process of the judge ended unexpectedly, perhaps for want of memory; try fewer workers."
            ) from error

    async def aclose(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


# The model of a worker process, read once; None is the packaged one.
_model: Model | None = None


def _prepare(model_path: str | None) -> None:
    global _model
    if model_path is not None:
        from pathlib import Path

        from faithview.judges.lexical.model import read_model

        _model = read_model(Path(model_path))


def _judge(sample: Sample) -> Result:
    return judge_sample(sample, _model)
