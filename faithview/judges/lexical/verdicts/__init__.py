"""From figures to a verdict with its reasons and its quotes."""

__all__ = ["decide", "explanations"]
