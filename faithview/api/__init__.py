"""The Python API: what `from faithview import ...` gives, one module per subject."""

__all__ = ["check", "evaluate", "frames", "results", "store"]
