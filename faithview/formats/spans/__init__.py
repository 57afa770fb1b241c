"""Spans of traces: reads OTLP and finds answers with their chunks. `answers_in` is the main function."""

from faithview.formats.spans.answers import TraceAnswers, answers_in
from faithview.formats.spans.otlp import SpanEvent, TraceSpan

__all__ = ["SpanEvent", "TraceAnswers", "TraceSpan", "answers_in", "otlp"]
