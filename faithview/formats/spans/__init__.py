"""Spans and other steps of traces, and the answer in them."""

from faithview.formats.spans.answers import TraceAnswers, answers_in
from faithview.formats.spans.otlp import SpanEvent, TraceSpan

__all__ = ["SpanEvent", "TraceAnswers", "TraceSpan", "answers_in", "otlp"]
