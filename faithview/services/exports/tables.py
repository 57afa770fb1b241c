"""Tables as files to download, for a spreadsheet or a notebook."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from faithview.formats.export import EXPORT_FORMATS, ExportFormat
from faithview.formats.table_export import TableRow, table_bytes

__all__ = ["EXPORT_FORMATS", "MIME_TYPES", "ExportFormat", "TableRow", "file_name", "write_table"]

MIME_TYPES: Mapping[ExportFormat, str] = MappingProxyType(
    {"csv": "text/csv", "jsonl": "application/jsonl", "parquet": "application/vnd.apache.parquet"}
)
_LONGEST_NAME = 80


def write_table(rows: Iterable[TableRow], *, file_format: ExportFormat, columns: Sequence[str] | None = None) -> bytes:
    """Return a table as the bytes of a CSV, JSON Lines or parquet file (see `formats.table_export.table_bytes`).

    Raises:
        InvalidInput: the format is unknown.
    """
    return table_bytes(rows, format=file_format, columns=columns)


def file_name(*parts: str, ending: str) -> str:
    """Return a file name made of these parts that is valid on every system: "Week 44-answers.csv"."""
    words = (re.sub(r"[^\w. -]+", "_", part).strip(" ._-") for part in parts)
    name = "-".join(word for word in words if word)[:_LONGEST_NAME].rstrip(" ._-")
    return f"{name or 'table'}.{ending}"
