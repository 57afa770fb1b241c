"""The tables as typed models, one module per subject."""

__all__ = ["comparison", "inbox", "review", "runs"]
