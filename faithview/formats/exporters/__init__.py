"""Exporters that write a run in the formats of other programs, plug-ins included."""

__all__ = ["exporter", "other_tools", "registry"]
