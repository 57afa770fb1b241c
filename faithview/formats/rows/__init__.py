"""Turns rows into samples: the meaning of each column, and the parsing of each cell."""

__all__ = ["cells", "chunk_rows", "contexts", "guess_columns", "mapping", "samples"]
