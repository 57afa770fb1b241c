"""Loaded models: where their files are, what they are given to read, and what their numbers mean."""

__all__ = ["labels", "pairs", "shared", "tokens"]
