"""Queries on alert rules and alerts."""

__all__ = ["alerts", "unchecked"]
