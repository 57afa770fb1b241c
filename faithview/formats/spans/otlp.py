"""OpenTelemetry's own messages (OTLP), as protobuf and as JSON, into spans.

The two differ in more than their notation: in JSON ids are hexadecimal and integers of 64 bits are texts.
https://opentelemetry.io/docs/specs/otlp/#otlphttp
"""

import base64
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Json
from faithview.formats.spans.trace_span import SpanEvent, TraceSpan

# Instrumentation nests messages about five levels deep.
_MOST_LEVELS = 32

# JSON's name of a value's kind, and protobuf's.
_ARRAY, _OBJECT = "arrayValue", "kvlistValue"


def spans_of_json(body: bytes) -> list[TraceSpan]:
    """Return the spans of an OTLP request, or of a line that the Collector's file exporter wrote, in JSON.

    Raises:
        InvalidInput: it is not JSON, or not of that shape.
    """
    try:
        document = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The spans are not readable as JSON.") from error
    if not isinstance(document, Mapping):
        raise InvalidInput('The spans have to be a JSON object with the key "resourceSpans".')
    spans: list[TraceSpan] = []
    for group in _objects(document, "resourceSpans"):
        resource = _attributes(_object(group, "resource"))
        for scope in (*_objects(group, "scopeSpans"), *_objects(group, "instrumentationLibrarySpans")):
            spans += [_span(item, resource) for item in _objects(scope, "spans")]
    return spans


def spans_of_protobuf(body: bytes) -> list[TraceSpan]:
    """Return the spans of an OTLP request in protobuf.

    Raises:
        InvalidInput: it is no such message.
        ModuleNotFoundError: the package `opentelemetry-proto` is not installed.
    """
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    try:
        request = ExportTraceServiceRequest.FromString(body)
    except DecodeError as error:
        raise InvalidInput("The spans are not readable as an OTLP message in protobuf.") from error
    spans: list[TraceSpan] = []
    for group in request.resource_spans:
        resource = _message_attributes(group.resource.attributes)
        for scope in group.scope_spans:
            spans += [_message_span(item, resource) for item in scope.spans]
    return spans


def _span(item: Mapping[str, object], resource: Mapping[str, Json]) -> TraceSpan:
    trace_id, span_id = _id(item, "traceId"), _id(item, "spanId")
    if not trace_id or not span_id:
        raise InvalidInput("A span has no traceId or no spanId.")
    events: list[SpanEvent] = [
        {"name": _text(event.get("name")), "attributes": _attributes(event)} for event in _objects(item, "events")
    ]
    return {
        "trace_id": trace_id,
        "span_id": span_id,
        "parent_id": _id(item, "parentSpanId"),
        "name": _text(item.get("name")),
        "start": _integer(item.get("startTimeUnixNano")),
        "end": _integer(item.get("endTimeUnixNano")),
        "attributes": _attributes(item),
        "events": events,
        "resource": resource,
    }


def _id(item: Mapping[str, object], name: str) -> str:
    value = item.get(name, "")
    if not isinstance(value, str):
        raise InvalidInput(f"The {name} of a span has to be a text.")
    return value.lower()


def _attributes(item: Mapping[str, object]) -> dict[str, Json]:
    return {_text(pair.get("key")): _value(pair.get("value")) for pair in _objects(item, "attributes")}


def _value(value: object, level: int = 0) -> Json:
    if not isinstance(value, Mapping) or level > _MOST_LEVELS:
        return None
    for kind, held in value.items():
        if kind == _ARRAY:
            return [_value(item, level + 1) for item in _objects(_object(value, _ARRAY), "values")]
        if kind == _OBJECT:
            pairs = _objects(_object(value, _OBJECT), "values")
            return {_text(pair.get("key")): _value(pair.get("value"), level + 1) for pair in pairs}
        if kind == "intValue":
            return _integer(held)
        if kind == "doubleValue":
            return _number(held)
        if kind in ("stringValue", "bytesValue", "boolValue") and isinstance(held, str | bool):
            return held
    return None


def _number(value: object) -> Json:
    """Return the number as JSON can hold it: NaN and infinity, which are texts in OTLP's JSON, are None."""
    try:
        number = float(cast(Any, value))
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _integer(value: object) -> int:
    if value is None or value == "":
        return 0
    try:
        number = int(cast(Any, value))
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInput("A span has a time or a whole number that is none.") from error
    if not -(2**63) <= number < 2**64:
        raise InvalidInput("A span has a whole number of more than 64 bits.")
    return number


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(item: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = item.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name!r} in the spans has to be an object.")
    return value


def _objects(item: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    value = item.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise InvalidInput(f"{name!r} in the spans has to be a list of objects.")
    return value


def _message_span(item: Any, resource: Mapping[str, Json]) -> TraceSpan:
    if not item.trace_id or not item.span_id:
        raise InvalidInput("A span has no trace_id or no span_id.")
    events: list[SpanEvent] = [
        {"name": event.name, "attributes": _message_attributes(event.attributes)} for event in item.events
    ]
    return {
        "trace_id": item.trace_id.hex(),
        "span_id": item.span_id.hex(),
        "parent_id": item.parent_span_id.hex(),
        "name": item.name,
        "start": item.start_time_unix_nano,
        "end": item.end_time_unix_nano,
        "attributes": _message_attributes(item.attributes),
        "events": events,
        "resource": resource,
    }


def _message_attributes(pairs: Any) -> dict[str, Json]:
    return {pair.key: _message_value(pair.value) for pair in pairs}


def _message_value(value: Any, level: int = 0) -> Json:
    if level > _MOST_LEVELS:
        return None
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_message_value(item, level + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        return {pair.key: _message_value(pair.value, level + 1) for pair in value.kvlist_value.values}
    if kind == "bytes_value":
        return base64.b64encode(value.bytes_value).decode("ascii")
    if kind == "double_value":
        return _number(value.double_value)
    return cast(Json, getattr(value, kind)) if kind else None
