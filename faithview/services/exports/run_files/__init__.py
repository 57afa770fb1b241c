"""A run as a file: the shapes that there are, and writing one."""

__all__ = ["formats", "write"]
