"""Judging answers: creating, executing, resuming and pricing runs."""
