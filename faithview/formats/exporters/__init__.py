"""A run in the shape of another program: one module for each, and plug-ins."""

__all__ = ["exporter", "other_tools", "registry"]
