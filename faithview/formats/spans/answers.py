"""The answers in the spans that a program sends while it runs: one for each trace."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from faithview.domain.errors import InvalidSample
from faithview.domain.sample import Json, Sample
from faithview.formats.rows.cells import find_unstorable
from faithview.formats.spans.otlp import Span
from faithview.formats.spans.steps import MODEL, answer_in


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
        details = {name: value for span in trace.values() for name, value in span.details.items()}
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
