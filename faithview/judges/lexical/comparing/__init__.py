"""A claim compared with the chunks: names, values and edits."""

__all__ = ["comparison", "edits", "names", "value_conflicts"]
