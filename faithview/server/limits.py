"""What bounds the work that clients cause: lines before the judge and the store, and an end when the client leaves."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

from starlette.requests import Request

from faithview.server.errors import Refused, busy

_T = TypeVar("_T")


class Line:
    """Lets work through, `at_once` at a time, and lets `waiting` more wait. Used from one event loop."""

    def __init__(self, what: str, *, at_once: int, waiting: int, retry_after_s: int = 5) -> None:
        self._what = what
        self._places = asyncio.Semaphore(at_once)
        self._most_waiting = waiting
        self._retry_after_s = retry_after_s
        self.waiting = 0
        self.running = 0

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a place, and keep it to the end of the block; raises Refused (503) if too many wait already."""
        if self._places.locked() and self.waiting >= self._most_waiting:
            raise busy(f"Too many {self._what}.", retry_after_s=self._retry_after_s)
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1
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
            raise Refused(499, "The client did not wait for the reply.")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _leave(request: Request) -> None:
    """Return once the client has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
