"""A span as a plain dict: what every source of traces is turned into before anything is read from it."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from faithview.domain.sample import Json


class SpanEvent(TypedDict):
    """Something that happened during a span: its name and its attributes."""

    name: str
    attributes: Mapping[str, Json]


class TraceSpan(TypedDict):
    """One step of a trace.

    `parent_id` is "" where the span has no parent. `start` and `end` are nanoseconds since 1970 in UTC, 0 where they
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
