"""Rows into samples: which column means what, and how to read each cell."""

__all__ = ["cells", "chunk_rows", "contexts", "guess_columns", "mapping", "samples"]
