"""Work that goes on only while the client waits for it."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from starlette.requests import Request

from faithview.server.errors import CLIENT_GONE, Refused

_T = TypeVar("_T")


async def while_client_waits(request: Request, work: Coroutine[object, object, _T]) -> _T:
    """Do the work, and cancel it as soon as the client closes its connection.

    Args:
        request: the request, whose body was read.
        work: what the client waits for.

    Raises:
        Refused: the client is gone, so nobody reads the reply.
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
