"""Files as tables: bytes, encodings, delimiters, and the rows and columns within."""
