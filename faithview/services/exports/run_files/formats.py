"""The shapes in which a run can be written; knows no store, so that `faithview export --help` lists them at once."""

from faithview.formats.exporters.registry import BUILTIN_NAMES, Exporters, list_exporters

__all__ = ["BUILTIN_NAMES", "list_formats"]


def list_formats() -> Exporters:
    """Return the shapes in which a run can be written, plug-ins included, and what is to be said of broken ones."""
    return list_exporters()
