"""Rows of the audit log, written with each change and read page by page."""

__all__ = ["entries"]
