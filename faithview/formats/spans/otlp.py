"""OpenTelemetry's own messages (OTLP), as protobuf and as JSON: their spans, and the answers in them."""

import base64
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from faithview.domain.errors import InvalidInput, InvalidSample
from faithview.domain.sample import Json, Sample
from faithview.formats.reading.values import as_time, text_of
from faithview.formats.rows.cells import find_unstorable
from faithview.formats.spans.attributes import with_content
from faithview.formats.spans.steps import MODEL, Step, answer_in


class Span(NamedTuple):
    """A step and the trace that it belongs to; its details are the service, the model and the conversation."""

    trace_id: str
    step: Step


# Instrumentation nests values about five levels deep.
_MOST_LEVELS = 32


def spans_of_json(body: bytes) -> list[Span]:
    """Return the spans of an OTLP request, or of a line that the Collector's file exporter wrote, in JSON.

    Raises:
        InvalidInput: it is not JSON, or not of that shape.
    """
    try:
        document = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The spans cannot be read as JSON.") from error
    return spans_of_document(document)


def spans_of_protobuf(body: bytes) -> list[Span]:
    """Return the spans of an OTLP request in protobuf.

    Raises:
        InvalidInput: it is not such a message.
        ModuleNotFoundError: the package `opentelemetry-proto` is not installed.
    """
    from google.protobuf.json_format import MessageToDict
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    try:
        request = ExportTraceServiceRequest.FromString(body)
    except DecodeError as error:
        raise InvalidInput("The spans cannot be read as an OTLP message in protobuf.") from error
    # Protobuf's own JSON has ids in base64, that of OTLP has them in hexadecimal digits.
    return spans_of_document(MessageToDict(request), read_id=lambda text: base64.b64decode(text).hex())


def spans_of_document(document: Any, *, read_id: Callable[[str], str] = str.lower) -> list[Span]:
    """Return the spans in OTLP's JSON, once it is read.

    Args:
        document: the JSON value.
        read_id: returns an id in hexadecimal digits.

    Raises:
        InvalidInput: it is not of that shape, or a span has no id.
    """
    spans: list[Span] = []
    try:
        for group in document.get("resourceSpans") or ():
            resource = _attributes(group.get("resource") or {})
            for scope in group.get("scopeSpans") or group.get("instrumentationLibrarySpans") or ():
                spans += [_span(item, resource, read_id) for item in scope.get("spans") or ()]
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(
            'The spans are not in the form of OTLP: an object with "resourceSpans", and in each span a "traceId", a '
            '"spanId", and times in nanoseconds.'
        ) from error
    return spans


def _span(item: Mapping[str, Any], resource: Mapping[str, Json], read_id: Callable[[str], str]) -> Span:
    trace_id, span_id = read_id(item["traceId"]), read_id(item["spanId"])
    if not trace_id or not span_id:
        raise ValueError("an empty id")
    step = Step(
        step_id=span_id,
        parent_id=read_id(item.get("parentSpanId") or ""),
        name=text_of(item.get("name")),
        start=as_time(int(item.get("startTimeUnixNano") or 0)),
        end=as_time(int(item.get("endTimeUnixNano") or 0)),
        details={"service": service} if (service := text_of(resource.get("service.name"))) else {},
    )
    events = [{"name": event.get("name"), "attributes": _attributes(event)} for event in item.get("events") or ()]
    return Span(trace_id, with_content(step, _attributes(item), events))


def _attributes(item: Mapping[str, Any]) -> dict[str, Json]:
    return {str(pair.get("key", "")): _value(pair.get("value") or {}) for pair in item.get("attributes") or ()}


def _value(value: Mapping[str, Any], level: int = 0) -> Json:
    kind = next(iter(value), "")
    held: Any = value.get(kind)
    if level > _MOST_LEVELS:
        return None
    if kind == "arrayValue":
        return [_value(item, level + 1) for item in held.get("values") or ()]
    if kind == "kvlistValue":
        return {
            str(pair.get("key", "")): _value(pair.get("value") or {}, level + 1) for pair in held.get("values") or ()
        }
    if kind == "intValue":
        return int(held)
    if kind == "doubleValue":
        return float(held) if math.isfinite(float(held)) else None
    return held if isinstance(held, str | bool) else None


@dataclass(slots=True, kw_only=True)
class TraceAnswers:
    """The answers found in spans.

    `samples` have the trace's id as key, its begin as timestamp, and "trace_id", "service", "model" and "conversation"
    as `extra`, as far as they are known. `without_chunks` are traces with a call of a model and no retrieval, or none
    with recorded texts; `without_text` are answers whose text was not recorded; `unusable` are answers with characters
    that cannot be stored.
    """

    samples: list[Sample] = field(default_factory=list)
    without_chunks: int = 0
    without_text: int = 0
    unusable: int = 0


def answers_in(spans: Iterable[Span]) -> TraceAnswers:
    """Return the answers in spans of one trace or of several, in any order; a span that comes twice counts once."""
    traces: dict[str, dict[str, Span]] = {}
    for span in spans:
        traces.setdefault(span.trace_id, {})[span.step.step_id] = span
    found = TraceAnswers()
    for trace_id, trace in traces.items():
        steps = [span.step for span in trace.values()]
        question, answer, chunks = answer_in(steps)
        if not chunks:
            found.without_chunks += any(step.kind == MODEL for step in steps)
            continue
        if answer is None:
            found.without_text += 1
            continue
        details = {name: value for step in steps for name, value in step.details.items()}
        extra: dict[str, Json] = {"trace_id": trace_id, **details}
        began = min((step.start for step in steps if step.start), default=None)
        try:
            if find_unstorable([extra, *(dict(chunk.metadata) for chunk in chunks)]) is not None:
                raise InvalidSample("An attribute of the span holds a character that cannot be stored.")
            sample = Sample(answer=answer, chunks=chunks, question=question, key=trace_id, timestamp=began, extra=extra)
            found.samples.append(sample)
        except InvalidSample:
            found.unusable += 1
    return found
