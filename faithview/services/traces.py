"""Join the spans of a trace that arrive in several requests.

Programs export spans in batches, children before their parents: a retriever's span may come in one request and the
model's in the next, or from another machine. A trace is read when a moment has passed after its outermost span, when no
span came for a while, or when the buffer is full; later spans form a new trace.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from faithview.formats.spans import TraceSpan, otlp

TooMuch = otlp.TooMuch

# The approximate memory of a span apart from its texts, and of each value in it.
_SPAN_BYTES = 2_000
_VALUE_BYTES = 150


def read_protobuf(body: bytes) -> list[TraceSpan]:
    """Return the spans of an OTLP request in protobuf.

    Raises:
        TooMuch: it has too many values, or a span has too many attributes.
        InvalidInput: it is not such a message.
    """
    otlp.refuse_too_much(body)
    return otlp.spans_of_protobuf(body)


def read_json(body: bytes) -> list[TraceSpan]:
    """Return the spans of an OTLP request in JSON; raises what `read_protobuf` raises."""
    spans = otlp.spans_of_json(body)
    for span in spans:
        if len(span["attributes"]) > otlp.MOST_ATTRIBUTES:
            raise otlp.too_many_attributes()
    return spans


def memory_of(spans: Iterable[TraceSpan], *, size: int) -> int:
    """Return the approximate memory, in bytes, of spans from a body of that size."""
    values = 0
    waiting: list[object] = []
    for span in spans:
        waiting.append(span["attributes"])
        waiting += [event["attributes"] for event in span["events"]]
        while waiting:
            value = waiting.pop()
            values += 1
            if isinstance(value, Mapping):
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value
    return size + values * _VALUE_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinLimits:
    """The limits of a buffer of spans: how long it waits, and how much it holds.

    Attributes:
        settle_s: the wait after the outermost span of a trace; batches of one program arrive within seconds.
        idle_s: the wait after the last span of a trace without its outermost span.
        longest_s: the longest wait after the first span of a trace.
        spans: the maximum number of spans of all traces.
        bytes: the maximum size of all traces, as received.
    """

    settle_s: float = 5.0
    idle_s: float = 60.0
    longest_s: float = 600.0
    spans: int = 100_000
    bytes: int = 256 * 1024 * 1024


@dataclass(slots=True)
class _Trace:
    first_at: float
    last_at: float
    has_root: bool = False
    # Spans with their estimated memory.
    spans: dict[str, tuple[TraceSpan, int]] = field(default_factory=dict)
    size: int = 0


class SpanBuffer:
    """Holds spans until their trace is complete. Not safe to share between threads."""

    def __init__(self, limits: JoinLimits, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._traces: OrderedDict[str, _Trace] = OrderedDict()  # the most recently extended one is last
        self.spans = 0
        self._bytes = 0

    def add(self, spans: Iterable[TraceSpan], *, size: int) -> None:
        """Hold spans; `size` is their total memory in bytes. A span with a known id replaces the old one."""
        given = list(spans)
        share = size // len(given) + _SPAN_BYTES if given else 0
        now = self._clock()
        for span in given:
            trace = self._traces.setdefault(span["trace_id"], _Trace(now, now))
            self._traces.move_to_end(span["trace_id"])
            trace.last_at = now
            trace.has_root = trace.has_root or not span["parent_id"]
            _, before = trace.spans.get(span["span_id"], (None, 0))
            self.spans += not before
            self._bytes += share - before
            trace.size += share - before
            trace.spans[span["span_id"]] = span, share

    @property
    def is_full(self) -> bool:
        """Whether the limits are reached."""
        return self.spans >= self._limits.spans or self._bytes >= self._limits.bytes

    def take(self) -> list[TraceSpan]:
        """Remove and return the spans of all traces that are ready."""
        now = self._clock()
        due = [trace_id for trace_id, trace in self._traces.items() if self._is_due(trace, now)]
        taken = [span for trace_id in due for span in self._forget(trace_id)]
        while self._traces and self.is_full:
            taken += self._forget(next(iter(self._traces)))
        return taken

    def take_all(self) -> list[TraceSpan]:
        """Remove and return all spans, of complete and incomplete traces."""
        return [span for trace_id in list(self._traces) for span in self._forget(trace_id)]

    def _is_due(self, trace: _Trace, now: float) -> bool:
        patience = self._limits.settle_s if trace.has_root else self._limits.idle_s
        return now - trace.last_at >= patience or now - trace.first_at >= self._limits.longest_s

    def _forget(self, trace_id: str) -> list[TraceSpan]:
        trace = self._traces.pop(trace_id)
        self.spans -= len(trace.spans)
        self._bytes -= trace.size
        return [span for span, _ in trace.spans.values()]
