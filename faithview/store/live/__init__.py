"""Queries on what live applications log."""

__all__ = ["logged_answers", "windows"]
