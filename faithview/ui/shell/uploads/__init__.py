"""Uploaded files: who may send one, how it gets onto disk while it arrives, and how a page opens it."""

__all__ = ["folder", "held", "opening", "permission", "receiver"]
