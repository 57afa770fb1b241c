"""The file of a knowledge base: one chunk per row, with its text and, if there are any, its id and metadata."""

from collections.abc import Iterator, Sequence

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Chunk, Json
from faithview.formats.files.report import ReadReport
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.rows.cells import BadCell, as_json, as_text, find_unstorable, is_missing, parsed
from faithview.formats.rows.each_row import each_row
from faithview.formats.rows.mapping import by_folded_name, list_columns

# Column names as `fold_name` writes them, most likely first.
_TEXT = ("text", "chunk_text", "page_content", "content", "chunk", "passage", "document", "body", "context")
_ID = ("id", "chunk_id", "passage_id", "document_id", "doc_id", "_id", "id_", "uid", "uuid", "key")
_METADATA = ("metadata", "meta")


def read_chunks(table: Table, *, report: ReadReport) -> Iterator[Chunk]:
    """Yield the table's rows as chunks; a bad row is added to the report and does not stop the others.

    A chunk without an id gets its row's number; ids need not be unique. All other columns become metadata.

    Raises:
        InvalidInput: at once, if no column has a name for the text; the message lists the columns.
        UnreadableFile: later, if the file turns out to be damaged.
    """
    text = _find(_TEXT, table.columns)
    if text is None:
        raise InvalidInput(
            f"Which column of {table.name} holds the chunk's text? Rename it to 'text'. The columns are "
            f"{list_columns(table.columns)}."
        )
    key, metadata = _find(_ID, table.columns), _find(_METADATA, table.columns)
    found = each_row(table, lambda row: _chunk(row, text, key, metadata), report)
    return (chunk for chunk in found if isinstance(chunk, Chunk))


def _chunk(row: RawRow, text: str, key: str | None, metadata: str | None) -> Chunk:
    content = as_text(row.values.get(text), what="text")
    if content is None:
        raise BadCell("no text")
    chunk_id = (as_text(row.values.get(key), what="id") if key else None) or str(row.line)
    meta = _metadata(row.values.get(metadata or ""))
    for column, value in row.values.items():
        if column not in (text, key, metadata) and not is_missing(value):
            meta.setdefault(column, as_json(value))
    for what, value in (("text", content), ("id", chunk_id), ("metadata", meta)):
        if unstorable := find_unstorable(value):
            raise BadCell(f"the {what} contains {unstorable}, which cannot be stored")
    return Chunk(text=content, chunk_id=chunk_id, rank=row.line, metadata=meta)


def _metadata(value: object) -> dict[str, Json]:
    """Return the members of an object, also of one in text; any other value is stored under "metadata"."""
    found = as_json(parsed(value))
    if isinstance(found, dict):
        return found
    return {} if is_missing(found) else {"metadata": found}


def _find(names: Sequence[str], columns: Sequence[str]) -> str | None:
    named = by_folded_name(columns)
    return next((named[name] for name in names if name in named), None)
