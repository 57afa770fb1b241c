"""Join the spans of a trace that arrive in several requests.

Programs export spans in batches, children before their parents: a retriever's span may come in one request and the
model's in the next, or from another machine. A trace is read when a moment has passed after its outermost span, when no
span came for a while, or when the buffer is full; later spans form a new trace.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from faithview.formats.spans.otlp import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinLimits:
    """The limits of a buffer of spans: how long it waits, and how much it holds.

    Attributes:
        settle_s: the wait after the last span of a trace with its outermost span; batches of one program arrive within
            seconds.
        idle_s: the wait after the last span of a trace without its outermost span.
        spans: the maximum number of spans of all traces.
        bytes: the maximum size of all traces, as received; in memory they take several times as much.
    """

    settle_s: float = 5.0
    idle_s: float = 60.0
    spans: int = 100_000
    bytes: int = 64 * 1024 * 1024


@dataclass(slots=True)
class _Trace:
    last_at: float = 0.0
    has_root: bool = False
    size: float = 0.0
    spans: dict[str, Span] = field(default_factory=dict)


class SpanBuffer:
    """Holds spans until their trace is complete. Not safe to share between threads."""

    def __init__(self, limits: JoinLimits, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._traces: OrderedDict[str, _Trace] = OrderedDict()  # the most recently extended one is last
        self.spans = 0
        self._bytes = 0.0

    def add(self, spans: Iterable[Span], *, size: int) -> None:
        """Hold spans; `size` is their total size in bytes. A span with a known id replaces the old one."""
        given = list(spans)
        for span in given:
            trace = self._traces.setdefault(span.trace_id, _Trace())
            self._traces.move_to_end(span.trace_id)
            trace.last_at = self._clock()
            trace.has_root = trace.has_root or not span.step.parent_id
            trace.size += size / len(given)
            self._bytes += size / len(given)
            self.spans += span.step.step_id not in trace.spans
            trace.spans[span.step.step_id] = span

    @property
    def is_full(self) -> bool:
        """Whether the limits are reached."""
        return self.spans >= self._limits.spans or self._bytes >= self._limits.bytes

    def take(self) -> list[Span]:
        """Remove and return the spans of all traces that are ready; of the quietest ones too while it is full."""
        now, limits = self._clock(), self._limits
        due = [
            trace_id
            for trace_id, trace in self._traces.items()
            if now - trace.last_at >= (limits.settle_s if trace.has_root else limits.idle_s)
        ]
        taken = [span for trace_id in due for span in self._forget(trace_id)]
        while self._traces and self.is_full:
            taken += self._forget(next(iter(self._traces)))
        return taken

    def take_all(self) -> list[Span]:
        """Remove and return all spans, of complete and incomplete traces."""
        return [span for trace_id in list(self._traces) for span in self._forget(trace_id)]

    def _forget(self, trace_id: str) -> Iterable[Span]:
        trace = self._traces.pop(trace_id)
        self.spans -= len(trace.spans)
        self._bytes = self._bytes - trace.size if self._traces else 0.0  # no rounding is left
        return trace.spans.values()
