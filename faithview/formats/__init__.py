"""File formats: `files` turns bytes into tables, `rows` rows into samples, and `readers` know one tool's files each."""

__all__ = [
    "files",
    "knowledge_base",
    "labelled",
    "limits",
    "read",
    "readers",
    "reading",
    "rows",
    "run_export",
    "spans",
    "table_file",
]
