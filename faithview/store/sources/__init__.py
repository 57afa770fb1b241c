"""Queries on the chunks of a run."""

__all__ = ["chunk_uses"]
