"""Rows on their way into a run: stored batch by batch while a file is read, and read on where somebody stopped."""

__all__ = ["liveness", "read_on", "store_rows"]
