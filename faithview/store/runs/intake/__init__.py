"""Runs whose rows are stored batch by batch, and the mark that says so until the last row is there."""

__all__ = ["busy", "heartbeat", "marks", "rows"]
