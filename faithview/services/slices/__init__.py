"""Where a run goes wrong: the slices of its answers that score lower than the others."""

__all__ = ["bands", "find", "properties", "words"]
