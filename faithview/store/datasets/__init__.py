"""Queries on data sets: which there are, their rows, their tags and what is held out."""

__all__ = ["listing", "marks", "rows"]
