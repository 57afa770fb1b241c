"""Queries on dated rows and events."""

__all__ = ["dated_rows", "events"]
