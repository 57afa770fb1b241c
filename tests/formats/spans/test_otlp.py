"""OTLP in protobuf and in JSON gives the same spans."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue

from faithview.domain.errors import InvalidInput
from faithview.formats.spans import otlp
from faithview.formats.spans.otlp import Span
from faithview.formats.spans.steps import Step

_TRACE, _SPAN, _PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"


def _value(value: object) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": _pairs(value)}}
    return {"stringValue": value}


def _pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items()]


_DOCUMENT = {"content": "ü", "rank": 7, "score": 0.5, "metadata": {"new": True, "tags": ["x", 1]}}
_ATTRIBUTES = {"retrieval.documents": [_DOCUMENT], "input.value": "When?"}


def _as_json(**changes: Any) -> bytes:
    item = {
        "traceId": _TRACE.upper(),
        "spanId": _SPAN,
        "parentSpanId": _PARENT,
        "name": "search",
        "startTimeUnixNano": "1700000000000000000",
        "endTimeUnixNano": "1700000001000000000",
        "attributes": _pairs(_ATTRIBUTES),
        "events": [{"name": "gen_ai.choice", "attributes": _pairs({"index": 0})}],
        "unknown": 1,
        **changes,
    }
    resource = {"attributes": _pairs({"service.name": "desk"})}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [item]}]}]}).encode()


def _fill(target: AnyValue, value: object) -> None:
    if isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int):
        target.int_value = value
    elif isinstance(value, float):
        target.double_value = value
    elif isinstance(value, list):
        target.array_value.SetInParent()
        for item in value:
            _fill(target.array_value.values.add(), item)
    elif isinstance(value, dict):
        target.kvlist_value.SetInParent()
        for key, item in value.items():
            _fill(target.kvlist_value.values.add(key=key).value, item)
    else:
        target.string_value = str(value)


def _as_protobuf() -> bytes:
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    _fill(group.resource.attributes.add(key="service.name").value, "desk")
    item = group.scope_spans.add().spans.add(
        trace_id=bytes.fromhex(_TRACE),
        span_id=bytes.fromhex(_SPAN),
        parent_span_id=bytes.fromhex(_PARENT),
        name="search",
        start_time_unix_nano=1_700_000_000_000_000_000,
        end_time_unix_nano=1_700_000_001_000_000_000,
    )
    for key, value in _ATTRIBUTES.items():
        _fill(item.attributes.add(key=key).value, value)
    _fill(item.events.add(name="gen_ai.choice").attributes.add(key="index").value, 0)
    return bytes(request.SerializeToString())


def test_protobuf_and_json_give_the_same_span() -> None:
    (span,) = otlp.spans_of_json(_as_json())
    assert span == Span(
        trace_id=_TRACE,
        step=Step(
            step_id=_SPAN,
            parent_id=_PARENT,
            kind="retriever",
            name="search",
            start=datetime.fromtimestamp(1_700_000_000, UTC),
            end=datetime.fromtimestamp(1_700_000_001, UTC),
            input="When?",
            output=[_DOCUMENT],
            details={"service": "desk"},
        ),
    )
    assert otlp.spans_of_protobuf(_as_protobuf()) == [span]


def test_no_spans_are_no_error() -> None:
    assert otlp.spans_of_json(b"{}") == []
    assert otlp.spans_of_protobuf(b"") == []


@pytest.mark.parametrize("number", ["NaN", 1e400])
def test_numbers_that_json_cannot_hold_are_left_out(number: object) -> None:
    pairs = [{"key": "content", "value": {"stringValue": "a"}}, {"key": "x", "value": {"doubleValue": number}}]
    documents = {"arrayValue": {"values": [{"kvlistValue": {"values": pairs}}]}}
    (span,) = otlp.spans_of_json(_as_json(attributes=[{"key": "retrieval.documents", "value": documents}]))
    assert span.step.output == [{"content": "a", "x": None}]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"[" * 100_000,
        b'{"resourceSpans": [1]}',
        _as_json(traceId=""),
        _as_json(traceId=5),
        _as_json(startTimeUnixNano="soon"),
        _as_json(startTimeUnixNano="9" * 5000),
        _as_json(attributes="x"),
        _as_json(attributes=[{"key": "a", "value": {"arrayValue": 3}}]),
    ],
)
def test_json_of_another_shape_is_refused_in_one_sentence(body: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^[^\n]+\.$"):
        otlp.spans_of_json(body)


@pytest.mark.parametrize("body", [b"\xff\xff\xff", b"hello", _as_protobuf()[:-3]])
def test_bytes_that_are_no_message_are_refused(body: bytes) -> None:
    with pytest.raises(InvalidInput):
        otlp.spans_of_protobuf(body)


def test_values_nested_too_deeply_are_cut_off() -> None:
    value: dict[str, Any] = {"stringValue": "deep"}
    for _ in range(60):
        value = {"arrayValue": {"values": [value]}}
    (span,) = otlp.spans_of_json(_as_json(attributes=[{"key": "retrieval.documents", "value": value}]))
    assert span.step.output
    assert "deep" not in json.dumps(span.step.output)
