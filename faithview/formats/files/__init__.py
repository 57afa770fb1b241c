"""Bytes into tables: compression, encodings, delimiters and JSON shapes; the meaning of columns is ignored."""
