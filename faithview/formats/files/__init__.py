"""Bytes into tables: compression, encodings, delimiters and JSON shapes; the meaning of columns is ignored."""

__all__ = ["atomic_file", "json_text", "packed_tables", "report", "source", "tables"]
