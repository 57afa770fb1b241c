"""Spans of traces that arrive in pieces, and the answers in them."""

__all__ = ["span_buffer"]
