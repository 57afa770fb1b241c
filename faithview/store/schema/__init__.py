"""The tables as typed models, one module per subject."""

__all__ = ["comparison", "datasets", "inbox", "live", "review", "runs"]
