"""Fields of records and rows of tables, found in the text of a chunk."""

__all__ = ["field", "json_fields", "key_lines", "tables"]
