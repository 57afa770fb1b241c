"""Texts that are older than they are kept: found, and deleted for good."""

__all__ = ["old_texts"]
