"""Rows written as CSV, JSON Lines or parquet, in every export: of tables, runs and labels."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, get_args

from faithview.domain.errors import InvalidInput
from faithview.domain.hidden_characters import escape_in_json
from faithview.domain.private_file import private

ExportFormat: TypeAlias = Literal["jsonl", "csv", "parquet"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

# Text, a number, a bool, a time or None; or lists and mappings of these.
Cell: TypeAlias = object
TableRow: TypeAlias = Mapping[str, Cell]

# A spreadsheet runs a cell that begins with one of these as a formula; full-width ones count as well.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_FORMULA_START = re.compile(rf"[\t\r]|\s*[{_SIGNS}]")
# A text that already has apostrophes gets one more, so removing one restores it.
_GUARDED_START = re.compile(rf"'*(?:{_FORMULA_START.pattern})")
# With semicolons or tabs as cell separators (in half of Europe, or after pasting), a cell may begin inside a text, and
# quotation marks do not protect it. A minus or plus also begins list items, so it counts only with a call or a
# reference after it.
_INSIDE = r"'*(?:[=@\uff1d\uff20]|[+\-\uff0b\uff0d][^;\t\r\n]*[(|!])"
_FORMULA_INSIDE = re.compile(rf"([;\t\r\n|][ \t]*)(?={_INSIDE})")
_GUARDED_INSIDE = re.compile(rf"([;\t\r\n|][ \t]*)'(?={_INSIDE})")


def check_format(name: str) -> None:
    """Check the name of a format of files.

    Raises:
        InvalidInput: it is unknown.
    """
    if name not in EXPORT_FORMATS:
        raise InvalidInput(f"There is no export format {name!r}; known are {', '.join(EXPORT_FORMATS)}.")


def open_new(path: Path) -> BinaryIO:
    """Open a new file that only its owner may read; raises FileExistsError if there is one."""
    return open(path, "xb", opener=private)


def write_csv(columns: Iterable[str], rows: Iterable[Iterable[object]], stream: BinaryIO) -> int:
    """Write a header and rows of cells, which `csv_cell` makes of values, and return the number of rows."""
    count = 0
    # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        count += 1
        writer.writerow(row)
    text.detach()  # writes the rest, and leaves the stream open
    return count


def csv_cell(value: Any) -> Any:
    """Return a value as a CSV cell: lists and mappings as JSON text, formulas made safe, numbers as they are."""
    flat = flat_cell(value)
    return as_safe_cell(flat) if isinstance(flat, str) else flat


def flat_cell(value: Any) -> Any:
    """Return a value as one cell: lists and mappings as JSON text, times in ISO 8601."""
    if isinstance(value, list | dict):
        return _json(value)
    return value.isoformat() if isinstance(value, date) else value


def write_json_lines(rows: Iterable[TableRow], stream: BinaryIO, *, escape_hidden: bool = False) -> int:
    """Write one JSON object per line and return their number; hidden characters are escaped only on request."""
    count = 0
    for row in rows:
        count += 1
        line = _json(row)
        stream.write(f"{escape_in_json(line) if escape_hidden else line}\n".encode())
    return count


def write_parquet(
    batches: Iterable[Sequence[TableRow]],
    columns: Mapping[str, tuple[Any, Callable[[Any], Any]]],
    stream: BinaryIO,
) -> int:
    """Write batches of rows, each as a row group, and return the number of rows.

    Args:
        batches: the rows.
        columns: each column's pyarrow type, and a function that converts values to it; None is null in every column.
        stream: the open file.
    """
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([pyarrow.field(name, kind) for name, (kind, _) in columns.items()])
    count = 0
    with pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd") as file:
        for batch in batches:
            arrays = [
                pyarrow.array([None if row.get(name) is None else convert(row[name]) for row in batch], type=kind)
                for name, (kind, convert) in columns.items()
            ]
            file.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


def as_safe_cell(text: str) -> str:
    """Return a CSV cell with this text that no spreadsheet runs as a formula: with an apostrophe before each sign."""
    safe = _FORMULA_INSIDE.sub(r"\1'", text)
    return f"'{safe}" if _GUARDED_START.match(text) else safe


def from_safe_cell(cell: str) -> str:
    """Return the text from which `as_safe_cell` made this cell."""
    # Inner ones first: the one at the start was decided on the text without them.
    text = _GUARDED_INSIDE.sub(r"\1", cell)
    return text[1:] if text.startswith("'") and _GUARDED_START.match(text[1:]) else text


def begins_formula(text: str) -> bool:
    """Return whether a spreadsheet would run the text as a formula."""
    return _FORMULA_START.match(text) is not None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def in_batches(rows: Iterable[TableRow], most_rows: int) -> Iterator[list[TableRow]]:
    """Yield rows in batches of so many."""
    left = iter(rows)
    while batch := list(islice(left, most_rows)):
        yield batch
