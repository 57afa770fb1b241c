"""A bounded number of judgements and of exports at a time, and bounded lines of requests that wait for one."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

from starlette.requests import Request

from faithview.server.errors import BUSY, CLIENT_GONE, JUDGE_TIMEOUT, Refused

_T = TypeVar("_T")

# The weight of the latest judgement in the mean duration that `Retry-After` is computed from.
_LATEST = 0.1
# About how long the largest export takes.
_EXPORT_S = 2.0


class WaitingLine:
    """Lets work through, `at_once` at a time. Used from one event loop."""

    def __init__(self, *, at_once: int, waiting: int, seconds: float) -> None:
        self._at_once = at_once
        self._most_waiting = waiting
        self._seconds = seconds
        self._places = asyncio.Semaphore(at_once)
        self._mean_s = 0.0
        self.waiting = 0
        self.running = 0

    async def run(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Do the work when a place is free.

        Raises:
            Refused: too many wait already (503), or it was not done in time (503 in the line, 504 with the judge).
        """
        if self.waiting >= self._most_waiting and self._places.locked():
            raise Refused(BUSY, "Too many answers wait for the judge.", retry_after_s=self._expected_wait_s())
        start = time.monotonic()
        self.waiting += 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError:
            message = "The answer waited too long for the judge."
            raise Refused(BUSY, message, retry_after_s=self._expected_wait_s()) from None
        finally:
            self.waiting -= 1
        self.running += 1
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds - (began - start)):
                return await work()
        except TimeoutError:
            message = f"The judge took longer than {self._seconds:g} seconds."
            raise Refused(JUDGE_TIMEOUT, message) from None
        finally:
            self.running -= 1
            self._places.release()
            taken = time.monotonic() - began
            self._mean_s = taken if not self._mean_s else self._mean_s + _LATEST * (taken - self._mean_s)

    def _expected_wait_s(self) -> float:
        return self._mean_s * (self.waiting + self.running) / self._at_once


class Turns:
    """Lets exports of spans through, `at_once` at a time, in order. Used from one event loop."""

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._most_waiting = waiting
        self._waiting = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a place, and keep it to the end of the block; raises Refused (503) if too many wait already."""
        if self._places.locked() and self._waiting >= self._most_waiting:
            raise Refused(BUSY, "Too many exports of spans are being read.", retry_after_s=_EXPORT_S)
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._places.release()


async def while_client_waits(request: Request, work: Coroutine[object, object, _T]) -> _T:
    """Do the work, and cancel it as soon as the client closes its connection.

    Args:
        request: the request, whose body was read.
        work: what the client waits for.

    Raises:
        Refused: the client is gone, so the reply would not be read.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_leave(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refused(CLIENT_GONE, "The client did not wait for the reply.")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _leave(request: Request) -> None:
    """Return once the client has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
