"""Mappings of columns that people saved to use again."""

__all__ = ["saved_mappings"]
