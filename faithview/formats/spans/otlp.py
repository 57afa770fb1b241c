"""OpenTelemetry's own messages (OTLP), as protobuf and as JSON, as plain spans; and limits on a request's content."""

import base64
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypedDict, cast

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Json


class SpanEvent(TypedDict):
    """Something that happened during a span: its name and its attributes."""

    name: str
    attributes: Mapping[str, Json]


class TraceSpan(TypedDict):
    """One step of a trace.

    `parent_id` is "" if the span has no parent. `start` and `end` are nanoseconds since 1970 in UTC, 0 if they
    are not known. `attributes` have dotted names, flat ("retrieval.documents.0.document.content") or nested. `resource`
    are the attributes of the program that sent the span, "service.name" for example.
    """

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start: int
    end: int
    attributes: Mapping[str, Json]
    events: Sequence[SpanEvent]
    resource: Mapping[str, Json]


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
        raise InvalidInput("The spans cannot be read as JSON.") from error
    if not isinstance(document, Mapping):
        raise InvalidInput('The spans must be a JSON object with the key "resourceSpans".')
    spans: list[TraceSpan] = []
    for group in _objects(document, "resourceSpans"):
        resource = _attributes(_object(group, "resource"))
        for scope in (*_objects(group, "scopeSpans"), *_objects(group, "instrumentationLibrarySpans")):
            spans += [_span(item, resource) for item in _objects(scope, "spans")]
    return spans


def spans_of_protobuf(body: bytes) -> list[TraceSpan]:
    """Return the spans of an OTLP request in protobuf.

    Raises:
        InvalidInput: it is not such a message.
        ModuleNotFoundError: the package `opentelemetry-proto` is not installed.
    """
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    try:
        request = ExportTraceServiceRequest.FromString(body)
    except DecodeError as error:
        raise InvalidInput("The spans cannot be read as an OTLP message in protobuf.") from error
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
        {"name": _text_or_empty(event.get("name")), "attributes": _attributes(event)}
        for event in _objects(item, "events")
    ]
    return {
        "trace_id": trace_id,
        "span_id": span_id,
        "parent_id": _id(item, "parentSpanId"),
        "name": _text_or_empty(item.get("name")),
        "start": _integer(item.get("startTimeUnixNano")),
        "end": _integer(item.get("endTimeUnixNano")),
        "attributes": _attributes(item),
        "events": events,
        "resource": resource,
    }


def _id(item: Mapping[str, object], name: str) -> str:
    value = item.get(name, "")
    if not isinstance(value, str):
        raise InvalidInput(f"The {name} of a span must be a string.")
    return value.lower()


def _attributes(item: Mapping[str, object]) -> dict[str, Json]:
    return {_text_or_empty(pair.get("key")): _any_value(pair.get("value")) for pair in _objects(item, "attributes")}


def _any_value(value: object, level: int = 0) -> Json:
    if not isinstance(value, Mapping) or level > _MOST_LEVELS:
        return None
    for kind, held in value.items():
        if kind == _ARRAY:
            return [_any_value(item, level + 1) for item in _objects(_object(value, _ARRAY), "values")]
        if kind == _OBJECT:
            pairs = _objects(_object(value, _OBJECT), "values")
            return {_text_or_empty(pair.get("key")): _any_value(pair.get("value"), level + 1) for pair in pairs}
        if kind == "intValue":
            return _integer(held)
        if kind == "doubleValue":
            return _number(held)
        if kind in ("stringValue", "bytesValue", "boolValue") and isinstance(held, str | bool):
            return held
    return None


def _number(value: object) -> Json:
    """Return the number for JSON: NaN and infinity, which are texts in OTLP's JSON, become None."""
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
        raise InvalidInput("A span has an invalid time or whole number.") from error
    if not -(2**63) <= number < 2**64:
        raise InvalidInput("A span has a whole number of more than 64 bits.")
    return number


def _text_or_empty(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(item: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = item.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name!r} in the spans must be an object.")
    return value


def _objects(item: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    value = item.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise InvalidInput(f"{name!r} in the spans must be a list of objects.")
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


# Of one span, event, link, scope, resource or value. OpenTelemetry's own limit is 128; OpenInference raises it to this.
MOST_ATTRIBUTES: Final = 10_000
# Messages in one request: spans, events, links, attributes and values in them.
MOST_VALUES: Final = 500_000

_BYTES = 2  # the only wire type that has messages
_FIXED = {1: 8, 5: 4}
_GROUPS = (3, 4)  # obsolete; their contents are scanned as if they were not in a group
_VARINT = 0
_LONGEST_VARINT = 10
_LOW_BITS = 0x7F

# A kind of message: by field, the kind of the messages in it. Field numbers are those of opentelemetry/proto.
_Kind = dict[int, "_Kind"]
_PAIR: _Kind = {}
_VALUE: _Kind = {5: {1: {}}, 6: {1: _PAIR}}
_VALUE[5] = {1: _VALUE}
_PAIR[2] = _VALUE
_EVENT: _Kind = {3: _PAIR}
_LINK: _Kind = {4: _PAIR}
_SPAN: _Kind = {9: _PAIR, 11: _EVENT, 13: _LINK, 15: {}}
_SCOPE: _Kind = {3: _PAIR}
_RESOURCE: _Kind = {1: _PAIR, 3: {3: {}, 4: {}}}
_REQUEST: _Kind = {1: {1: _RESOURCE, 2: {1: _SCOPE, 2: _SPAN}}}


class TooMuch(InvalidInput):
    """A request has more than is read at once."""


def refuse_too_much(body: bytes) -> None:
    """Go through an OTLP request.

    Raises:
        TooMuch: one message has more than `MOST_ATTRIBUTES` attributes, or the request more than `MOST_VALUES`
            messages.
    """
    total = 0
    waiting: list[tuple[int, int, _Kind]] = [(0, len(body), _REQUEST)]
    while waiting:
        at, end, kind = waiting.pop()
        attributes = 0
        while at < end:
            tag, at = _varint(body, at, end)
            if tag & 7 != _BYTES:
                past = _past_number(body, at, end, tag & 7)
                if past is None:
                    return
                at = past
                continue
            length, at = _varint(body, at, end)
            inner = kind.get(tag >> 3)
            if inner is not None:
                total += 1
                attributes += inner is _PAIR
                if total > MOST_VALUES:
                    raise TooMuch(f"The spans contain more than {MOST_VALUES:,} values; send fewer of them at once.")
                if attributes > MOST_ATTRIBUTES:
                    raise too_many_attributes()
                if inner and length:
                    waiting.append((at, min(at + length, end), inner))
            at += length


def _past_number(body: bytes, at: int, end: int, wire: int) -> int | None:
    """Return the end of a value that is not a message; None for an unknown wire type."""
    if wire == _VARINT:
        return _varint(body, at, end)[1]
    if wire in _GROUPS:
        return at
    return at + _FIXED[wire] if wire in _FIXED else None


def too_many_attributes() -> TooMuch:
    """Return the error of a span with too many attributes."""
    return TooMuch(f"A span, or a value in it, has more than {MOST_ATTRIBUTES:,} attributes.")


def _varint(body: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the number that begins at a place, and its end; a truncated number ends the message."""
    number = body[at] if at < end else 0
    if number <= _LOW_BITS:
        return number, at + 1
    number &= _LOW_BITS
    for place in range(1, _LONGEST_VARINT):
        if at + place >= end:
            break
        byte = body[at + place]
        number |= (byte & _LOW_BITS) << (7 * place)
        if byte <= _LOW_BITS:
            return number, at + place + 1
    return 0, end
