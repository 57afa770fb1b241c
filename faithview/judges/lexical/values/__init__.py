"""Numbers, quantities, dates and times, read from a text and compared."""

__all__ = ["dates", "equality", "extract", "model"]
