"""`/v1/traces`: OpenTelemetry spans in, the answers in them stored."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from faithview.domain.errors import InvalidInput
from faithview.domain.live.logged_answer import DEFAULT_APPLICATION, LONGEST_APPLICATION, LogRecord
from faithview.domain.sample import Sample
from faithview.server.errors import BAD_REQUEST, BUSY, TOO_LARGE, Refused, json_response
from faithview.server.gate import PROTOBUF, media_type
from faithview.server.log_writer import LogWriter
from faithview.server.metrics import Metrics
from faithview.services.traces.span_buffer import (
    JoinLimits,
    SpanBuffer,
    TooMuch,
    TraceSpan,
    answers_in,
    memory_of,
    read_json,
    read_protobuf,
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
            spans, size = await asyncio.to_thread(_read, body, is_protobuf=is_protobuf)
        except TooMuch as error:
            raise Refused(TOO_LARGE, str(error)) from None
        except InvalidInput as error:
            raise Refused(BAD_REQUEST, str(error)) from None
        self._buffer.add(spans, size=size)
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
            _log.error("%d answers of traces could not be stored and are lost.", len(self._unstored))
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


def _read(body: bytes, *, is_protobuf: bool) -> tuple[list[TraceSpan], int]:
    """Return the spans of a body, and the memory that they take."""
    spans = (read_protobuf if is_protobuf else read_json)(body)
    return spans, memory_of(spans, size=len(body))


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
