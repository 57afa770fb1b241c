"""Queries on alert rules and alerts."""
