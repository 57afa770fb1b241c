"""Bytes into tables: compression, encodings, delimiters and JSON shapes; nothing here knows what a column means."""

__all__ = ["atomic_file", "json_text", "packed_tables", "report", "source", "tables"]
