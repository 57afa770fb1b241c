"""Queries on dated rows and events."""

__all__ = ["dated_rows", "events", "scored_rows"]
