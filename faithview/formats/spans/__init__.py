"""Spans of traces: OTLP in, answers with their chunks out. `answers_in` is the whole of it."""

from faithview.formats.spans.answers import TraceAnswers, answers_in
from faithview.formats.spans.otlp import SpanEvent, TraceSpan

__all__ = ["SpanEvent", "TraceAnswers", "TraceSpan", "answers_in", "otlp"]
