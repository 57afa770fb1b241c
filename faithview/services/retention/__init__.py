"""Retention: texts that are older than they are kept are deleted for good."""

__all__ = ["apply"]
