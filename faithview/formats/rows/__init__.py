"""Rows into samples: which column means what, and how to read each cell."""

__all__ = ["cells", "mapping", "samples"]
