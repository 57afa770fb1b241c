"""Checks claims about the fields of records and the cells of tables."""

__all__ = ["cells", "grids", "opening_hours", "said_hours", "schedule", "yes_no"]
