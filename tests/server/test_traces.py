"""OpenTelemetry spans over HTTP: joined to traces, their answers stored once."""

import asyncio
import gzip
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from starlette.testclient import TestClient

from faithview.domain.errors import StoreError
from faithview.domain.live import Appended, LogRecord
from faithview.domain.sample import Sample
from faithview.formats.spans.otlp import spans_of_protobuf
from faithview.server.metrics import Metrics
from faithview.server.settings import Limits
from faithview.server.traces import TraceReceiver, record_of
from faithview.services.container import Store
from faithview.services.live.append import append_answers
from faithview.services.traces import JoinLimits
from faithview.store import live
from tests.server.conftest import Start

pytestmark = pytest.mark.process  # takes long

_TRACE = bytes(range(16))
_SECOND = 1_000_000_000
_PROTOBUF = {"Content-Type": "application/x-protobuf"}


def _span(number: int, parent: int = 0, trace: bytes = _TRACE, **attributes: Any) -> Span:
    span = Span(
        trace_id=trace,
        span_id=number.to_bytes(8, "big"),
        parent_span_id=parent.to_bytes(8, "big") if parent else b"",
        name=f"span {number}",
        start_time_unix_nano=1_780_000_000 * _SECOND + number * _SECOND,
        end_time_unix_nano=1_780_000_000 * _SECOND + number * _SECOND + 1,
    )
    for name, value in attributes.items():
        span.attributes.add(key=name.replace("__", ".")).value.string_value = value
    return span


def _trace(trace: bytes = _TRACE) -> list[Span]:
    """A retriever two levels below the question, and the model beside it."""
    documents = json.dumps([{"id": "kb-1", "score": 0.9, "content": "The office opens at 9 am."}])
    reply = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "At 9 am."}]}])
    return [
        _span(3, 2, trace, gen_ai__operation__name="retrieval", gen_ai__retrieval__documents=documents),
        _span(2, 1, trace, openinference__span__kind="CHAIN"),
        _span(4, 1, trace, gen_ai__operation__name="chat", gen_ai__output__messages=reply),
        _span(1, 0, trace, input__value="When does it open?"),
    ]


def _export(spans: list[Span], service: str = "desk") -> bytes:
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.add(key="service.name").value.string_value = service
    group.scope_spans.add().spans.extend(spans)
    return bytes(request.SerializeToString())


def _stored(services: Store) -> dict[str, int]:
    return {backlog.application: backlog.waiting for backlog in live.list_backlogs(services.db)}


def test_a_trace_that_comes_in_pieces_is_stored_once_when_the_service_stops(start: Start, services: Store) -> None:
    client = start()
    for span in _trace():
        reply = client.post("/v1/traces", content=_export([span]), headers=_PROTOBUF)
        assert reply.status_code == 200
        assert reply.headers["content-type"] == "application/x-protobuf"
        ExportTraceServiceResponse.FromString(reply.content)
    assert _stored(services) == {}
    client.__exit__()
    assert _stored(services) == {"desk": 1}


def test_an_export_that_is_sent_again_changes_nothing(start: Start, services: Store) -> None:
    headers = {**_PROTOBUF, "Content-Encoding": "gzip"}
    body = gzip.compress(_export(_trace()))
    for _ in range(3):
        client = start()
        for _ in range(2):
            assert client.post("/v1/traces", content=body, headers=headers).status_code == 200
        client.__exit__()
        assert _stored(services) == {"desk": 1}


def test_json_is_taken_as_protobuf_is(start: Start, services: Store) -> None:
    def json_span(span: Span) -> dict[str, Any]:
        return {
            "traceId": span.trace_id.hex(),
            "spanId": span.span_id.hex(),
            "parentSpanId": span.parent_span_id.hex(),
            "startTimeUnixNano": str(span.start_time_unix_nano),
            "endTimeUnixNano": str(span.end_time_unix_nano),
            "attributes": [{"key": a.key, "value": {"stringValue": a.value.string_value}} for a in span.attributes],
        }

    client = start()
    spans = [json_span(span) for span in _trace()]
    reply = client.post("/v1/traces", json={"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert (reply.status_code, reply.json()) == (200, {})
    client.post("/v1/traces", content=_export(_trace()), headers=_PROTOBUF)  # the same ids: the same trace
    client.__exit__()
    assert sum(_stored(services).values()) == 1


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faithview.server.traces._LOOK_EVERY_S", 0.02)


_AT_ONCE = JoinLimits(settle_s=0.0, idle_s=0.0)


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)


@pytest.mark.usefixtures("_quick")
def test_a_whole_trace_is_stored_while_the_service_runs(start: Start, services: Store) -> None:
    client = start(joining=_AT_ONCE)
    client.post("/v1/traces", content=_export(_trace()), headers=_PROTOBUF)
    _wait_for(lambda: bool(_stored(services)))
    assert _stored(services) == {"desk": 1}


@pytest.mark.usefixtures("_quick")
def test_what_spans_lack_is_counted(start: Start) -> None:
    client = start(joining=_AT_ONCE)
    other = b"x" * 16
    client.post("/v1/traces", content=_export([_trace()[2]]), headers=_PROTOBUF)
    silent = [_trace(other)[0], _span(9, 0, other, gen_ai__operation__name="chat")]
    client.post("/v1/traces", content=_export(silent), headers=_PROTOBUF)
    _wait_for(lambda: "without_text" in client.get("/metrics").text)
    text = client.get("/metrics").text
    assert 'faithview_traced_answers_total{outcome="without_chunks"} 1.0' in text
    assert 'faithview_traced_answers_total{outcome="without_text"} 1.0' in text
    assert "faithview_spans_total 3.0" in text


def test_more_spans_than_fit_are_refused_until_there_is_room(start: Start) -> None:
    client = start(joining=JoinLimits(spans=4))
    assert client.post("/v1/traces", content=_export(_trace()), headers=_PROTOBUF).status_code == 200
    reply = client.post("/v1/traces", content=_export(_trace(b"y" * 16)), headers=_PROTOBUF)
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")


@pytest.mark.usefixtures("_quick")
def test_answers_that_could_not_be_stored_are_tried_again(
    start: Start, services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [StoreError("locked")] * 2

    def append(opened: Store, records: Any) -> Appended:
        if failures:
            raise failures.pop()
        return append_answers(opened, records)

    monkeypatch.setattr("faithview.server.endpoints.append_answers", append)
    client = start(joining=_AT_ONCE)
    client.post("/v1/traces", content=_export(_trace()), headers=_PROTOBUF)
    _wait_for(lambda: bool(_stored(services)))
    assert _stored(services) == {"desk": 1}
    assert failures == []


@pytest.mark.usefixtures("_quick")
def test_a_service_that_stops_while_traces_are_read_loses_none() -> None:
    stored: list[str] = []

    async def append(records: Sequence[LogRecord]) -> Appended:
        stored.extend(record.application for record in records)
        return Appended(stored=len(records), known=0)

    async def scenario() -> None:
        loop, may_go_on = asyncio.get_running_loop(), threading.Event()
        loop.set_default_executor(ThreadPoolExecutor(1))
        metrics = Metrics((), judge="lexical")
        receiver = TraceReceiver(append, metrics, Limits(), _AT_ONCE)
        receiver._buffer.add(spans_of_protobuf(_export(_trace())), size=100)
        busy = loop.run_in_executor(None, may_go_on.wait, 30)  # the spans are taken, but nothing reads them yet
        receiving = asyncio.create_task(receiver.run())
        while b"faithview_held_spans 0.0" not in metrics.text():  # noqa: ASYNC110 - the receiver has no event for what it has taken
            await asyncio.sleep(0.01)
        receiver.stop()
        await asyncio.sleep(0.05)
        may_go_on.set()
        await asyncio.gather(receiving, busy)

    asyncio.run(scenario())
    assert stored == ["desk"]


@pytest.mark.parametrize("kind", ["Application/X-Protobuf", "application/x-protobuf; version=1"])
def test_the_media_type_is_read_in_any_case(start: Start, kind: str) -> None:
    reply = start().post("/v1/traces", content=_export(_trace()), headers={"Content-Type": kind})
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/x-protobuf")


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-32"])
def test_json_in_another_encoding_is_not_read(client: TestClient, form: str) -> None:
    body = json.dumps({"resourceSpans": []}).encode(form)
    reply = client.post("/v1/traces", content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code == 400


def test_two_exports_are_read_at_a_time_some_wait_and_what_is_logged_waits_for_none(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, reading = threading.Event(), []

    def read(body: bytes) -> list[Any]:
        reading.append(body)
        assert may_go_on.wait(60)
        return spans_of_protobuf(body)

    monkeypatch.setattr("faithview.server.traces.spans_of_protobuf", read)
    client = start(limits=Limits(exports_waiting=3))
    body = _export(_trace())
    with ThreadPoolExecutor(10) as pool:
        exports = [pool.submit(client.post, "/v1/traces", content=body, headers=_PROTOBUF) for _ in range(10)]
        _wait_for(lambda: sum(export.done() for export in exports) == 5)
        refused = [export.result() for export in exports if export.done()]
        assert [(reply.status_code, reply.headers["retry-after"]) for reply in refused] == [(503, "2")] * 5
        assert len(reading) == 2
        logged = client.post("/log", json={"answers": [{"answer": "a", "context": "b"}]})
        assert logged.status_code == 200
        may_go_on.set()
        assert Counter(export.result().status_code for export in exports) == {200: 5, 503: 5}


@pytest.mark.parametrize(
    "body", [b"\xff\xff", b"not a message", _export(_trace())[:-2], b"\x0a", b"\x0a\x05\x12", b"\x0e\x00", b"\xff" * 11]
)
def test_bytes_that_are_no_export_are_refused(client: TestClient, body: bytes) -> None:
    reply = client.post("/v1/traces", content=body, headers=_PROTOBUF)
    assert (reply.status_code, reply.json()["error"]["type"]) == (400, "bad_request")


def test_a_service_name_becomes_the_application() -> None:
    def application(**extra: Any) -> object:
        return record_of(Sample(answer="a", key="k", extra=extra)).application

    assert application(service=" desk ") == "desk"
    assert application(service="x" * 300) == "x" * 100
    assert application(service="  ") == application() == application(service=7) == "default"
