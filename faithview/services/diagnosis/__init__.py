"""Trying out what is set up: the store, the judges on this machine, and the servers that other judges ask."""

__all__ = ["diagnose", "document"]
