"""The tables as typed models, one module per subject."""

__all__ = ["audit", "comparison", "datasets", "inbox", "live", "review", "runs", "typed_tables"]
