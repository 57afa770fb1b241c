"""How long spans wait for the rest of their trace, and how many."""

from faithview.formats.spans.otlp import Span
from faithview.formats.spans.steps import Step
from faithview.services.traces import JoinLimits, SpanBuffer


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _span(trace_id: str, span_id: str, parent_id: str = "") -> Span:
    return Span(trace_id, Step(step_id=span_id, parent_id=parent_id))


def _ids(spans: list[Span]) -> list[str]:
    return [f"{span.trace_id}{span.step.step_id}" for span in spans]


def test_a_trace_settles_after_its_outermost_span() -> None:
    clock = _Clock()
    buffer = SpanBuffer(JoinLimits(settle_s=5, idle_s=60), clock=clock)
    buffer.add([_span("a", "2", "1")], size=10)
    clock.now = 30
    assert buffer.take() == []
    buffer.add([_span("a", "1")], size=10)
    clock.now = 34
    buffer.add([_span("a", "3", "1")], size=10)
    clock.now = 38
    assert buffer.take() == []
    clock.now = 39
    assert sorted(_ids(buffer.take())) == ["a1", "a2", "a3"]
    assert (buffer.spans, buffer.take()) == (0, [])


def test_a_trace_without_its_outermost_span_is_given_up_after_a_while() -> None:
    clock = _Clock()
    buffer = SpanBuffer(JoinLimits(settle_s=5, idle_s=60), clock=clock)
    buffer.add([_span("a", "2", "1")], size=10)
    clock.now = 59
    assert buffer.take() == []
    clock.now = 60
    assert _ids(buffer.take()) == ["a2"]


def test_a_span_that_comes_twice_is_held_once() -> None:
    buffer = SpanBuffer(JoinLimits(), clock=_Clock())
    for _ in range(3):
        buffer.add([_span("a", "1")], size=10)
    assert buffer.spans == 1
    assert _ids(buffer.take_all()) == ["a1"]
    assert buffer.spans == 0


def test_when_too_much_is_held_the_quietest_traces_go_first() -> None:
    clock = _Clock()
    buffer = SpanBuffer(JoinLimits(spans=3), clock=clock)
    for trace_id in "abc":
        buffer.add([_span(trace_id, "1", "0")], size=10)
    buffer.add([_span("a", "2", "0")], size=10)
    assert buffer.is_full
    assert _ids(buffer.take()) == ["b1", "c1"]
    assert buffer.spans == 2


def test_large_spans_fill_the_buffer_too() -> None:
    buffer = SpanBuffer(JoinLimits(bytes=9_000), clock=_Clock())
    buffer.add([_span("a", "1", "0")], size=9_000)
    assert buffer.is_full
    assert _ids(buffer.take()) == ["a1"]
    assert not buffer.is_full
