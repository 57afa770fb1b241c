"""Mappings of columns that are saved under a name and offered again for files with the same columns."""

__all__ = ["saved"]
