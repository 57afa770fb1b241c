"""Whether the store works, for probes: asked as often as anybody likes, and answered within seconds."""

import asyncio
import time
from collections.abc import Callable

# Anybody may ask, so the store is not asked each time.
REMEMBERED_S = 2.0
_PATIENCE_S = 5.0


class StoreProbe:
    """Remembers for a moment whether the store works; `ask` is called in a thread and may block.

    It is asked once at a time: a store that answers nobody would else take one thread after the other, and what
    judges and stores needs them too.
    """

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._asked_at = float("-inf")
        self._answer = False
        self._asking: asyncio.Future[bool] | None = None
        self._lock = asyncio.Lock()

    async def works(self) -> bool:
        """Return whether the store works; False where it does not answer within 5 seconds."""
        async with self._lock:
            if time.monotonic() - self._asked_at > REMEMBERED_S:
                try:
                    async with asyncio.timeout(_PATIENCE_S):
                        self._answer = await asyncio.shield(self._asked())
                except TimeoutError:
                    self._answer = False
                self._asked_at = time.monotonic()
            return self._answer

    def _asked(self) -> "asyncio.Future[bool]":
        """Return the question under way, or a new one."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(asyncio.to_thread(self._ask))
        return self._asking
