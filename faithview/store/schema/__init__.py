"""The tables as typed models, one module per subject."""

__all__ = ["audit", "comparison", "inbox", "live", "preflights", "review", "runs", "typed_tables"]
