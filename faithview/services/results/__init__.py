"""Stored runs and answers: listed, opened, searched and edited. Every other use case builds on this package."""

__all__ = ["answers", "run_edits", "runs", "troubles"]
