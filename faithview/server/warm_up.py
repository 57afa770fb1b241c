"""The judge's first answers: it loads its models with them, before a client has to wait for that."""

import asyncio
import logging

from faithview.domain.result import State
from faithview.services.guard.guard import FaithfulnessGuard

_log = logging.getLogger(__name__)

_ANSWER = "The office opens at 9 am, and parking is free."
# A judge that does not work now may work later: its model is still being copied, say.
_RETRY_S = 10.0
_CONTEXT = ["The office opens at 9 am.", "Parking costs 7 euros."]


class WarmUp:
    """Has `answers` answers judged at once, one for each process of the judge, until it works; 0 does nothing."""

    def __init__(self, guard: FaithfulnessGuard, *, answers: int) -> None:
        self._guard = guard
        self._answers = answers
        self._task: asyncio.Task[None] | None = None
        self.is_done = not answers

    def start(self) -> None:
        """Start; call it in the event loop."""
        if not self.is_done:
            self._task = asyncio.create_task(self._run(), name="faithview-warm-up")

    async def stop(self) -> None:
        """Give up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while not await self._works():  # noqa: ASYNC110 - no event says that a judge works by now
            await asyncio.sleep(_RETRY_S)
        self.is_done = True

    async def _works(self) -> bool:
        judged = await asyncio.gather(
            *(self._guard.acheck(answer=_ANSWER, context=_CONTEXT) for _ in range(self._answers))
        )
        failed = next((found.result.error for found in judged if found.result.state is State.FAILED), None)
        if failed is not None:
            _log.error("The judge does not work, so the service is not ready; it is tried again: %s", failed)
        return failed is None
