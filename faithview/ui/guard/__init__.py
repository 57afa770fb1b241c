"""The guard page: what would be sent instead of an answer, and why."""

__all__ = ["attempts", "before_after", "edits", "outcome", "request", "saving"]
