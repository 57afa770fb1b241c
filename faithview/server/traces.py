"""OpenTelemetry's spans: joined to traces, whose answers are stored."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from faithview.domain.errors import InvalidInput
from faithview.domain.live import DEFAULT_APPLICATION, LONGEST_APPLICATION, Appended, LogRecord
from faithview.domain.sample import Sample
from faithview.formats.spans.otlp import Span, answers_in, spans_of_json, spans_of_protobuf
from faithview.server.access import PROTOBUF, media_type
from faithview.server.errors import Refused, Reply, busy
from faithview.server.limits import Line
from faithview.server.metrics import Metrics
from faithview.server.settings import Limits
from faithview.services.traces import JoinLimits, SpanBuffer

_log = logging.getLogger(__name__)

_LOOK_EVERY_S = 1.0
_MOST_UNSTORED = 20_000
_MOST_AT_ONCE = 500

Append = Callable[[Sequence[LogRecord]], Awaitable[Appended]]


class TraceReceiver:
    """Takes exports, joins their spans to traces and stores the answers. Used from one event loop."""

    def __init__(self, append: Append, metrics: Metrics, limits: Limits, joining: JoinLimits) -> None:
        self._append = append
        self._metrics = metrics
        # Exports come in bursts and cost the most to read.
        self._line = Line(
            "exports of spans are being read",
            at_once=limits.exports_at_once,
            waiting=limits.exports_waiting,
            retry_after_s=2,
        )
        self._buffer = SpanBuffer(joining)
        self._stopping = asyncio.Event()
        self._unstored: list[LogRecord] = []
        metrics.watch("held_spans", "Spans that wait for the rest of their traces.", lambda: self._buffer.spans)

    async def receive(self, request: Request) -> Response:
        """Spans of the generative AI conventions or of OpenInference; the answers in them are stored.

        That happens later, when their traces are whole.
        """
        body = await request.body()
        is_protobuf = media_type(request.headers) == PROTOBUF
        if self._buffer.is_full or len(self._unstored) >= _MOST_UNSTORED:
            raise busy("Too many spans wait for the rest of their traces.")
        try:
            async with self._line.place():
                spans = await asyncio.to_thread(spans_of_protobuf if is_protobuf else spans_of_json, body)
        except InvalidInput as error:
            raise Refused(400, str(error)) from None
        self._buffer.add(spans, size=len(body))
        self._metrics.count("spans", by=len(spans))
        # An empty message says that all of it was taken.
        return Response(b"", media_type=PROTOBUF) if is_protobuf else Reply({})

    async def run(self) -> None:
        """Store the answers of traces as they become whole, and those of all that is held once it is stopped."""
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), _LOOK_EVERY_S)
            await self._store(self._buffer.take())
        await self._store(self._buffer.take_all())
        if self._unstored:
            _log.error("%d answers from traces could not be stored and are lost.", len(self._unstored))
            self._metrics.count("traced_answers", "lost", by=len(self._unstored))

    def stop(self) -> None:
        """Let `run` end; it is not cancelled, because what it has taken out of the buffer is nowhere else."""
        self._stopping.set()

    async def _store(self, spans: Sequence[Span]) -> None:
        try:
            found = await asyncio.to_thread(answers_in, spans)
            for outcome in ("without_chunks", "without_text", "unusable"):
                self._metrics.count("traced_answers", outcome, by=getattr(found, outcome))
            self._unstored += map(record_of, found.samples)
        except Exception as error:  # noqa: BLE001 - a border: these traces are lost, the next ones are not
            _log.error("Traces could not be read: %s", type(error).__name__)
        with suppress(Refused):  # the store is unavailable, which is logged; what is unstored is tried again
            while batch := self._unstored[:_MOST_AT_ONCE]:
                refused = (await self._append(batch)).refused
                del self._unstored[: len(batch)]
                self._metrics.count("traced_answers", "stored", by=len(batch) - len(refused))
                self._metrics.count("traced_answers", "unusable", by=len(refused))


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
