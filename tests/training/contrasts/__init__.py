"""Contrast pairs: statements of a document beside the same statements with one small thing changed."""

__all__ = ["edits", "pairs", "words"]
