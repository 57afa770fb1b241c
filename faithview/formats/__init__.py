"""File formats: `files` turns bytes into tables, `rows` turns rows into samples; a module here for each format."""

__all__ = [
    "dataset",
    "export",
    "files",
    "knowledge_base",
    "labelled",
    "rows",
    "table_export",
]
