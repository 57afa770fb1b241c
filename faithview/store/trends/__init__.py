"""Queries on dated rows and events."""
