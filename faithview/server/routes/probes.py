"""`/health` and `/ready`: whether the service is alive, and whether it can work."""

import asyncio
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from faithview.server.errors import json_response
from faithview.version import __version__

# Anybody may ask, so the store is not asked each time.
_REMEMBERED_S = 2.0
_PATIENCE_S = 5.0


class Probes:
    """Says how the service is; `store_works` is called in a thread, `judge_works` in the event loop."""

    def __init__(self, *, store_works: Callable[[], bool], judge_works: Callable[[], bool]) -> None:
        self._store_works = store_works
        self._judge_works = judge_works
        self._asked_at = float("-inf")
        self._answer = False
        self._lock = asyncio.Lock()

    async def health(self, request: Request) -> Response:
        """Say that the service is alive."""
        del request
        return json_response({"status": "ok", "version": __version__})

    async def ready(self, request: Request) -> Response:
        """Say whether judge and store work: 200 if both do, else 503."""
        del request
        async with self._lock:
            if time.monotonic() - self._asked_at > _REMEMBERED_S:
                try:
                    async with asyncio.timeout(_PATIENCE_S):
                        self._answer = await asyncio.to_thread(self._store_works)
                except TimeoutError:
                    self._answer = False
                self._asked_at = time.monotonic()
        store, judge = self._answer, self._judge_works()
        ready = store and judge
        return json_response({"ready": ready, "judge": judge, "store": store}, status=200 if ready else 503)
