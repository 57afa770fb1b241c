"""A claim that nearly repeats a sentence of the chunks: which words it swaps, adds or leaves out."""

__all__ = ["aligning", "contrasts", "find_edit"]
