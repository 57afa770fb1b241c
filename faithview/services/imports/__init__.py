"""Results that other tools have written, taken over as runs of their own without judging again."""

__all__ = ["import_run", "preview", "results"]
