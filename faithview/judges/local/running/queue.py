"""Answers that are judged at the same time share the batches of one model."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Generic, TypeVar

_Asked = TypeVar("_Asked")
_Found = TypeVar("_Found")

# Answers that are read together: as many as take a second or two, so that a GPU's batches are full and a run's progress
# moves on a slow processor too.
_FIRST, _MOST = 4, 64
_SHORT_S, _LONG_S = 1.0, 3.0


class ReadingQueue(Generic[_Asked, _Found]):
    """Hands requests to a function that takes many at a time, in a thread of its own.

    While it works on some, the next ones gather. The loop stays free, so results are stored and pages are drawn
    meanwhile.
    """

    def __init__(
        self, read: Callable[[Sequence[_Asked]], list[_Found]], *, clock: Callable[[], float] = monotonic
    ) -> None:
        """Make the queue; no thread is started yet. `clock` tells seconds."""
        self._read = read
        self._clock = clock
        self._together = _FIRST
        self._waiting: list[tuple[_Asked, asyncio.Future[_Found]]] = []
        self._pool: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    async def ask(self, asked: _Asked) -> _Found:
        """Return what the function finds for one request; raises what it raises."""
        future: asyncio.Future[_Found] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, future))
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        return await future

    async def aclose(self) -> None:
        """End the thread, after what it is working on."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    async def _work(self) -> None:
        try:
            await asyncio.sleep(0)  # all requests of this turn of the loop go together
            while self._waiting:
                batch, self._waiting = self._waiting[: self._together], self._waiting[self._together :]
                start = self._clock()
                await self._answer([(asked, future) for asked, future in batch if not future.done()])
                self._adapt(len(batch), self._clock() - start)
        finally:
            self._task = None

    def _adapt(self, read: int, seconds: float) -> None:
        """Read twice as many next time where all that were allowed took little, half as many where they took long."""
        if seconds > _LONG_S:
            self._together = max(1, self._together // 2)
        elif seconds < _SHORT_S and read == self._together:
            self._together = min(_MOST, 2 * self._together)

    async def _answer(self, batch: list[tuple[_Asked, asyncio.Future[_Found]]]) -> None:
        if not batch:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="faithview-model")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._pool, self._read, [asked for asked, _ in batch])
        except Exception as error:  # noqa: BLE001 - a border: it is raised again, where the answer was asked about
            if len(batch) > 1:  # one answer cannot be read; the others can
                for one in batch:
                    await self._answer([one])
            elif not batch[0][1].done():
                batch[0][1].set_exception(error)
            return
        for (_, future), result in zip(batch, found, strict=True):
            if not future.done():
                future.set_result(result)
