"""Spans and other steps of traces, and the answer in them."""

from faithview.formats.spans.answers import TraceAnswers, answers_in
from faithview.formats.spans.otlp import Span, spans_of_json, spans_of_protobuf

__all__ = ["Span", "TraceAnswers", "answers_in", "spans_of_json", "spans_of_protobuf"]
