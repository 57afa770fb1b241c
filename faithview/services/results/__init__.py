"""Stored runs and answers: listed, opened and searched. Every other use case builds on this package."""

__all__ = ["answers", "runs"]
