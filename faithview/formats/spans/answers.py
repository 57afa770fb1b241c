"""The answers in the spans that a program sends while it runs: one for each trace."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from faithview.domain.errors import InvalidSample
from faithview.domain.sample import Json, Sample
from faithview.formats.rows.cells import find_unstorable
from faithview.formats.spans.attributes import details_of, with_content
from faithview.formats.spans.otlp import TraceSpan
from faithview.formats.spans.steps import MODEL, Step, answer_in, first_time

_NS = 1_000_000_000


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


def answers_in(spans: Iterable[TraceSpan]) -> TraceAnswers:
    """Return the answers in spans of one trace or of several, in any order; a span that comes twice counts once."""
    traces: dict[str, dict[str, TraceSpan]] = {}
    for span in spans:
        traces.setdefault(span["trace_id"], {})[span["span_id"]] = span
    found = TraceAnswers()
    for trace_id, trace in traces.items():
        steps = [step_of(span) for span in trace.values()]
        question, answer, chunks = answer_in(steps)
        if not chunks:
            found.without_chunks += any(step.kind == MODEL for step in steps)
            continue
        if answer is None:
            found.without_text += 1
            continue
        extra: dict[str, Json] = {"trace_id": trace_id, **details_of_trace(list(trace.values()))}
        try:
            if find_unstorable([extra, *(dict(chunk.metadata) for chunk in chunks)]) is not None:
                raise InvalidSample("An attribute of the span holds a character that cannot be stored.")
            sample = Sample(
                answer=answer, chunks=chunks, question=question, key=trace_id, timestamp=first_time(steps), extra=extra
            )
        except InvalidSample:
            found.unusable += 1
            continue
        found.samples.append(sample)
    return found


def step_of(span: TraceSpan) -> Step:
    """Return a span as a step."""
    step = Step(
        step_id=span["span_id"],
        parent_id=span["parent_id"],
        name=span["name"],
        start=span["start"] / _NS,
        end=span["end"] / _NS,
    )
    return with_content(step, span["attributes"], span["events"])


def details_of_trace(spans: Sequence[TraceSpan]) -> dict[str, str]:
    """Return the service, the model and the conversation that the spans name."""
    found: dict[str, str] = {}
    for span in spans:
        service = span["resource"].get("service.name")
        found |= {"service": service} if isinstance(service, str) and service else {}
        found |= details_of(span["attributes"])
    return found
