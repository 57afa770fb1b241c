"""Whether the store works, for probes: asked as often as anybody likes, and answered within seconds."""

import asyncio
import time
from collections.abc import Callable

# Anybody may ask, so the store is not asked each time.
REMEMBERED_S = 2.0
_PATIENCE_S = 5.0


class StoreProbe:
    """Remembers for a moment whether the store works; `ask` is called in a thread and may block."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._asked_at = float("-inf")
        self._answer = False
        self._lock = asyncio.Lock()

    async def works(self) -> bool:
        """Return whether the store works; False where it does not answer within 5 seconds."""
        async with self._lock:
            if time.monotonic() - self._asked_at > REMEMBERED_S:
                try:
                    async with asyncio.timeout(_PATIENCE_S):
                        self._answer = await asyncio.to_thread(self._ask)
                except TimeoutError:
                    self._answer = False
                self._asked_at = time.monotonic()
            return self._answer
