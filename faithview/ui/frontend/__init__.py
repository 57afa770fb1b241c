"""The scripts and styles that run in the browser."""

__all__ = ["component_files"]
