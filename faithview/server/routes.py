"""`/check`, `/guard` and `/correct`: one answer, judged while the client waits."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from faithview.documents.answers import CheckDocument
from faithview.documents.diagnosis import HealthDocument, ReadyDocument
from faithview.documents.guard import CorrectionDocument, GuardDocument, GuardedDocument
from faithview.documents.live import LogDocument
from faithview.domain.errors import InvalidInput
from faithview.domain.live import DEFAULT_APPLICATION, LONGEST_APPLICATION, LogRecord
from faithview.domain.sample import Sample
from faithview.formats.spans import TraceSpan, answers_in
from faithview.server.errors import BAD_REQUEST, BUSY, INVALID, TOO_LARGE, Refused, json_response
from faithview.server.gate import PROTOBUF, media_type
from faithview.server.log_writer import LogWriter
from faithview.server.metrics import Metrics
from faithview.server.request_bodies import (
    CheckBody,
    GuardBody,
    LoggedBody,
    chunks_of,
    receive_answers,
    receive_body,
)
from faithview.server.waiting_line import WaitingLine, while_client_waits
from faithview.services import schema
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.services.traces import JoinLimits, SpanBuffer, TooMuch, read_json, read_protobuf
from faithview.version import __version__

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


class AnswerLog:
    """Stores what is logged."""

    def __init__(self, writer: LogWriter, counts: Metrics) -> None:
        self._writer = writer
        self._metrics = counts

    async def log(self, request: Request) -> Response:
        """Store answers; the reply comes when they are in the store."""
        body = await receive_answers(request)
        application = body.application or DEFAULT_APPLICATION
        records = [_record(item, application) for _, item in body.answers]
        try:
            not_stored = await self._writer.store(records)
        except Refused:
            self._metrics.count_logged("unavailable", len(records))
            raise
        accepted = len(records) - len(not_stored)
        placed = [replace(item, index=body.answers[item.index][0]) for item in not_stored]
        refused = sorted([*body.refused, *placed], key=lambda item: item.index)
        self._metrics.count_logged("accepted", accepted)
        self._metrics.count_logged("refused", len(refused))
        if not accepted:
            raise Refused(INVALID, refused[0].reason, field=f"answers.{refused[0].index}")
        return json_response(LogDocument.of(accepted=accepted, refused=refused))


def _record(item: LoggedBody, application: str) -> LogRecord:
    context = (
        item.context
        if isinstance(item.context, str)
        else [chunk if isinstance(chunk, str) else chunk.chunk() for chunk in item.context]
    )
    return LogRecord(
        answer=item.answer,
        context=context,
        question=item.question,
        record_id=item.id,
        at=item.at,
        segment=item.segment,
        metadata=item.metadata,
        application=application,
    )


_log = logging.getLogger(__name__)

_LOOK_EVERY_S = 1.0
_RETRY_AFTER_S = 5.0
_MOST_UNSTORED = 20_000
_MOST_AT_ONCE = 500


class TraceReceiver:
    """Takes exports, joins their spans to traces and stores the answers. Used from one event loop."""

    def __init__(self, writer: LogWriter, counts: Metrics, limits: JoinLimits) -> None:
        self._writer = writer
        self._metrics = counts
        self._buffer = SpanBuffer(limits)
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._unstored: list[LogRecord] = []

    @property
    def spans(self) -> int:
        """How many spans are held."""
        return self._buffer.spans

    def start(self) -> None:
        """Start looking for whole traces; call it in the event loop."""
        self._task = asyncio.create_task(self._work(), name="faithview-traces")

    async def receive(self, request: Request) -> Response:
        """Take an export. What it holds is stored later, when its traces are whole."""
        body = await request.body()
        is_protobuf = media_type(request.headers) == PROTOBUF
        if self._buffer.is_full or len(self._unstored) >= _MOST_UNSTORED:
            raise Refused(BUSY, "Too many spans wait for the rest of their traces.", retry_after_s=_RETRY_AFTER_S)
        try:
            spans = await asyncio.to_thread(read_protobuf if is_protobuf else read_json, body)
        except TooMuch as error:
            raise Refused(TOO_LARGE, str(error)) from None
        except InvalidInput as error:
            raise Refused(BAD_REQUEST, str(error)) from None
        self._buffer.add(spans, size=len(body))
        self._metrics.count_spans(len(spans))
        # An empty message says that all of it was taken.
        return Response(b"", media_type=PROTOBUF) if is_protobuf else json_response({})

    async def stop(self) -> None:
        """Store the answers of all that is held, whole or not."""
        if self._task is not None:
            # Not cancelled: what it has taken out of the buffer is nowhere else.
            self._stopping.set()
            await self._task
            self._task = None
        await self._try_to_store(self._buffer.take_all())
        if self._unstored:
            _log.error("%d answers from traces could not be stored and are lost.", len(self._unstored))
            self._metrics.count_traced("lost", len(self._unstored))

    async def _work(self) -> None:
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_S):
                    await self._stopping.wait()
            await self._try_to_store(self._buffer.take())

    async def _try_to_store(self, spans: Sequence[TraceSpan]) -> None:
        try:
            await self._store(spans)
        except Exception as error:  # noqa: BLE001 - a border: these traces are lost, the next ones are not
            _log.error("Traces could not be read: %s", type(error).__name__)

    async def _store(self, spans: Sequence[TraceSpan]) -> None:
        found = await asyncio.to_thread(answers_in, spans)
        self._metrics.count_traced("without_chunks", found.without_chunks)
        self._metrics.count_traced("without_text", found.without_text)
        self._metrics.count_traced("unusable", found.unusable)
        self._unstored += [record_of(sample) for sample in found.samples]
        while self._unstored:
            batch = self._unstored[:_MOST_AT_ONCE]
            try:
                refused = await self._writer.store(batch)
            except Refused:  # logged by the writer; tried again with the next look
                return
            del self._unstored[: len(batch)]
            self._metrics.count_traced("stored", len(batch) - len(refused))
            self._metrics.count_traced("unusable", len(refused))


def record_of(sample: Sample) -> LogRecord:
    """Return an answer of a trace as it is logged; its id is its span's, so a repeated export changes nothing."""
    service = sample.extra.get("service")
    application = service.strip()[:LONGEST_APPLICATION].strip() if isinstance(service, str) else ""
    return LogRecord(
        answer=sample.answer,
        context=sample.chunks,
        question=sample.question,
        record_id=sample.key,
        at=sample.timestamp,
        metadata=sample.extra,
        application=application or DEFAULT_APPLICATION,
    )


class Probes:
    """Says how the service is; `judge_works` is called in the event loop."""

    def __init__(self, *, store: Callable[[], bool], judge_works: Callable[[], bool]) -> None:
        self._store = store
        self._judge_works = judge_works

    async def health(self, request: Request) -> Response:
        """Say that the service is alive."""
        del request
        return json_response(HealthDocument(version=__version__))

    async def ready(self, request: Request) -> Response:
        """Say whether judge and store work: 200 if both do, else 503."""
        del request
        store, judge = await schema.answers(self._store), self._judge_works()
        ready = store and judge
        return json_response(ReadyDocument(ready=ready, judge=judge, store=store), status=200 if ready else 503)
