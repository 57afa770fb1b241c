"""`/check`, `/guard` and `/correct`: one answer, judged while the client waits."""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from faithview.documents.answers import CheckDocument
from faithview.documents.guard import CorrectionDocument, GuardDocument, GuardedDocument
from faithview.server.client_wait import while_client_waits
from faithview.server.errors import json_response
from faithview.server.metrics import Metrics
from faithview.server.openapi.request_bodies import CheckBody, GuardBody, chunks_of, receive_body
from faithview.server.waiting_line import WaitingLine
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard

_T = TypeVar("_T")


class Judging:
    """The guard, and the line of requests before it."""

    def __init__(self, guard: FaithfulnessGuard, line: WaitingLine, counts: Metrics) -> None:
        self._guard = guard
        self._line = line
        self._metrics = counts

    async def check(self, request: Request) -> Response:
        """Judge an answer."""
        body = await receive_body(CheckBody, request)
        found, seconds = await self._timed(request, lambda: self._check(body))
        self._metrics.count_judged("check", found.result, seconds)
        return json_response(CheckDocument.of(found.result))

    async def guard(self, request: Request) -> Response:
        """Judge an answer and say whether it may be sent; correct it if that is asked for."""
        body = await receive_body(GuardBody, request)
        if not body.correct:
            found, seconds = await self._timed(request, lambda: self._check(body))
            self._metrics.count_judged("guard", found.result, seconds)
            self._metrics.count_guarded(passed=found.passed)
            return json_response(GuardDocument.of(found))
        chunks = chunks_of(body.context)
        guarded, seconds = await self._timed(
            request, lambda: self._guard.aguard_and_correct(answer=body.answer, context=chunks, question=body.question)
        )
        self._metrics.count_judged("guard", guarded.before.result, seconds)
        self._metrics.count_guarded(passed=guarded.passed)
        self._metrics.count_corrected(changed=guarded.changed)
        return json_response(GuardedDocument.of(guarded.after, guarded))

    async def correct(self, request: Request) -> Response:
        """Correct an answer."""
        body = await receive_body(CheckBody, request)
        chunks = chunks_of(body.context)
        correction, seconds = await self._timed(
            request, lambda: self._guard.acorrect(answer=body.answer, context=chunks, question=body.question)
        )
        self._metrics.count_judged("correct", correction.check.result, seconds)
        self._metrics.count_corrected(changed=correction.changed)
        return json_response(CorrectionDocument.of(correction))

    async def _check(self, body: CheckBody) -> GuardCheck:
        return await self._guard.acheck(answer=body.answer, context=chunks_of(body.context), question=body.question)

    async def _timed(self, request: Request, work: Callable[[], Awaitable[_T]]) -> tuple[_T, float]:
        async def timed() -> tuple[_T, float]:
            start = time.perf_counter()
            done = await work()
            return done, time.perf_counter() - start

        return await while_client_waits(request, self._line.run(timed))
