"""File formats: `files` turns bytes into tables, `rows` makes samples of rows, and `readers` has a module per tool."""

__all__ = [
    "files",
    "knowledge_base",
    "labelled",
    "limits",
    "read",
    "readers",
    "reading",
    "rows",
    "spans",
    "write",
]
