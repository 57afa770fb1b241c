"""One claim, or a whole answer, held against the chunks."""

__all__ = ["answer", "claim", "find_conflict"]
